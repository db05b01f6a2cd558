/** Returns the members of `input` that differ from those of `loaded`, so that changes by others to the rest stay. */
export function changedFields<Input extends object>(
  input: Input,
  loaded: Readonly<Record<string, unknown>>,
): Partial<Input> {
  const isEqual = (name: string, value: unknown) => comparable(value) === comparable(loaded[name]);
  return Object.fromEntries(Object.entries(input).filter(([name, value]) => !isEqual(name, value))) as Partial<Input>;
}

const comparable = (value: unknown): string =>
  JSON.stringify(Array.isArray(value) ? [...value].sort() : (value ?? null));

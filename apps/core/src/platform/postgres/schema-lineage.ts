/** How the schema of a database relates to the one that this code was built for. */
export type SchemaLineage =
  | { readonly is: 'current' }
  /** One migration further, which this code can work with: every migration leaves what the code before it needs. */
  | { readonly is: 'ahead'; readonly by: string }
  /** Sentences for whoever operates the service. */
  | { readonly is: 'refused'; readonly because: string };

export const NOT_MIGRATED = 'The schema is not current. Run the migration first: node apps/core/dist/main.js migrate';

/** `applied` and `known` are names of migrations in their order. */
export function schemaLineage(applied: readonly string[], known: readonly string[]): SchemaLineage {
  const at = applied.findIndex((name, index) => index < known.length && name !== known[index]);
  if (at >= 0) {
    const because = `The schema is that of another service: its migration ${at + 1} is ${applied[at]}, and here it is ${known[at]}.`;
    return { is: 'refused', because };
  }
  if (applied.length < known.length) return { is: 'refused', because: NOT_MIGRATED };
  const [next, ...further] = applied.slice(known.length);
  if (next === undefined) return { is: 'current' };
  if (further.length === 0) return { is: 'ahead', by: next };
  const because = `The schema is ${1 + further.length} migrations ahead of this core, which bears one. Start a newer release of the core.`;
  return { is: 'refused', because };
}

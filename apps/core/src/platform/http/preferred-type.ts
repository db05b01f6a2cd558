import Negotiator from 'negotiator';

/**
 * Returns the type that an `Accept` header prefers: by weight, then by precision, then by its order. If the header has
 * no preference or accepts none of the types, it returns the first one.
 */
export function preferredType<Type extends string>(
  accept: string | undefined,
  types: readonly [Type, ...(readonly Type[])],
): Type {
  // every response is UTF-8, so a type that names this character set means the same
  const offeredTypes = types.flatMap((type) => [type, `${type};charset=utf-8`]);
  const preferred = new Negotiator({ headers: { accept } }).mediaType(offeredTypes)?.split(';')[0];
  return types.find((type) => type === preferred) ?? types[0];
}

import Negotiator from 'negotiator';

/**
 * Which of some types an `Accept` wants most: by weight, then by how exactly it names them, then by its own order. The first of them
 * where it does not care, and where it wants none of them.
 */
export function preferredType<Type extends string>(
  accept: string | undefined,
  types: readonly [Type, ...(readonly Type[])],
): Type {
  // whoever names the character set that everything is in anyway means the same type
  const offered = types.flatMap((type) => [type, `${type};charset=utf-8`]);
  const wanted = new Negotiator({ headers: { accept } }).mediaType(offered)?.split(';')[0];
  return types.find((type) => type === wanted) ?? types[0];
}

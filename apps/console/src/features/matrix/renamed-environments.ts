import type { MatrixSearch } from './matrix-search.ts';

interface NamedEnvironment {
  readonly id: string;
  readonly name: string;
}

/** Returns the search parameters with the current names of environments; null if they are already current. */
export function renamedIn(
  { env, in: place, envs }: MatrixSearch,
  before: readonly NamedEnvironment[],
  now: readonly NamedEnvironment[],
): Pick<MatrixSearch, 'env' | 'in' | 'envs'> | null {
  const ids = new Map(before.map(({ id, name }) => [name, id]));
  const names = new Map(now.map(({ id, name }) => [id, name]));
  const isThere = new Set(now.map(({ name }) => name));
  const renamed = <Name extends string | undefined>(name: Name) =>
    name === undefined || isThere.has(name) ? name : (names.get(ids.get(name) ?? '') ?? name);
  const next = { env: renamed(env), in: renamed(place), envs: envs?.map(renamed) };
  const isSame = next.env === env && next.in === place && (envs ?? []).every((name, at) => name === next.envs?.[at]);
  return isSame ? null : next;
}

import { parseWidths, widthParameter } from './column-layout.ts';
import type { MatrixSearch } from './matrix-search.ts';

interface NamedEnvironment {
  readonly id: string;
  readonly name: string;
}

/** Returns the search parameters with the current names of environments; null if they are already current. */
export function renameInSearch(
  { env, in: place, envs, pin, width, sort }: MatrixSearch,
  before: readonly NamedEnvironment[],
  now: readonly NamedEnvironment[],
): Pick<MatrixSearch, 'env' | 'in' | 'envs' | 'pin' | 'width' | 'sort'> | null {
  const ids = new Map(before.map(({ id, name }) => [name, id]));
  const names = new Map(now.map(({ id, name }) => [id, name]));
  const isThere = new Set(now.map(({ name }) => name));
  const renamed = <Name extends string | undefined>(name: Name) =>
    name === undefined || isThere.has(name) ? name : (names.get(ids.get(name) ?? '') ?? name);
  const widths = [...parseWidths(width)].map(([name, pixels]) => [renamed(name), pixels] as const);
  const next = {
    env: renamed(env),
    in: renamed(place),
    envs: envs?.map(renamed),
    pin: pin?.map(renamed),
    width: widthParameter(new Map(widths)),
    sort: renamed(sort),
  };
  const currentSearch = { env, in: place, envs, pin, width: widthParameter(parseWidths(width)), sort };
  const isSame = JSON.stringify(next) === JSON.stringify(currentSearch);
  return isSame ? null : next;
}

import type { SavedView } from '../../data/preferences.ts';
import type { EnvironmentColumn } from '../../lib/environment-tree.ts';
import { parseWidths, widthParameter } from './column-layout.ts';
import type { MatrixSearch } from './matrix-search.ts';

/** The part of the search parameters that a view contains. The text of the filter is not part of it: it may be a value. */
type ViewedSearch = Pick<MatrixSearch, 'envs' | 'pin' | 'width' | 'state' | 'sort' | 'order' | 'group'>;
type ViewChoices = Omit<SavedView, 'id' | 'name' | 'projectId'>;
type Environments = readonly Pick<EnvironmentColumn, 'id' | 'name'>[];

/** Returns the choices of a view for the search parameters. Names without an environment are left out. */
export function readChoices(
  { envs, pin, width, state, sort, order, group }: ViewedSearch,
  environments: Environments,
): ViewChoices {
  const ids = new Map(environments.map(({ id, name }) => [name, id]));
  const findIds = (names: readonly string[] = []) => names.flatMap((name) => ids.get(name) ?? []);
  return {
    environmentIds: findIds(envs),
    pinnedIds: findIds(pin),
    widths: [...parseWidths(width)].flatMap(([name, pixels]) => {
      const environmentId = ids.get(name);
      return environmentId === undefined ? [] : [{ environmentId, width: pixels }];
    }),
    state: state ?? null,
    sortedById: ids.get(sort ?? '') ?? null,
    descending: order === 'desc',
    grouped: group !== undefined,
  };
}

/** Returns the search parameters that a view describes, with the present names of its environments. */
export function createSearch(view: ViewChoices, environments: Environments): ViewedSearch {
  const names = new Map(environments.map(({ id, name }) => [id, name]));
  const findNames = (ids: readonly string[]) => {
    const current = ids.flatMap((id) => names.get(id) ?? []);
    return current.length === 0 ? undefined : current;
  };
  const widths = view.widths.flatMap(({ environmentId, width }): readonly [string, number][] => {
    const name = names.get(environmentId);
    return name === undefined ? [] : [[name, width]];
  });
  return {
    envs: findNames(view.environmentIds),
    pin: findNames(view.pinnedIds),
    width: widthParameter(new Map(widths)),
    state: view.state ?? undefined,
    sort: view.sortedById === null ? undefined : names.get(view.sortedById),
    order: view.descending ? 'desc' : undefined,
    group: view.grouped ? 'prefix' : undefined,
  };
}

/** Returns whether the page shows what a view describes. */
export function isShown(view: ViewChoices, search: ViewedSearch, environments: Environments): boolean {
  const comparable = (choices: ViewedSearch) => {
    const { widths, ...rest } = readChoices(choices, environments);
    return JSON.stringify([
      rest,
      widths.toSorted((left, right) => left.environmentId.localeCompare(right.environmentId)),
    ]);
  };
  return comparable(createSearch(view, environments)) === comparable(search);
}

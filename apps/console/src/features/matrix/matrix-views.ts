import type { SavedView } from '../../data/preferences.ts';
import type { EnvironmentColumn } from '../../lib/environment-tree.ts';
import { widthParameter, widthsIn } from './column-layout.ts';
import type { MatrixSearch } from './matrix-search.ts';

/** The part of the search parameters that a view contains. The text of the filter is not part of it: it may be a value. */
type ViewedSearch = Pick<MatrixSearch, 'envs' | 'pin' | 'width' | 'state' | 'sort' | 'order' | 'group'>;
type ViewChoices = Omit<SavedView, 'id' | 'name' | 'projectId'>;
type Environments = readonly Pick<EnvironmentColumn, 'id' | 'name'>[];

/** Returns the choices of a view for the search parameters. Names without an environment are left out. */
export function choicesOf(
  { envs, pin, width, state, sort, order, group }: ViewedSearch,
  environments: Environments,
): ViewChoices {
  const ids = new Map(environments.map(({ id, name }) => [name, id]));
  const idsOf = (names: readonly string[] = []) => names.flatMap((name) => ids.get(name) ?? []);
  return {
    environmentIds: idsOf(envs),
    pinnedIds: idsOf(pin),
    widths: [...widthsIn(width)].flatMap(([name, pixels]) => {
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
export function searchOf(view: ViewChoices, environments: Environments): ViewedSearch {
  const names = new Map(environments.map(({ id, name }) => [id, name]));
  const namesOf = (ids: readonly string[]) => {
    const found = ids.flatMap((id) => names.get(id) ?? []);
    return found.length === 0 ? undefined : found;
  };
  const widths = view.widths.flatMap(({ environmentId, width }): readonly [string, number][] => {
    const name = names.get(environmentId);
    return name === undefined ? [] : [[name, width]];
  });
  return {
    envs: namesOf(view.environmentIds),
    pin: namesOf(view.pinnedIds),
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
    const { widths, ...rest } = choicesOf(choices, environments);
    return JSON.stringify([
      rest,
      widths.toSorted((one, other) => one.environmentId.localeCompare(other.environmentId)),
    ]);
  };
  return comparable(searchOf(view, environments)) === comparable(search);
}

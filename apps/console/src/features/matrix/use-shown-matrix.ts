import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { environmentsQuery } from '../../data/environments.ts';
import type { MatrixRequest } from '../../data/matrix.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import { rememberGrid } from '../../kit/drafts/last-grids.ts';
import type { EnvironmentColumn } from '../../lib/environment-tree.ts';
import type { ListedProject } from '../../lib/project-forest.ts';
import { ONE_COLUMN, useMedia } from '../../ui/use-media.ts';
import { columnActions } from './column-actions.ts';
import { parseWidths } from './column-layout.ts';
import { columnsInOrder, selectColumns } from './grid-types.ts';
import type { MatrixSearch } from './matrix-search.ts';
import { renameInSearch } from './renamed-environments.ts';
import { useCollapsedColumns } from './use-collapsed-columns.ts';
import { useMatrix } from './use-matrix.ts';

const NO_ENVIRONMENTS: readonly EnvironmentColumn[] = [];

const route = getRouteApi('/inside/projects/$name');

/** Returns the matrix that the URL describes, with the loaded parts. */
export function useShownMatrix(project: ListedProject) {
  const { isNow, args: pointInTime } = usePointInTime();
  const isNarrow = useMedia(ONE_COLUMN);
  const { data: environments } = useQuery(environmentsQuery(pointInTime));
  const { search, find } = useFollowedSearch(environments);
  useEffect(() => rememberGrid(project.id, search), [project.id, search]);
  const [visible, setVisible] = useState({ first: 0, last: 0 });
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(NONE);

  const collapsing = useCollapsedColumns({ environments: environments ?? NO_ENVIRONMENTS, search, isNarrow, find });
  const { defaults } = collapsing;

  const { q = '', state = null, env, envs, pin, width, sort, order, group } = search;
  const request = useMemo((): MatrixRequest => {
    const named = isNarrow ? { envs: [env ?? environments?.[0]?.name ?? ''] } : { envs, pin };
    return {
      projectId: project.id,
      environmentIds: selectColumns(environments ?? [], named, defaults).map(({ id }) => id),
      q,
      state,
      sortedById: environments?.find(({ name }) => name === sort)?.id ?? null,
      descending: order === 'desc',
      grouped: group !== undefined && sort === undefined,
      pointInTime,
    };
  }, [project.id, environments, defaults, isNarrow, env, envs, pin, q, state, sort, order, group, pointInTime]);
  const matrix = useMatrix(request, { ...visible, collapsed }, project.dependsOnId !== null);
  const { environmentIds } = matrix.question;
  // The columns match the loaded cells, also while those of another choice are being loaded.
  const columns = useMemo(() => {
    const byId = new Map(environments?.map((environment) => [environment.id, environment]));
    const shownEnvironments = environmentIds.flatMap((id) => byId.get(id) ?? []);
    return columnsInOrder(environments ?? [], shownEnvironments, isNarrow ? [] : pin);
  }, [environments, environmentIds, isNarrow, pin]);
  const widths = useMemo(() => parseWidths(isNarrow ? [] : width), [isNarrow, width]);

  const ofColumns = useMemo(
    () => columnActions({ columns, collapsing, search: { sort, order, width }, find }),
    [columns, collapsing, sort, order, width, find],
  );
  const setVisibleLines = useCallback(
    (first: number, last: number) =>
      setVisible((old) => (old.first === first && old.last === last ? old : { first, last })),
    [],
  );
  return {
    search,
    find,
    isNow,
    moment: pointInTime,
    isNarrow,
    environments: environments ?? NO_ENVIRONMENTS,
    matrix,
    columns,
    columnActions: ofColumns,
    collapsing,
    widths,
    setCollapsed,
    setVisibleLines,
  };
}

const NONE: ReadonlySet<string> = new Set();

/** Returns the search parameters, and updates the URL when a named environment is renamed. */
function useFollowedSearch(environments: readonly EnvironmentColumn[] | undefined) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const find = useCallback(
    // The note about the last applied action stays.
    (next: Partial<MatrixSearch>) =>
      void navigate({ search: (old) => ({ ...old, ...next }), replace: true, state: true }),
    [navigate],
  );
  const [previous, setPrevious] = useState(environments);
  const renamed = useMemo(
    () => (environments && previous ? renameInSearch(search, previous, environments) : null),
    [environments, previous, search],
  );
  useEffect(() => {
    if (renamed) find(renamed);
    else setPrevious(environments);
  }, [renamed, environments, find]);
  return { search: renamed ? { ...search, ...renamed } : search, find };
}

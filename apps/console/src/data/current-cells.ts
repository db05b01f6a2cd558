import { type QueryClient, queryOptions } from '@tanstack/react-query';
import {
  DraftedRows,
  type DraftedRowsQuery,
  type DraftedRowsQueryVariables,
} from '../graphql/present-values.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { type AffectedData, affectedInProject, dependencyChain } from '../lib/affected-data.ts';
import { type Draft, type DraftMoves, type Drafts, draftKey } from '../lib/draft.ts';
import { exposesSecret, rebaseDraft, type StoredCell } from '../lib/draft-status.ts';
import { RequestError } from '../lib/request-error.ts';
import { environmentsQuery } from './environments.ts';
import { projectsQuery } from './projects.ts';
import { queryKeys, refreshQuery } from './query-keys.ts';

/** The current state of the cells of drafts by draft key; null for deleted cells. */
export type CurrentCells = ReadonlyMap<string, StoredCell | null>;

/** The current state of the drafts of a project. */
export interface CurrentCellsState {
  readonly cells: CurrentCells;
  /** The names of the drafted parameters. */
  readonly names: ReadonlySet<string>;
}

type Matrix = NonNullable<DraftedRowsQuery['project']>['matrix'];
type Row = Matrix['edges'][number]['node'];

/** The maximum number of parameters per request. */
const ROWS = 200;
/** The maximum number of names that are looked up, one request each. Further new parameters are only checked by the plan. */
const NAMES_MAX = 100;

export const currentCellKeys = queryKeys('present', {}, (all) => ({
  ofProject: (projectId: string) => [...all, projectId],
}));

/** The query for the current state of the cells of a project's drafts. It is stale only after a change that affects them. */
export const currentCellsQuery = (client: QueryClient, projectId: string, draftsOf: () => readonly Draft[]) =>
  queryOptions({
    queryKey: currentCellKeys.ofProject(projectId),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async (): Promise<CurrentCellsState> => {
      const drafts = draftsOf();
      const [projects, environments] = await Promise.all([
        client.fetchQuery(projectsQuery()),
        client.fetchQuery(environmentsQuery()),
      ]);
      const isThere = projects.some(({ id }) => id === projectId);
      const existingState = isThere
        ? drafts.filter(({ environmentId: at }) => environments.some(({ id }) => id === at))
        : [];
      const cells = await readPresent(projectId, existingState);
      return {
        cells: new Map(drafts.map((draft) => [draftKey(draft), cells.get(draftKey(draft)) ?? null])),
        names: new Set(drafts.map(({ name }) => name)),
      };
    },
  });

/**
 * Returns moves of drafts that were typed while earlier drafts of the same cells were applied. The drafts are then based on the applied
 * revision, so that they conflict only with later changes of other users. A drafted secret does not move to a parameter that is not secret.
 */
export async function rebaseOnRevision(revision: number, drafts: Drafts): Promise<DraftMoves> {
  const byProject = Map.groupBy(drafts.values(), ({ projectId }) => projectId);
  const read = [...byProject].map(([projectId, projectDrafts]) => readPresent(projectId, projectDrafts, revision));
  const cells = new Map((await Promise.all(read)).flatMap((projectCells) => [...projectCells]));
  return new Map(
    [...drafts].flatMap(([key, draft]) => {
      const cell = cells.get(key);
      return cell && !exposesSecret(draft, cell) ? [[key, { from: draft, to: rebaseDraft(draft, cell) }]] : [];
    }),
  );
}

/** Refreshes the state of the drafts that changes affect. */
export async function refreshCurrentCells(client: QueryClient, affectedData: AffectedData): Promise<void> {
  const projects = client.getQueryData(projectsQuery().queryKey) ?? [];
  const affectedQueries = client.getQueryCache().findAll({
    queryKey: currentCellKeys.all,
    predicate: ({ queryKey: [, projectId], state: { data } }) => {
      const names = affectedInProject(dependencyChain(String(projectId), projects), affectedData);
      const draftedNames = (data as CurrentCellsState | undefined)?.names;
      return names === 'whole' || (names !== null && [...names].some((name) => draftedNames?.has(name) ?? true));
    },
  });
  await Promise.all(affectedQueries.map((query) => refreshQuery(client, query)));
}

/** Returns the state of the cells of drafts at a revision, or now. */
async function readPresent(
  projectId: string,
  drafts: readonly Draft[],
  revision: number | null = null,
): Promise<ReadonlyMap<string, StoredCell>> {
  if (drafts.length === 0) return new Map();
  const environments = [...new Set(drafts.map(({ environmentId }) => environmentId))];
  const ids = [...new Set(drafts.filter(({ isNew }) => !isNew).map(({ parameterId }) => parameterId))];
  const read = (variables: Pick<DraftedRowsQueryVariables, 'ids' | 'name' | 'first'>) =>
    readRows({ projectId, environments, revision, ...variables });
  const parts = Array.from({ length: Math.ceil(ids.length / ROWS) }, (_, at) => ids.slice(at * ROWS, (at + 1) * ROWS));
  const pages = await Promise.all(parts.map((part) => read({ ids: part, first: ROWS })));
  const byId = new Set(pages.flatMap(({ edges }) => edges.map(({ node }) => node.parameterId)));
  // If a parameter does not exist, another one may have its name: a new one, or an override of an inherited one.
  const names = [...new Set(drafts.flatMap((draft) => (byId.has(draft.parameterId) ? [] : [draft.name])))];
  const namedRows = await Promise.all(names.slice(0, NAMES_MAX).map((name) => read({ name, first: 1 })));
  const cells = new Map<string, StoredCell>();
  for (const matrix of [...pages, ...namedRows])
    for (const { node } of matrix.edges) takeRow(cells, drafts, matrix, node);
  return cells;
}

function takeRow(cells: Map<string, StoredCell>, drafts: readonly Draft[], matrix: Matrix, row: Row): void {
  for (const draft of drafts) {
    const isMeant = draft.parameterId === row.parameterId || (draft.name === row.name && !cells.has(draftKey(draft)));
    const cell = row.cells[matrix.environments.findIndex(({ id }) => id === draft.environmentId)];
    if (isMeant && cell && !cell.states.includes('closed')) {
      cells.set(draftKey(draft), presentCell(draft, row, cell, matrix.revision ?? 0));
    }
  }
}

function presentCell(draft: Draft, row: Row, cell: Row['cells'][number], revision: number): StoredCell {
  const { states, text, raw, valueId, ledgerId } = cell;
  const isKnown = !states.includes('secret') && !states.includes('missing');
  return {
    parameterId: row.parameterId,
    name: row.name,
    isSecret: row.secret,
    isForeign: row.projectId !== draft.projectId,
    isOwn: states.includes('own'),
    base: { revision, valueId, ledgerId, ...(isKnown && { text: raw ?? text, dynamic: raw !== null }) },
  };
}

async function readRows(variables: DraftedRowsQueryVariables): Promise<Matrix> {
  const { project } = await requestGraphql(DraftedRows, variables);
  const matrix = project?.matrix;
  if (matrix?.problem) throw new RequestError('unreadable', matrix.problem.message, null);
  return matrix ?? { revision: null, problem: null, environments: [], edges: [] };
}

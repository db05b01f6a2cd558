import type { Query, QueryClient } from '@tanstack/react-query';
import { type AffectedData, affectedInProject, dependencyChain } from '../lib/affected-data.ts';
import type { MatrixRow } from './cell.ts';
import {
  type MatrixPartRows,
  type MatrixRequest,
  type MatrixRowCounts,
  matrixKeys,
  ROWS_MAX,
  readRows,
} from './matrix.ts';
import { projectsQuery } from './projects.ts';
import { refreshQuery } from './query-keys.ts';

type MatrixKey = ReturnType<typeof matrixKeys.part>;

/** Refreshes the loaded matrices after changes: only single rows if only values changed, otherwise the visible parts. */
export async function refreshMatrix(client: QueryClient, affectedData: AffectedData, revision: number): Promise<void> {
  const projects = client.getQueryData(projectsQuery().queryKey) ?? [];
  const byQuestion = Map.groupBy(matrixQueries(client), ({ queryKey: [, , question] }) => JSON.stringify(question));
  const refreshes = [...byQuestion.values()].flatMap((queries) => {
    const [first] = queries;
    if (!first || !isNow(first.queryKey[2])) return [];
    const affectedProjects = affectedInProject(dependencyChain(first.queryKey[1], projects), affectedData);
    const isOtherNameChanged = affectedData.names.size > 0;
    if (affectedProjects === null && !isOtherNameChanged) return [];
    return [refreshQuestion(client, queries, affectedProjects ?? new Set(), revision)];
  });
  await Promise.all(refreshes);
}

/** Reloads the parts that are older than a revision. */
export async function refreshPartsBefore(client: QueryClient, revision: number): Promise<void> {
  const queries = matrixQueries(client).filter(({ queryKey: [, , question] }) => isNow(question));
  const outdatedQueries = queries.filter(
    ({ state: { data } }) => data !== undefined && 'revision' in data && data.revision < revision,
  );
  // The numbers of rows have no revision, so they are reloaded together with the parts.
  const questions = new Set(outdatedQueries.map(({ queryKey: [, , question] }) => JSON.stringify(question)));
  const queriesToRefresh = queries.filter((query) => {
    const [, , question, part] = query.queryKey;
    return part === 'counts' ? questions.has(JSON.stringify(question)) : outdatedQueries.includes(query);
  });
  await Promise.all(queriesToRefresh.map((query) => refreshQuery(client, query)));
}

type MatrixData = MatrixPartRows | MatrixRowCounts;
type MatrixCacheEntry = Query<MatrixData, Error, MatrixData, MatrixKey>;

const matrixQueries = (client: QueryClient) =>
  client.getQueryCache().findAll({ queryKey: matrixKeys.all }) as unknown as readonly MatrixCacheEntry[];

const isNow = ({ pointInTime }: MatrixRequest) => pointInTime.asOf === undefined && pointInTime.revision === undefined;

async function refreshQuestion(
  client: QueryClient,
  queries: readonly MatrixCacheEntry[],
  names: 'whole' | ReadonlySet<string>,
  revision: number,
): Promise<void> {
  const refresh = (query: MatrixCacheEntry) => refreshQuery(client, query);
  const question = queries[0]?.queryKey[2];
  if (!question) return;
  // With a filter, a change may add or remove matching rows, and with an order by values, move them.
  if (names === 'whole' || question.q !== '' || question.state !== null || question.sortedById !== null)
    return void (await Promise.all(queries.map(refresh)));
  const partQueries = queries.filter(({ queryKey: [, , , part] }) => part !== 'counts');
  const shownQueries = partQueries.filter((query) => query.isActive() && query.state.data !== undefined);
  const ids = shownQueries.flatMap(({ state }) =>
    loadedLines(state.data)
      .filter((line) => isTouched(line, names))
      .map(idOf),
  );
  const isBusy = shownQueries.some(({ state }) => state.fetchStatus === 'fetching');
  const restQueries = partQueries.filter((query) => !shownQueries.includes(query));
  if (isBusy || ids.length > ROWS_MAX) return void (await Promise.all(partQueries.map(refresh)));
  await Promise.all(restQueries.map(refresh));
  if (ids.length === 0) return;
  try {
    const read = await readRows(question, ids);
    const freshRows = new Map(read.lines.map((line) => [line.parameterId, line]));
    // If a row was removed, the number of rows has changed, so the parts are reloaded.
    if (ids.some((id) => !freshRows.has(id))) return void (await Promise.all(shownQueries.map(refresh)));
    for (const { queryKey } of shownQueries)
      client.setQueryData<MatrixPartRows>(
        queryKey,
        (previousRows) => previousRows && renewed(previousRows, freshRows, revision),
      );
  } catch {
    await Promise.all(shownQueries.map(refresh));
  }
}

/** Returns whether a row may have changed. A dynamic text may depend on any value, even in other projects, so it always counts. */
const isTouched = (line: MatrixRow, names: ReadonlySet<string>) =>
  names.has(line.name) || line.cells.some(({ states }) => states.includes('dynamic'));

const idOf = ({ parameterId }: MatrixRow) => parameterId;
const loadedLines = (data: MatrixData | undefined) => (data && 'lines' in data ? data.lines : []);

const renewed = (
  previousRows: MatrixPartRows,
  freshRows: ReadonlyMap<string, MatrixRow>,
  revision: number,
): MatrixPartRows => ({
  ...previousRows,
  revision,
  lines: previousRows.lines.map((line) => freshRows.get(line.parameterId) ?? line),
});

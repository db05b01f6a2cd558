import fs from 'node:fs';
import path from 'node:path';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { queryKeys, refreshAfterAnyChange, refreshAll, refreshDependencies, refreshDependents } from './query-keys.ts';

const trees = queryKeys('trees', { on: ['project'], isFirst: true }, (all) => ({ tree: (id: string) => [...all, id] }));
const hooks = queryKeys('hooks', { on: ['webhook'] }, (all) => ({ list: [...all, 'list'] }));
const reports = queryKeys('reports', { onAnyChange: true }, () => ({}));
const plans = queryKeys('plans', { isSeparate: true }, () => ({}));
const notes = queryKeys('notes', {}, () => ({}));

function filledCache(): QueryClient {
  const client = new QueryClient();
  for (const key of [trees.tree('a'), hooks.list, reports.all, plans.all, notes.all]) client.setQueryData(key, 'read');
  return client;
}

const staleIn = (client: QueryClient) =>
  client
    .getQueryCache()
    .getAll()
    .filter(({ state }) => state.isInvalidated)
    .map(({ queryKey: [root] }) => root);

it.each([
  ['a change of a project, at first,', refreshDependencies, ['project', 'webhook'], ['trees']],
  ['a change of a webhook', refreshDependents, ['project', 'webhook'], ['hooks']],
  ['a change that no kind depends on', refreshDependents, ['value'], []],
])('%s refreshes the kinds of queries that depend on it', async (_, refresh, kinds, stale) => {
  const client = filledCache();

  await refresh(client, new Set(kinds));

  expect(staleIn(client)).toEqual(stale);
});

it('every change refreshes the queries that depend on everything', async () => {
  const client = filledCache();

  await refreshAfterAnyChange(client);

  expect(staleIn(client)).toEqual(['reports']);
});

it('a reconnect refreshes everything except the queries that other code refreshes', async () => {
  const client = filledCache();

  await refreshAll(client);

  expect(staleIn(client)).toEqual(['trees', 'hooks', 'reports', 'notes']);
});

it('a change during a refresh lets its response arrive, and refreshes once more', async () => {
  const client = new QueryClient();
  const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
  const respond: ((text: string) => void)[] = [];
  const queryFn = ({ signal }: { readonly signal: AbortSignal }) =>
    new Promise<string>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('cancelled')));
      respond.push(resolve);
    });
  client.setQueryData(reports.all, 'before');
  const observer = new QueryObserver(client, { queryKey: reports.all, queryFn, staleTime: Number.POSITIVE_INFINITY });
  const stop = observer.subscribe(() => {});
  const first = refreshAfterAnyChange(client);
  for (let change = 0; change < 5; change += 1) void refreshAfterAnyChange(client);
  respond[0]?.('response 1');
  await settle();
  expect([client.getQueryData(reports.all), respond.length]).toEqual(['response 1', 2]);
  respond[1]?.('response 2');
  await first;

  expect([client.getQueryData(reports.all), respond.length]).toEqual(['response 2', 2]);
  stop();
});

it('a change during the first request of a query that nothing shows any more marks its response as stale', async () => {
  const client = new QueryClient();
  const invalidate = client.invalidateQueries.bind(client);
  let calls = 0;
  client.invalidateQueries = (...filters) => {
    calls += 1;
    // Without this limit, a repetition without end would hang the test.
    if (calls > 10) throw new Error('The refresh does not end.');
    return invalidate(...filters);
  };
  let respond = (_: string) => {};
  const first = client.fetchQuery({
    queryKey: reports.all,
    queryFn: () =>
      new Promise<string>((resolve) => {
        respond = resolve;
      }),
  });
  const refreshed = refreshAfterAnyChange(client);
  await new Promise((resolve) => setTimeout(resolve, 5));
  respond('before the change');
  await Promise.all([first, refreshed]);

  expect([staleIn(client), calls]).toEqual([['reports'], 1]);
});

const folder = path.resolve(import.meta.dirname, '..');
const sources = fs
  .readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!spec|graphql)\.tsx?$/.test(file))
  .map((file) => ({ file, text: fs.readFileSync(path.join(folder, file), 'utf8') }));

it('two kinds of queries never share the first part of their keys', () => {
  const roots = sources.flatMap(({ text }) => [...text.matchAll(/= queryKeys\('(\w+)'/g)].map(([, root]) => root));

  expect(roots.length).toBeGreaterThan(30);
  expect(roots.filter((root, at) => roots.indexOf(root) !== at)).toEqual([]);
});

it('query keys are written only where their kind is declared', () => {
  const literal = sources.filter(({ text }) => /\bqueryKey: \[\s*['"]|\bkind=\{\[|queryKey\[0\]/.test(text));

  expect(literal.map(({ file }) => file)).toEqual([]);
});

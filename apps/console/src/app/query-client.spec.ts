import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { createQueryClient } from './query-client.ts';

const queryKey = ['projects'];

/** Returns a query that never responds to its first request, and whether that request was cancelled. */
function slowFirstRequest() {
  let requests = 0;
  const queryFn = ({ signal }: { readonly signal: AbortSignal }) => {
    requests += 1;
    if (requests > 1) return Promise.resolve(`response ${requests}`);
    return new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  return { queryKey, queryFn };
}

it.each<[string, (client: QueryClient, unsubscribe: () => void) => void]>([
  ['the last component that shows its query disappears', (_, unsubscribe) => unsubscribe()],
  ['the cache is cleared', (client) => client.clear()],
  ['the query is cancelled', (client) => void client.cancelQueries({ queryKey })],
])('a loader receives its data although %s', async (_, interrupt) => {
  const client = createQueryClient(() => {});
  const query = slowFirstRequest();
  const unsubscribe = new QueryObserver(client, query).subscribe(() => {});
  const loaded = client.ensureQueryData(query);

  interrupt(client, unsubscribe);

  expect(await loaded).toBe('response 2');
  unsubscribe();
});

it('a loader receives the error of its request', async () => {
  const client = createQueryClient(() => {});

  const loaded = client.ensureQueryData({ queryKey, queryFn: () => Promise.reject(new Error('No such project.')) });

  await expect(loaded).rejects.toThrow('No such project.');
});

import {
  CancelledError,
  type DefaultError,
  type FetchQueryOptions,
  notifyManager,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { isNoResponse, isSignedOut } from '../lib/request-error.ts';

const TRIES = 2;

// The button of a mutation is disabled before the second click of a double click arrives.
notifyManager.setScheduler(queueMicrotask);

/** Creates the query cache. Calls `onSignedOut` when a response shows that the session has ended. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  return new PatientQueryClient({
    queryCache: new QueryCache({ onError: (error) => isSignedOut(error) && onSignedOut() }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < TRIES && isNoResponse(error),
      },
      // Without a connection, a mutation fails at once instead of waiting. Its input can contain a
      // secret, so it is removed one second after its component is unmounted.
      mutations: { networkMode: 'always', gcTime: 1_000 },
    },
  });
}

/**
 * A query client whose callers receive data although others cancel the request. A loader shares its request with the components that show
 * the query: when the last of them disappears, or when the cache is cleared, the library cancels the request.
 */
class PatientQueryClient extends QueryClient {
  override async fetchQuery<
    FetchedData,
    Failure = DefaultError,
    Data = FetchedData,
    Key extends QueryKey = QueryKey,
    PageParam = never,
  >(options: FetchQueryOptions<FetchedData, Failure, Data, Key, PageParam>): Promise<Data> {
    try {
      return await super.fetchQuery(options);
    } catch (error) {
      if (!(error instanceof CancelledError)) throw error;
      return this.fetchQuery(options);
    }
  }
}

import {
  CancelledError,
  type DefaultError,
  type FetchQueryOptions,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { isNoResponse, isSignedOut } from '../lib/request-error.ts';

const TRIES = 2;

/** Creates the query cache. Calls `onSignedOut` when a response shows that the session has ended. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  return new PatientQueryClient({
    queryCache: new QueryCache({ onError: (error) => isSignedOut(error) && onSignedOut() }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < TRIES && isNoResponse(error),
      },
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

import { QueryCache, QueryClient } from '@tanstack/react-query';
import { isNoResponse, isSignedOut } from '../lib/refused.ts';

const TRIES = 2;

/** Creates the query cache. Calls `onSignedOut` when a response shows that the session has ended. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error) => isSignedOut(error) && onSignedOut() }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < TRIES && isNoResponse(error),
      },
    },
  });
}

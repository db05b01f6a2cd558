import { queryOptions, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { TaggedInstant } from '../graphql/moment.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { type MomentArgs, momentIn, type ShownMoment } from '../lib/moment.ts';
import { RequestError } from '../lib/request-error.ts';
import { queryKeys } from './query-keys.ts';

export const momentKeys = queryKeys('moment', {}, (all) => ({
  at: (at: string | undefined) => [...all, at ?? 'now'],
}));

/** Returns the query arguments of a point in time. A tag is resolved to its timestamp, which applies to every environment. */
export const momentQuery = (at: string | undefined) =>
  queryOptions({
    queryKey: momentKeys.at(at),
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<MomentArgs> => {
      const moment = momentIn(at);
      switch (moment.kind) {
        case 'now':
          return {};
        case 'instant':
          return { asOf: moment.instant };
        case 'revision':
          return { revision: moment.revision };
        case 'tag':
          return { asOf: await fetchInstant(moment, signal) };
      }
    },
  });

async function fetchInstant({ environment, tag }: ShownMoment & { readonly kind: 'tag' }, signal: AbortSignal) {
  const response = await requestGraphql(TaggedInstant, { environment, tag }, signal);
  const instant = response.environments.edges[0]?.node.tags.edges[0]?.node.timestamp;
  if (instant !== undefined) return instant;
  throw new RequestError(
    'no_such_tag',
    `There is no tag ${tag} of ${environment}. Go back to now or choose another tag.`,
    null,
  );
}

/** Returns the point in time of the URL, which the loader of the route has resolved. */
export function useMoment(): { readonly moment: ShownMoment; readonly isNow: boolean; readonly args: MomentArgs } {
  const at = useSearch({ from: '/inside', select: (search) => search.at });
  const { data: args = {} } = useQuery(momentQuery(at));
  const moment = momentIn(at);
  return { moment, isNow: moment.kind === 'now', args };
}

import { queryOptions, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { TaggedInstant } from '../graphql/moment.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { type DisplayedPointInTime, type PointInTimeArgs, parsePointInTime } from '../lib/point-in-time.ts';
import { RequestError } from '../lib/request-error.ts';
import { queryKeys } from './query-keys.ts';

export const pointInTimeKeys = queryKeys('point_in_time', {}, (all) => ({
  at: (at: string | undefined) => [...all, at ?? 'now'],
}));

/** Returns the query arguments of a point in time. A tag is resolved to its timestamp, which applies to every environment. */
export const pointInTimeQuery = (at: string | undefined) =>
  queryOptions({
    queryKey: pointInTimeKeys.at(at),
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<PointInTimeArgs> => {
      const pointInTime = parsePointInTime(at);
      switch (pointInTime.kind) {
        case 'now':
          return {};
        case 'instant':
          return { asOf: pointInTime.instant };
        case 'revision':
          return { revision: pointInTime.revision };
        case 'tag':
          return { asOf: await fetchInstant(pointInTime, signal) };
      }
    },
  });

async function fetchInstant(
  { environment, tag }: DisplayedPointInTime & { readonly kind: 'tag' },
  signal: AbortSignal,
) {
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
export function usePointInTime(): {
  readonly pointInTime: DisplayedPointInTime;
  readonly isNow: boolean;
  readonly args: PointInTimeArgs;
} {
  const at = useSearch({ from: '/inside', select: (search) => search.at });
  const { data: args = {} } = useQuery(pointInTimeQuery(at));
  const pointInTime = parsePointInTime(at);
  return { pointInTime, isNow: pointInTime.kind === 'now', args };
}

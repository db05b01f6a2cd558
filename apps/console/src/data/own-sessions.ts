import { queryOptions } from '@tanstack/react-query';
import { requireSaved } from '../graphql/mutation-result.ts';
import { EndSession, OwnSessions, type OwnSessionsQuery } from '../graphql/own-account.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { queryKeys } from './query-keys.ts';

type Viewer = OwnSessionsQuery['viewer'];

/** A session of the user, with the name of its identity provider. */
export interface OwnSession extends Omit<Viewer['sessions'][number], 'provider'> {
  readonly provider: string | null;
}

// There are no events about sessions.
export const ownSessionKeys = queryKeys('own-session', {}, (all) => ({ list: [...all, 'list'] }));

/** The query for all sessions of the user, newest first, and for the ways in which the user can sign in. */
export const ownSessionsQuery = queryOptions({
  queryKey: ownSessionKeys.list,
  queryFn: async ({ signal }) => {
    const { viewer } = await requestGraphql(OwnSessions, {}, signal);
    return { sessions: withProviderNames(viewer), signInMethods: viewer.signInMethods };
  },
});

/** The names of providers that the operator has removed are unknown, so their ids are shown. */
function withProviderNames({ signInMethods, sessions }: Viewer): readonly OwnSession[] {
  const names = new Map(signInMethods.providers.map(({ id, name }) => [id, name]));
  return sessions.map(({ provider, ...session }) => ({
    ...session,
    provider: provider === null ? null : (names.get(provider) ?? provider),
  }));
}

export async function endSession(id: string): Promise<void> {
  requireSaved((await requestGraphql(EndSession, { id })).endSession);
}

import { queryOptions } from '@tanstack/react-query';
import {
  AccessRequests,
  type AccessRequestsQuery,
  ApproveAccess,
  DeclineAccess,
  RequestAccess,
  type RequestAccessMutationVariables,
  RevokeAccess,
  WithdrawAccessRequest,
} from '../graphql/access-requests.graphql.ts';
import { requireSaved } from '../graphql/mutation-result.ts';
import { readAllPages, requestGraphql } from '../graphql/request.ts';
import { queryKeys } from './query-keys.ts';

export type ListedRequest = AccessRequestsQuery['accessRequests']['edges'][number]['node'];

export const accessRequestKeys = queryKeys('access-request', { on: ['access_request', 'grant'] }, (all) => ({
  list: [...all, 'list'],
}));

export const accessRequestsQuery = queryOptions({
  queryKey: accessRequestKeys.list,
  queryFn: async ({ signal }) =>
    readAllPages(async (after) => (await requestGraphql(AccessRequests, { after }, signal)).accessRequests),
});

export async function requestAccess(input: RequestAccessMutationVariables['input']): Promise<void> {
  requireSaved((await requestGraphql(RequestAccess, { input })).createAccessRequest);
}

export async function withdrawRequest(id: string): Promise<void> {
  requireSaved((await requestGraphql(WithdrawAccessRequest, { id })).deleteAccessRequest);
}

export type Decision = 'approve' | 'decline' | 'revoke';

/** Decides a request, or ends its access, with a message for the history. */
export async function decideRequest(decision: Decision, id: string, message: string): Promise<void> {
  const variables = { id, input: { message } };
  if (decision === 'approve') requireSaved((await requestGraphql(ApproveAccess, variables)).approveAccess);
  else if (decision === 'decline') requireSaved((await requestGraphql(DeclineAccess, variables)).declineAccess);
  else requireSaved((await requestGraphql(RevokeAccess, variables)).revokeAccess);
}

import { queryOptions } from '@tanstack/react-query';
import {
  AddToGroup,
  ChangeGroup,
  type ChangeGroupMutationVariables,
  CreateGroup,
  type CreateGroupMutationVariables,
  DeleteGroup,
  Groups,
  type GroupsQuery,
  RemoveFromGroup,
} from '../graphql/groups.graphql.ts';
import { requireSaved } from '../graphql/mutation-result.ts';
import { readAllPages, requestGraphql } from '../graphql/request.ts';
import { queryKeys } from './query-keys.ts';

export type MemberGroup = GroupsQuery['groups']['edges'][number]['node'];
export type GroupMember = MemberGroup['users'][number];

export const groupKeys = queryKeys('group', { on: ['group'] }, (all) => ({
  list: [...all, 'list'],
}));

export const groupsQuery = queryOptions({
  queryKey: groupKeys.list,
  queryFn: async ({ signal }) =>
    readAllPages(async (after) => (await requestGraphql(Groups, { after }, signal)).groups),
});

export async function createGroup(input: CreateGroupMutationVariables['input']): Promise<void> {
  requireSaved((await requestGraphql(CreateGroup, { input })).createGroup);
}

export async function changeGroup(change: ChangeGroupMutationVariables): Promise<void> {
  requireSaved((await requestGraphql(ChangeGroup, change)).updateGroup);
}

export async function deleteGroup({ id, ledgerId }: MemberGroup): Promise<void> {
  requireSaved((await requestGraphql(DeleteGroup, { id, expectedLedgerId: ledgerId })).deleteGroup);
}

export async function addToGroup(id: string, user: string): Promise<void> {
  requireSaved((await requestGraphql(AddToGroup, { id, user })).addToGroup);
}

export async function removeFromGroup(id: string, user: string): Promise<void> {
  requireSaved((await requestGraphql(RemoveFromGroup, { id, user })).removeFromGroup);
}

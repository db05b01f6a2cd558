import { ADD_TO_GROUP, GROUPS, type Group, REMOVE_FROM_GROUP } from '@strata/contract';
import { Failure } from '@strata/domain';
import { actionController } from '../../platform/http/action-controller.ts';
import { type Links, pathId } from '../../platform/http/links.ts';
import type { Call } from '../../platform/http/request.ts';
import { resourceController } from '../../platform/http/resource-controller.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import type { WriteResult } from '../../platform/ledger/command.ts';
import { type GroupRow, GroupsReader } from './groups.reader.ts';
import { GroupsService } from './groups.service.ts';

const groupId = (path: { readonly id?: string }) => pathId('Group', path.id ?? '');

export const GroupsController = resourceController(
  GROUPS,
  { reader: GroupsReader, groups: GroupsService },
  ({ reader, groups }) => ({
    readKey: (path) => groupId(path),
    list: ({ caller, query }) => reader.page(caller.organizationId, query),
    retrieve: ({ caller, key, reader: snapshotReader }) => reader.readOne(caller.organizationId, key, snapshotReader),
    create: ({ caller, input }) => groups.create(caller, input),
    change: ({ caller, key, input, precondition }) => groups.change(caller, key, input, precondition),
    remove: ({ caller, key, precondition }) => groups.delete(caller, key, precondition),
    presentItem: (row, { links }) => presentGroup(row, links),
  }),
);

/** Clients send the whole group in the body. Only the user in the query matters. */
export const GroupMembersController = actionController(
  'GroupMembersController',
  { add: ADD_TO_GROUP, remove: REMOVE_FROM_GROUP },
  { groups: GroupsService },
  ({ groups }) => ({
    add: {
      command: ({ caller, path, query }) => groups.add(caller, groupId(path), userId(query)),
      answer: ({ call }, writeResult: WriteResult<GroupRow>) => answerGroup(call, writeResult),
    },
    remove: {
      command: ({ caller, path, query }) => groups.remove(caller, groupId(path), userId(query)),
      answer: ({ call }, writeResult: WriteResult<GroupRow>) => answerGroup(call, writeResult),
    },
  }),
);

const answerGroup = (call: Call, { result, revision }: WriteResult<GroupRow>) =>
  sendJson(call, revision, presentGroup(result, call.links));

function userId({ user }: { readonly user?: string | undefined }): string {
  if (user === undefined) throw Failure.field('required', 'user', 'Enter the URL or id of a user.');
  return user;
}

export function presentGroup(row: GroupRow, links: Links): Group {
  return {
    url: links.group(row.id),
    id: row.id,
    name: row.name,
    description: row.description,
    users: row.users.map(links.user),
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}

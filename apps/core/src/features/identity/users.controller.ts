import { READ_CALLER, USERS } from '@strata/contract';
import { actionController } from '../../platform/http/action-controller.ts';
import { resourceController } from '../../platform/http/resource-controller.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { MembershipsService } from './memberships.service.ts';
import { personId, presentCaller, presentUser } from './people.ts';
import { UsersReader } from './users.reader.ts';

/** Members may remove themselves. A person who belongs to no other organization is deleted. */
export const UsersController = resourceController(
  USERS,
  { reader: UsersReader, memberships: MembershipsService },
  ({ reader, memberships }) => ({
    readKey: ({ id = '' }) => personId('User', id),
    list: ({ caller, query }) => reader.page(caller.organizationId, query),
    retrieve: ({ caller, key, reader: snapshotReader }) => reader.readOne(caller.organizationId, key, snapshotReader),
    remove: ({ caller, key, precondition }) => memberships.leave(caller, key, precondition),
    presentItem: (row, { links }) => presentUser(row, links),
  }),
);

export const CurrentUserController = actionController(
  'CurrentUserController',
  { read: READ_CALLER },
  { reader: UsersReader },
  ({ reader }) => ({
    read: async ({ call, caller }) => {
      const { row, revision } = await reader.readOne(caller.organizationId, caller.id);
      return sendJson(call, revision, presentCaller(row, call));
    },
  }),
);

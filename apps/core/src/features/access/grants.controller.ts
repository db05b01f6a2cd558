import { GRANTS, REMOVE_GRANTS } from '@strata/contract';
import { actionController } from '../../platform/http/action-controller.ts';
import { pathId } from '../../platform/http/links.ts';
import { resourceController } from '../../platform/http/resource-controller.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import type { WriteResult } from '../../platform/ledger/command.ts';
import { presentGrant } from './grants.presenter.ts';
import { type GrantRow, GrantsReader } from './grants.reader.ts';
import { GrantsService } from './grants.service.ts';

/**
 * Whether the caller may grant a role on a scope is only known once the scope is loaded. The routes therefore require
 * membership only, and the service checks the rest.
 */
export const GrantsController = resourceController(
  GRANTS,
  { reader: GrantsReader, grants: GrantsService },
  ({ reader, grants }) => ({
    readKey: ({ id = '' }) => pathId('Grant', id),
    sortedBy: ['principal_name', 'id'],
    list: ({ caller, query }) => reader.page(caller, query),
    retrieve: ({ caller, key, reader: snapshotReader }) => reader.readOne(caller, key, snapshotReader),
    create: ({ caller, input }) => grants.create(caller, input),
    change: ({ caller, key, input, precondition }) => grants.change(caller, key, input, precondition),
    remove: ({ caller, key, precondition }) => grants.remove(caller, key, precondition),
    presentItem: (row, { links }) => presentGrant(row, links),
  }),
);

export const MatchingGrantsController = actionController(
  'MatchingGrantsController',
  { remove: REMOVE_GRANTS },
  { grants: GrantsService },
  ({ grants }) => ({
    remove: {
      command: ({ caller, query }) => grants.removeMatching(caller, query),
      answer: ({ call }, { result, revision }: WriteResult<GrantRow | null>) =>
        sendJson(call, revision, result && presentGrant(result, call.links)),
    },
  }),
);

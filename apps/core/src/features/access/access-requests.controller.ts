import { ACCESS_REQUESTS, APPROVE_ACCESS, DECLINE_ACCESS, REVOKE_ACCESS } from '@strata/contract';
import { actionController } from '../../platform/http/action-controller.ts';
import { pathId } from '../../platform/http/links.ts';
import type { Call } from '../../platform/http/request.ts';
import { resourceController } from '../../platform/http/resource-controller.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import type { WriteResult } from '../../platform/ledger/command.ts';
import { type AccessRequestRow, AccessRequestsReader, presentAccessRequest } from './access-requests.reader.ts';
import { AccessRequestsService } from './access-requests.service.ts';

const requestId = (path: { readonly id?: string }) => pathId('AccessRequest', path.id ?? '');

export const AccessRequestsController = resourceController(
  ACCESS_REQUESTS,
  { reader: AccessRequestsReader, requests: AccessRequestsService },
  ({ reader, requests }) => ({
    readKey: (path) => requestId(path),
    sortedBy: ['created_at', 'id'],
    list: ({ caller, query }) => reader.page(caller, query),
    retrieve: ({ caller, key, reader: snapshotReader }) => reader.readOne(caller, key, snapshotReader),
    create: ({ caller, input }) => requests.create(caller, input),
    remove: ({ caller, key, precondition }) => requests.remove(caller, key, precondition),
    presentItem: (row, { links }) => presentAccessRequest(row, links),
  }),
);

const answerRequest = (call: Call, { result, revision }: WriteResult<AccessRequestRow>) =>
  sendJson(call, revision, presentAccessRequest(result, call.links));

export const AccessDecisionsController = actionController(
  'AccessDecisionsController',
  { approve: APPROVE_ACCESS, decline: DECLINE_ACCESS, revoke: REVOKE_ACCESS },
  { requests: AccessRequestsService },
  ({ requests }) => ({
    approve: {
      command: ({ caller, path, input }) => requests.approve(caller, requestId(path), input),
      answer: ({ call }, outcome: WriteResult<AccessRequestRow>) => answerRequest(call, outcome),
    },
    decline: {
      command: ({ caller, path, input }) => requests.decline(caller, requestId(path), input),
      answer: ({ call }, outcome: WriteResult<AccessRequestRow>) => answerRequest(call, outcome),
    },
    revoke: {
      command: ({ caller, path, input }) => requests.revoke(caller, requestId(path), input),
      answer: ({ call }, outcome: WriteResult<AccessRequestRow>) => answerRequest(call, outcome),
    },
  }),
);

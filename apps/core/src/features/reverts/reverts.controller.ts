import { PLAN_CHANGESET_REVERT, PLAN_REVERT, REVERT, REVERT_CHANGESET } from '@strata/contract';
import { actionController } from '../../platform/http/action-controller.ts';
import type { Call } from '../../platform/http/request.ts';
import { sendLongJson } from '../../platform/http/send-json.ts';
import type { WriteResult } from '../../platform/ledger/command.ts';
import { parseRevision } from '../changesets/changesets.controller.ts';
import { Plans } from '../plans/plans.ts';
import { sendPlan } from '../plans/send-plan.ts';
import type { CompletedRevert } from './revert-report.ts';
import { presentCompletedRevert } from './reverts.presenter.ts';
import { Reverts } from './reverts.ts';

function sendResult(call: Call, writeResult: WriteResult<CompletedRevert>) {
  const body = presentCompletedRevert(writeResult, call.links);
  if (body.url !== null) call.reply.header('location', body.url);
  return sendLongJson(call, writeResult.revision, body);
}

/**
 * Reverts changesets and scopes. Calling it only requires membership, because each object requires the ability of its
 * single write.
 */
export const RevertsController = actionController(
  'RevertsController',
  { changeset: REVERT_CHANGESET, changesetPlan: PLAN_CHANGESET_REVERT, scope: REVERT, scopePlan: PLAN_REVERT },
  { reverts: Reverts, plans: Plans },
  ({ reverts, plans }) => ({
    changeset: {
      command: async ({ call, path, input }) =>
        reverts.command(await reverts.ofChangeset(call, parseRevision(path.revision ?? ''), input)),
      answer: ({ call }, writeResult: WriteResult<CompletedRevert>) => sendResult(call, writeResult),
    },
    scope: {
      command: async ({ call, input }) => reverts.command(await reverts.ofScope(call, input)),
      answer: ({ call }, writeResult: WriteResult<CompletedRevert>) => sendResult(call, writeResult),
    },
    changesetPlan: async ({ call, path, input }) => {
      const { steps } = await reverts.ofChangeset(call, parseRevision(path.revision ?? ''), input);
      return sendPlan(call, await plans.of(steps));
    },
    scopePlan: async ({ call, input }) => {
      const { steps } = await reverts.ofScope(call, input);
      return sendPlan(call, await plans.of(steps));
    },
  }),
);

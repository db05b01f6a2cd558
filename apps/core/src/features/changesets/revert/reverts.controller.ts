import { REVERT, REVERT_CHANGESET } from '@strata/contract';
import { longAnswer } from '../../../platform/http/answer.ts';
import type { Call } from '../../../platform/http/request.ts';
import { actionController } from '../../../platform/http/resource-controller.ts';
import type { Written } from '../../../platform/ledger/command.ts';
import { revisionIn } from '../changesets.controller.ts';
import type { DoneRevert } from './revert-report.ts';
import { presentReverted } from './reverts.presenter.ts';
import { Reverts } from './reverts.ts';

function answered(call: Call, written: Written<DoneRevert>) {
  const body = presentReverted(written, call.links);
  if (body.url !== null) call.reply.header('location', body.url);
  return longAnswer(call, written.revision, body);
}

/** Each object asks for what its single write asks; to ask for a revert needs nothing but membership. */
export const RevertsController = actionController(
  'RevertsController',
  { changeset: REVERT_CHANGESET, scope: REVERT },
  { reverts: Reverts },
  ({ reverts }) => ({
    changeset: {
      command: async ({ caller, path, input }) =>
        reverts.command(await reverts.ofChangeset(caller, revisionIn(path.revision ?? ''), input)),
      answer: ({ call }, written: Written<DoneRevert>) => answered(call, written),
    },
    scope: {
      command: async ({ caller, input }) => reverts.command(await reverts.ofScope(caller, input)),
      answer: ({ call }, written: Written<DoneRevert>) => answered(call, written),
    },
  }),
);

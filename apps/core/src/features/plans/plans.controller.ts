import { Controller, Get, Param } from '@nestjs/common';
import { APPLY_CHANGESET, EffectiveChangeQuery, PLAN_CHANGESET, parseQuery } from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';
import { actionController } from '../../platform/http/action-controller.ts';
import { offsetWindow, presentListPage } from '../../platform/http/page.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { sendLongJson } from '../../platform/http/send-json.ts';
import type { WriteResult } from '../../platform/ledger/command.ts';
import type { AppliedSteps } from '../changesets/changeset-run.ts';
import { parseRevision } from '../changesets/changesets.controller.ts';
import { presentAppliedChangeset, presentEffectiveChange } from '../changesets/changesets.presenter.ts';
import { ChangesetsReader } from '../changesets/changesets.reader.ts';
import { Changesets } from '../changesets/changesets.ts';
import { EffectiveChanges } from './effective-changes.ts';
import { Plans } from './plans.ts';
import { sendPlan } from './send-plan.ts';

/** Applies changesets. Calling it only requires membership, because each operation requires its own ability. */
export const ChangesetPlansController = actionController(
  'ApplyController',
  { apply: APPLY_CHANGESET, plan: PLAN_CHANGESET },
  { changesets: Changesets, plans: Plans },
  ({ changesets, plans }) => ({
    apply: {
      command: async ({ call, input }) => plans.command(await changesets.prepare(call, input)),
      answer: ({ call, input }, writeResult: WriteResult<AppliedSteps>) => {
        const body = presentAppliedChangeset(writeResult, input, call.links);
        if (body.url !== null) call.reply.header('location', body.url);
        return sendLongJson(call, writeResult.revision, body);
      },
    },
    plan: async ({ call, query, input }) =>
      sendPlan(call, await plans.of(await changesets.preparePlan(call, input, query.assume_write))),
  }),
);

@Controller('changesets')
export class EffectiveChangesController {
  constructor(
    private readonly reader: ChangesetsReader,
    private readonly changesOfRevisions: EffectiveChanges,
  ) {}

  @Get(':revision/effective')
  @Requires('read')
  async effectiveChanges(@CurrentCall() call: Call, @Param('revision') text: string) {
    const query = parseQuery(EffectiveChangeQuery, call.query);
    const at = parseRevision(text);
    const { revision } = await this.reader.readOne(call.caller, at);
    const changes = await this.changesOfRevisions.of(call.caller, at);
    const { limit, offset } = offsetWindow(query);
    const page = { revision, count: changes.length, rows: changes.slice(offset, offset + limit) };
    return sendLongJson(call, revision, presentListPage(call, query, page, presentEffectiveChange));
  }
}

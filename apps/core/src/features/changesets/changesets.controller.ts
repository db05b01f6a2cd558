import { Controller, Get, Param } from '@nestjs/common';
import {
  APPLY_CHANGESET,
  ChangesetListQuery,
  EffectiveChangeQuery,
  PLAN_CHANGESET,
  parseQuery,
} from '@strata/contract';
import { Failure, type Revision } from '@strata/domain';
import { Requires } from '../../platform/auth/requires.ts';
import { answer, longAnswer } from '../../platform/http/answer.ts';
import { envelope, window } from '../../platform/http/page.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { actionController } from '../../platform/http/resource-controller.ts';
import type { Written } from '../../platform/ledger/command.ts';
import type { DoneChangeset } from './changeset-run.ts';
import { presentApplied, presentChangeset, presentEffectiveChange } from './changesets.presenter.ts';
import { ChangesetsReader } from './changesets.reader.ts';
import { Changesets } from './changesets.ts';
import { EffectiveChanges } from './effective-changes.ts';
import { answerPlan } from './plan-answer.ts';
import { Plans } from './plans.ts';

/** A revision is one of at most twelve digits; 404 for what cannot be one. */
export function revisionIn(text: string): Revision {
  if (!/^\d{1,12}$/.test(text)) throw Failure.notFound('Changeset');
  return Number(text);
}

/** Each operation asks for what it asks alone; to have several needs nothing but membership. */
export const ApplyController = actionController(
  'ApplyController',
  { apply: APPLY_CHANGESET, plan: PLAN_CHANGESET },
  { changesets: Changesets, plans: Plans },
  ({ changesets, plans }) => ({
    apply: {
      command: async ({ call, input }) => plans.command(await changesets.prepare(call, input)),
      answer: ({ call, input }, written: Written<DoneChangeset>) => {
        const body = presentApplied(written, input, call.links);
        if (body.url !== null) call.reply.header('location', body.url);
        return longAnswer(call, written.revision, body);
      },
    },
    plan: async ({ call, input }) => answerPlan(call, await plans.of(await changesets.preparePlan(call, input))),
  }),
);

@Controller('changesets')
export class ChangesetsController {
  constructor(
    private readonly reader: ChangesetsReader,
    private readonly effective: EffectiveChanges,
  ) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call) {
    const query = parseQuery(ChangesetListQuery, call.query);
    const found = await this.reader.page(call.caller, query);
    const body = envelope(call, query, found, (row) => presentChangeset(row, call.links));
    return longAnswer(call, found.revision, body);
  }

  @Get(':revision')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param('revision') text: string) {
    const found = await this.reader.one(call.caller, revisionIn(text));
    return answer(call, found.revision, presentChangeset(found.row, call.links));
  }

  @Get(':revision/effective')
  @Requires('read')
  async effectiveChanges(@CurrentCall() call: Call, @Param('revision') text: string) {
    const query = parseQuery(EffectiveChangeQuery, call.query);
    const at = revisionIn(text);
    const { revision } = await this.reader.one(call.caller, at);
    const changes = await this.effective.of(call.caller, at);
    const { limit, offset } = window(query);
    const page = { revision, count: changes.length, rows: changes.slice(offset, offset + limit) };
    return longAnswer(call, revision, envelope(call, query, page, presentEffectiveChange));
  }
}

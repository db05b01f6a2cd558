import { Controller, Get, Param } from '@nestjs/common';
import { APPLY_CHANGESET, ChangesetListQuery, parseQuery } from '@strata/contract';
import { Failure } from '@strata/domain';
import { Requires } from '../../platform/auth/requires.ts';
import { answer, longAnswer } from '../../platform/http/answer.ts';
import { envelope } from '../../platform/http/page.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { actionController } from '../../platform/http/resource-controller.ts';
import type { Written } from '../../platform/ledger/command.ts';
import { presentApplied, presentChangeset } from './changesets.presenter.ts';
import { ChangesetsReader } from './changesets.reader.ts';
import { Changesets, type DoneChangeset } from './changesets.ts';

/** A revision is one of at most twelve digits. */
const REVISION = /^\d{1,12}$/;

/** Each operation asks for what it asks alone; to have several needs nothing but membership. */
export const ApplyController = actionController(
  'ApplyController',
  { apply: APPLY_CHANGESET },
  { changesets: Changesets },
  ({ changesets }) => ({
    apply: {
      command: ({ call, input }) => changesets.command(call, input),
      answer: ({ call, input }, written: Written<DoneChangeset>) => {
        const body = presentApplied(written, input, call.links);
        if (body.url !== null) call.reply.header('location', body.url);
        return longAnswer(call, written.revision, body);
      },
    },
  }),
);

@Controller('changesets')
export class ChangesetsController {
  constructor(private readonly reader: ChangesetsReader) {}

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
  async retrieve(@CurrentCall() call: Call, @Param('revision') revision: string) {
    if (!REVISION.test(revision)) throw Failure.notFound('Changeset');
    const found = await this.reader.one(call.caller, Number(revision));
    return answer(call, found.revision, presentChangeset(found.row, call.links));
  }
}

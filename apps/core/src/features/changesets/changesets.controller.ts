import { Controller, Get, Param } from '@nestjs/common';
import { ChangesetListQuery, parseQuery } from '@strata/contract';
import { Failure, type Revision } from '@strata/domain';
import { Requires } from '../../platform/auth/requires.ts';
import { presentListPage } from '../../platform/http/page.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { sendJson, sendLongJson } from '../../platform/http/send-json.ts';
import { presentChangeset } from './changesets.presenter.ts';
import { ChangesetsReader } from './changesets.reader.ts';

/** Parses a revision of at most twelve digits. Throws 404 for any other text. */
export function parseRevision(text: string): Revision {
  if (!/^\d{1,12}$/.test(text)) throw Failure.notFound('Changeset');
  return Number(text);
}

@Controller('changesets')
export class ChangesetsController {
  constructor(private readonly reader: ChangesetsReader) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call) {
    const query = parseQuery(ChangesetListQuery, call.query);
    const result = await this.reader.page(call.caller, query);
    const body = presentListPage(call, query, result, (row) => presentChangeset(row, call.links));
    return sendLongJson(call, result.revision, body);
  }

  @Get(':revision')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param('revision') text: string) {
    const result = await this.reader.readOne(call.caller, parseRevision(text));
    return sendJson(call, result.revision, presentChangeset(result.row, call.links));
  }
}

import { Controller, Get, Param } from '@nestjs/common';
import { AuditListQuery, type AuditTrail } from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';
import { pathId } from '../../platform/http/links.ts';
import { parseListQuery, presentListPage } from '../../platform/http/page.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { AuditReader, type AuditRow } from './audit.reader.ts';

@Controller('audit')
export class AuditController {
  constructor(private readonly reader: AuditReader) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call) {
    const query = parseListQuery(AuditListQuery, call);
    const result = await this.reader.page(call.caller, query);
    return sendJson(
      call,
      result.revision,
      presentListPage(call, query, result, (row) => presentRecord(row, call), ['id']),
    );
  }

  @Get('summary')
  @Requires('read')
  async summary(@CurrentCall() call: Call) {
    const { revision, ...summary } = await this.reader.summary(call.caller);
    return sendJson(call, revision, summary);
  }

  @Get(':id')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param('id') id: string) {
    const { revision, row } = await this.reader.readOne(call.caller, pathId('AuditTrail', id));
    return sendJson(call, revision, presentRecord(row, call));
  }
}

function presentRecord({ id, revision, ordinal, user, refusal, ...row }: AuditRow, { links }: Call): AuditTrail {
  const record = { url: links.audit(id), id, ...row, user: { url: links.user(user.id), ...user }, changeset: revision };
  return refusal ? { ...record, refusal } : record;
}

import { Controller, Get, Param } from '@nestjs/common';
import { type ParameterType, ParameterTypeListQuery, parseQuery } from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';
import { answer } from '../../platform/http/answer.ts';
import { type Links, pathId } from '../../platform/http/links.ts';
import { envelope } from '../../platform/http/page.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { type TypeRow, TypesReader } from './types.reader.ts';

@Controller('types')
export class TypesController {
  constructor(private readonly reader: TypesReader) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call) {
    const query = parseQuery(ParameterTypeListQuery, call.query);
    const found = await this.reader.page(call.caller.organizationId, query);
    return answer(
      call,
      found.revision,
      envelope(call, query, found, (row) => presentType(row, call.links)),
    );
  }

  @Get(':id')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param('id') id: string) {
    const { revision, row } = await this.reader.one(call.caller.organizationId, pathId('ParameterType', id));
    return answer(call, revision, presentType(row, call.links));
  }
}

function presentType(row: TypeRow, links: Links): ParameterType {
  return {
    url: links.type(row.id),
    id: row.id,
    ledger_id: row.ledger_id,
    name: row.name,
    description: row.description,
    rules: [],
    parent: row.parent_id === null ? null : links.type(row.parent_id),
    parent_name: row.parent_name,
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}

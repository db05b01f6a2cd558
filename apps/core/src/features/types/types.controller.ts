import { Body, Controller, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import {
  ParameterTypeCreate,
  ParameterTypeListQuery,
  ParameterTypePatch,
  ParameterTypeQuery,
  ParameterTypeUpdate,
  parseBody,
  parseQuery,
} from '@strata/contract';
import type { Uuid } from '@strata/domain';
import { Requires } from '../../platform/auth/requires.ts';
import type { SnapshotReader } from '../../platform/database/snapshot-reader.ts';
import type { PointInTime } from '../../platform/database/versioned-table.ts';
import { answer, created, removed } from '../../platform/http/answer.ts';
import { pathId } from '../../platform/http/links.ts';
import { Moments } from '../../platform/http/moment.ts';
import { envelope, parseListQuery } from '../../platform/http/page.ts';
import { ifMatch } from '../../platform/http/precondition.ts';
import { readBack } from '../../platform/http/read-back.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { presentType } from './present.ts';
import { TypesReader } from './types.reader.ts';
import { TypesService } from './types.service.ts';

@Controller('types')
export class TypesController {
  constructor(
    private readonly reader: TypesReader,
    private readonly types: TypesService,
    private readonly moments: Moments,
  ) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call) {
    const query = parseListQuery(ParameterTypeListQuery, call);
    const { organizationId } = call.caller;
    const found = await this.reader.page(organizationId, query, await this.moments.of(call.caller, query));
    return answer(
      call,
      found.revision,
      envelope(call, query, found, (row) => presentType(row, call.links)),
    );
  }

  @Post()
  @Requires('write_content')
  async create(@CurrentCall() call: Call, @Body() body: unknown) {
    const { result: id, revision } = await this.types.create(call.caller, parseBody(ParameterTypeCreate, body));
    const made = await readBack(revision, this.reading(call, id));
    return created(call, made.revision, presentType(made.row, call.links));
  }

  @Get(':id')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param('id') id: string) {
    const at = await this.moments.of(call.caller, parseQuery(ParameterTypeQuery, call.query));
    const { revision, row } = await this.reading(call, pathId('ParameterType', id))(at);
    return answer(call, revision, presentType(row, call.links));
  }

  @Put(':id')
  @Requires('write_content')
  replace(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, pathId('ParameterType', id), parseBody(ParameterTypeUpdate, body));
  }

  @Patch(':id')
  @Requires('write_content')
  update(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, pathId('ParameterType', id), parseBody(ParameterTypePatch, body));
  }

  @Delete(':id')
  @Requires('write_content')
  async remove(@CurrentCall() call: Call, @Param('id') id: string) {
    const key = pathId('ParameterType', id);
    const { revision } = await this.types.remove(call.caller, key, this.precondition(call, key));
    removed(call, revision);
  }

  private async change(call: Call, id: Uuid, wish: ParameterTypePatch) {
    const { revision } = await this.types.change(call.caller, id, wish, this.precondition(call, id));
    const changed = await readBack(revision, this.reading(call, id));
    return answer(call, changed.revision, presentType(changed.row, call.links));
  }

  private reading({ caller }: Call, id: Uuid) {
    return (at: PointInTime, reader?: SnapshotReader) => this.reader.one(caller.organizationId, id, at, reader);
  }

  private precondition(call: Call, id: Uuid) {
    return ifMatch(call, async (reader) => presentType((await this.reading(call, id)('now', reader)).row, call.links));
  }
}

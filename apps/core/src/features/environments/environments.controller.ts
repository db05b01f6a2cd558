import { Body, Controller, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import {
  type Environment,
  EnvironmentCreate,
  EnvironmentListQuery,
  EnvironmentPatch,
  EnvironmentQuery,
  EnvironmentUpdate,
  parseBody,
  parseQuery,
} from '@strata/contract';
import type { EnvironmentId } from '@strata/domain';
import { Requires } from '../../platform/auth/requires.ts';
import type { SnapshotReader } from '../../platform/database/snapshot-reader.ts';
import type { PointInTime } from '../../platform/database/versioned-table.ts';
import { answer, created, removed } from '../../platform/http/answer.ts';
import { type Links, pathId } from '../../platform/http/links.ts';
import { Moments } from '../../platform/http/moment.ts';
import { envelope, parseListQuery } from '../../platform/http/page.ts';
import { ifMatch } from '../../platform/http/precondition.ts';
import { readBack } from '../../platform/http/read-back.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { type EnvironmentRow, EnvironmentsReader } from './environments.reader.ts';
import { EnvironmentsService } from './environments.service.ts';

@Controller('environments')
export class EnvironmentsController {
  constructor(
    private readonly reader: EnvironmentsReader,
    private readonly environments: EnvironmentsService,
    private readonly moments: Moments,
  ) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call) {
    const query = parseListQuery(EnvironmentListQuery, call);
    const at = await this.moments.of(call.caller, query);
    const found = await this.reader.page(call.caller, query, at);
    const page = envelope(call, query, found, (row) => presentEnvironment(row, call.links));
    return answer(call, found.revision, page);
  }

  @Post()
  @Requires('write_content')
  async create(@CurrentCall() call: Call, @Body() body: unknown) {
    const { result: id, revision } = await this.environments.create(call.caller, parseBody(EnvironmentCreate, body));
    const made = await readBack(revision, this.reading(call, id));
    return created(call, made.revision, presentEnvironment(made.row, call.links));
  }

  @Get(':id')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param('id') id: string) {
    const at = await this.moments.of(call.caller, parseQuery(EnvironmentQuery, call.query));
    const { revision, row } = await this.reading(call, pathId('Environment', id))(at);
    return answer(call, revision, presentEnvironment(row, call.links));
  }

  @Put(':id')
  @Requires('write_content')
  replace(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, pathId('Environment', id), parseBody(EnvironmentUpdate, body));
  }

  @Patch(':id')
  @Requires('write_content')
  update(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, pathId('Environment', id), parseBody(EnvironmentPatch, body));
  }

  @Delete(':id')
  @Requires('write_content')
  async remove(@CurrentCall() call: Call, @Param('id') id: string) {
    const key = pathId('Environment', id);
    const { revision } = await this.environments.remove(call.caller, key, this.precondition(call, key));
    removed(call, revision);
  }

  private async change(call: Call, id: EnvironmentId, wish: EnvironmentPatch) {
    const { revision } = await this.environments.change(call.caller, id, wish, this.precondition(call, id));
    const changed = await readBack(revision, this.reading(call, id));
    return answer(call, changed.revision, presentEnvironment(changed.row, call.links));
  }

  private reading({ caller }: Call, id: EnvironmentId) {
    return (at: PointInTime, reader?: SnapshotReader) => this.reader.one(caller, id, at, reader);
  }

  private precondition(call: Call, id: EnvironmentId) {
    return ifMatch(call, async (reader) =>
      presentEnvironment((await this.reading(call, id)('now', reader)).row, call.links),
    );
  }
}

export function presentEnvironment(row: EnvironmentRow, links: Links): Environment {
  return {
    url: links.environment(row.id),
    id: row.id,
    ledger_id: row.ledger_id,
    name: row.name,
    description: row.description,
    parent: row.parent_id === null ? null : links.environment(row.parent_id),
    children: row.children.map(links.environment),
    access_controlled: row.access_controlled,
    role: row.role,
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}

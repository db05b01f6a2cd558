import { Body, Controller, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import {
  type Project,
  ProjectCreate,
  ProjectListQuery,
  ProjectPatch,
  ProjectQuery,
  ProjectUpdate,
  parseBody,
  parseQuery,
} from '@strata/contract';
import type { ProjectId } from '@strata/domain';
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
import { presentPushesOf } from '../exchanges/present.ts';
import { type ProjectRow, ProjectsReader } from './projects.reader.ts';
import { ProjectsService } from './projects.service.ts';

@Controller('projects')
export class ProjectsController {
  constructor(
    private readonly reader: ProjectsReader,
    private readonly projects: ProjectsService,
    private readonly moments: Moments,
  ) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call) {
    const query = parseListQuery(ProjectListQuery, call);
    const at = await this.moments.of(call.caller, query);
    const found = await this.reader.page(call.caller, query, at);
    const page = envelope(call, query, found, (row) => presentProject(row, call));
    return answer(call, found.revision, page);
  }

  @Post()
  @Requires('write_content')
  async create(@CurrentCall() call: Call, @Body() body: unknown) {
    const { result: id, revision } = await this.projects.create(call.caller, parseBody(ProjectCreate, body));
    const made = await readBack(revision, this.reading(call, id));
    return created(call, made.revision, presentProject(made.row, call));
  }

  @Get(':id')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param('id') id: string) {
    const at = await this.moments.of(call.caller, parseQuery(ProjectQuery, call.query));
    const { revision, row } = await this.reading(call, pathId('Project', id))(at);
    return answer(call, revision, presentProject(row, call));
  }

  @Put(':id')
  @Requires('write_content')
  replace(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, pathId('Project', id), parseBody(ProjectUpdate, body));
  }

  @Patch(':id')
  @Requires('write_content')
  update(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, pathId('Project', id), parseBody(ProjectPatch, body));
  }

  @Delete(':id')
  @Requires('write_content')
  async remove(@CurrentCall() call: Call, @Param('id') id: string) {
    const key = pathId('Project', id);
    const { revision } = await this.projects.remove(call.caller, key, this.precondition(call, key));
    removed(call, revision);
  }

  private async change(call: Call, id: ProjectId, wish: ProjectPatch) {
    const { revision } = await this.projects.change(call.caller, id, wish, this.precondition(call, id));
    const changed = await readBack(revision, this.reading(call, id));
    return answer(call, changed.revision, presentProject(changed.row, call));
  }

  private reading({ caller }: Call, id: ProjectId) {
    return (at: PointInTime, reader?: SnapshotReader) => this.reader.one(caller, id, at, reader);
  }

  private precondition(call: Call, id: ProjectId) {
    return ifMatch(call, async (reader) => presentProject((await this.reading(call, id)('now', reader)).row, call));
  }
}

export function presentProject(row: ProjectRow, call: Call): Project {
  const { links } = call;
  return {
    url: links.project(row.id),
    id: row.id,
    ledger_id: row.ledger_id,
    name: row.name,
    parameter_name_pattern: row.parameter_name_pattern,
    description: row.description,
    dependents: row.dependents.map(links.project),
    depends_on: row.depends_on_id === null ? null : links.project(row.depends_on_id),
    access_controlled: row.access_controlled,
    role: row.role,
    ...presentPushesOf(row.pushes, call),
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}

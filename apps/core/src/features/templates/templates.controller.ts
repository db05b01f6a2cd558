import { Body, Controller, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import {
  parseBody,
  parseQuery,
  TemplateCreate,
  TemplateListQuery,
  TemplatePatch,
  TemplateQuery,
  TemplateUpdate,
} from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';
import type { SnapshotReader } from '../../platform/database/snapshot-reader.ts';
import type { PointInTime } from '../../platform/database/versioned-table.ts';
import { answer, created, removed } from '../../platform/http/answer.ts';
import { pathId } from '../../platform/http/links.ts';
import { envelope, parseListQuery } from '../../platform/http/page.ts';
import { ifMatch } from '../../platform/http/precondition.ts';
import { readBack } from '../../platform/http/read-back.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { presentTemplate } from './templates.presenter.ts';
import { type TemplateKey, TemplatesReader } from './templates.reader.ts';
import { type TemplatePlace, TemplatesService } from './templates.service.ts';

interface Path {
  readonly project: string;
  readonly id: string;
}

@Controller('projects/:project/templates')
export class TemplatesController {
  constructor(
    private readonly reader: TemplatesReader,
    private readonly templates: TemplatesService,
  ) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call, @Param('project') project: string) {
    const query = parseListQuery(TemplateListQuery, call);
    const found = await this.reader.page(keyOf(call, project), query);
    const page = envelope(call, query, found, (row) => presentTemplate(row, call.links, query.mask_secrets), [
      'row.name',
      'row.id',
    ]);
    return answer(call, found.revision, page);
  }

  @Post()
  @Requires('write_content')
  async create(@CurrentCall() call: Call, @Param('project') project: string, @Body() body: unknown) {
    const { projectId } = keyOf(call, project);
    const { result: id, revision } = await this.templates.create(
      call.caller,
      projectId,
      parseBody(TemplateCreate, body),
    );
    const made = await readBack(revision, this.reading(call, { projectId, id }));
    return created(call, made.revision, presentTemplate(made, call.links, false));
  }

  @Get(':id')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param() path: Path) {
    const query = parseQuery(TemplateQuery, call.query);
    const found = await this.reader.one(keyOf(call, path.project), pathId('Template', path.id), query);
    return answer(call, found.revision, presentTemplate(found, call.links, query.mask_secrets));
  }

  @Put(':id')
  @Requires('write_content')
  replace(@CurrentCall() call: Call, @Param() path: Path, @Body() body: unknown) {
    return this.change(call, placeOf(path), parseBody(TemplateUpdate, body));
  }

  @Patch(':id')
  @Requires('write_content')
  update(@CurrentCall() call: Call, @Param() path: Path, @Body() body: unknown) {
    return this.change(call, placeOf(path), parseBody(TemplatePatch, body));
  }

  @Delete(':id')
  @Requires('write_content')
  async remove(@CurrentCall() call: Call, @Param() path: Path) {
    const place = placeOf(path);
    const { revision } = await this.templates.remove(call.caller, place, this.precondition(call, place));
    removed(call, revision);
  }

  private async change(call: Call, place: TemplatePlace, wish: TemplatePatch) {
    const { revision } = await this.templates.change(call.caller, place, wish, this.precondition(call, place));
    const changed = await readBack(revision, this.reading(call, place));
    return answer(call, changed.revision, presentTemplate(changed, call.links, false));
  }

  /** The template as it is stored. */
  private reading(call: Call, { projectId, id }: TemplatePlace) {
    const query = parseQuery(TemplateQuery, {});
    return (at: PointInTime, reader?: SnapshotReader) => this.reader.one(keyOf(call, projectId), id, query, at, reader);
  }

  /** The entity tag that counts is the one GET gave for the same query. */
  private precondition(call: Call, { projectId, id }: TemplatePlace) {
    const query = parseQuery(TemplateQuery, call.query);
    return ifMatch(call, async (reader) =>
      presentTemplate(
        await this.reader.one(keyOf(call, projectId), id, query, 'now', reader),
        call.links,
        query.mask_secrets,
      ),
    );
  }
}

export function keyOf({ caller }: Call, project: string): TemplateKey {
  const { organizationId } = caller;
  return { organizationId, standing: caller, projectId: pathId('Project', project) };
}

function placeOf({ project, id }: Path): TemplatePlace {
  return { projectId: pathId('Project', project), id: pathId('Template', id) };
}

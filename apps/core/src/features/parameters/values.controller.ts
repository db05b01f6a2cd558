import { Body, Controller, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import {
  parseBody,
  parseQuery,
  ValueCreate,
  ValueListQuery,
  ValuePatch,
  ValueQuery,
  ValueUpdate,
} from '@strata/contract';
import type { ValueId } from '@strata/domain';
import { Requires } from '../../platform/auth/requires.ts';
import type { SnapshotReader } from '../../platform/database/snapshot-reader.ts';
import type { PointInTime } from '../../platform/database/versioned-table.ts';
import { answer, created, removed } from '../../platform/http/answer.ts';
import { pathId } from '../../platform/http/links.ts';
import { envelope } from '../../platform/http/page.ts';
import { ifMatch } from '../../platform/http/precondition.ts';
import { readBack } from '../../platform/http/read-back.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import type { ParameterKey } from './parameters.reader.ts';
import { ValuesReader } from './values.reader.ts';
import { ValuesService } from './values.service.ts';

interface Path {
  readonly project: string;
  readonly parameter: string;
  readonly id: string;
}

@Controller('projects/:project/parameters/:parameter/values')
export class ValuesController {
  constructor(
    private readonly reader: ValuesReader,
    private readonly values: ValuesService,
  ) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call, @Param() path: Path) {
    const query = parseQuery(ValueListQuery, call.query);
    const found = await this.reader.page(keyOf(call, path), query, call.links);
    return answer(
      call,
      found.revision,
      envelope(call, query, found, (value) => value),
    );
  }

  @Post()
  @Requires('write_content')
  async create(@CurrentCall() call: Call, @Param() path: Path, @Body() body: unknown) {
    const key = keyOf(call, path);
    const { result: id, revision } = await this.values.create(call.caller, key, parseBody(ValueCreate, body));
    const made = await readBack(revision, this.reading(call, key, id));
    return created(call, made.revision, made.value);
  }

  @Get(':id')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param() path: Path) {
    const query = parseQuery(ValueQuery, call.query);
    const found = await this.reader.one(keyOf(call, path), pathId('Value', path.id), query, call.links);
    return answer(call, found.revision, found.value);
  }

  @Put(':id')
  @Requires('write_content')
  replace(@CurrentCall() call: Call, @Param() path: Path, @Body() body: unknown) {
    return this.change(call, path, parseBody(ValueUpdate, body));
  }

  @Patch(':id')
  @Requires('write_content')
  update(@CurrentCall() call: Call, @Param() path: Path, @Body() body: unknown) {
    return this.change(call, path, parseBody(ValuePatch, body));
  }

  @Delete(':id')
  @Requires('write_content')
  async remove(@CurrentCall() call: Call, @Param() path: Path) {
    const key = keyOf(call, path);
    const id = pathId('Value', path.id);
    const { revision } = await this.values.remove(call.caller, key, id, this.precondition(call, key, id));
    removed(call, revision);
  }

  private async change(call: Call, path: Path, wish: ValuePatch) {
    const key = keyOf(call, path);
    const id = pathId('Value', path.id);
    const query = parseQuery(ValueQuery, call.query);
    const { result, revision } = await this.values.change(call.caller, key, id, wish, this.precondition(call, key, id));
    const changed =
      (result && (await this.reader.ofCell(result, { query, links: call.links }))) ??
      (await readBack(revision, this.reading(call, key, id)));
    return answer({ ...call, headers: {} }, changed.revision, changed.value);
  }

  private reading(call: Call, key: ParameterKey, id: ValueId) {
    const query = parseQuery(ValueQuery, call.query);
    return (at: PointInTime, reader?: SnapshotReader) => this.reader.one(key, id, query, call.links, at, reader);
  }

  private precondition(call: Call, key: ParameterKey, id: ValueId) {
    const read = this.reading(call, key, id);
    return ifMatch(call, async (reader) => (await read('now', reader)).value);
  }
}

function keyOf({ caller }: Call, { project, parameter }: Path): ParameterKey {
  return {
    organizationId: caller.organizationId,
    standing: caller,
    projectId: pathId('Project', project),
    id: pathId('Parameter', parameter),
  };
}

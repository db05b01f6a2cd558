import { Body, Controller, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import { parseBody, type Tag, TagCreate, TagListQuery, TagPatch, TagUpdate } from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';
import { answer, removed } from '../../platform/http/answer.ts';
import { etagOf, sendTagged } from '../../platform/http/conditional.ts';
import { pathId } from '../../platform/http/links.ts';
import { envelope, parseListQuery } from '../../platform/http/page.ts';
import { ifMatch } from '../../platform/http/precondition.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { presentPushesOf } from '../exchanges/present.ts';
import { type TagKey, type TagRow, TagsReader } from './tags.reader.ts';
import { TagsService } from './tags.service.ts';

@Controller('environments/:environment/tags')
export class TagsController {
  constructor(
    private readonly reader: TagsReader,
    private readonly tags: TagsService,
  ) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call, @Param('environment') environment: string) {
    const query = parseListQuery(TagListQuery, call);
    const found = await this.reader.page(call.caller.organizationId, pathId('Environment', environment), query);
    return answer(
      call,
      found.revision,
      envelope(call, query, found, (row) => presentTag(row, call)),
    );
  }

  @Post()
  @Requires('write_content')
  async create(@CurrentCall() call: Call, @Param('environment') environment: string, @Body() body: unknown) {
    const environmentId = pathId('Environment', environment);
    const { result, revision } = await this.tags.create(call.caller, environmentId, parseBody(TagCreate, body));
    const tag = presentTag(result, call);
    call.reply.status(201).header('location', tag.url);
    return show(call, revision, tag);
  }

  @Get(':id')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param('environment') environment: string, @Param('id') id: string) {
    const { revision, row } = await this.reader.one(keyOf(call, environment, id));
    return show(call, revision, presentTag(row, call));
  }

  @Put(':id')
  @Requires('write_content')
  replace(
    @CurrentCall() call: Call,
    @Param('environment') environment: string,
    @Param('id') id: string,
    @Body() body: unknown,
  ) {
    return this.change(call, keyOf(call, environment, id), parseBody(TagUpdate, body));
  }

  @Patch(':id')
  @Requires('write_content')
  update(
    @CurrentCall() call: Call,
    @Param('environment') environment: string,
    @Param('id') id: string,
    @Body() body: unknown,
  ) {
    return this.change(call, keyOf(call, environment, id), parseBody(TagPatch, body));
  }

  @Delete(':id')
  @Requires('write_content')
  async remove(@CurrentCall() call: Call, @Param('environment') environment: string, @Param('id') id: string) {
    const key = keyOf(call, environment, id);
    const { revision } = await this.tags.remove(call.caller, key, this.precondition(call, key));
    removed(call, revision);
  }

  private async change(call: Call, key: TagKey, wish: TagPatch) {
    const { result, revision } = await this.tags.change(call.caller, key, wish, this.precondition(call, key));
    // pushes are triggered by the change, so what they do shows only after it
    const pushes = result.pushes.length === 0 ? [] : await this.reader.pushes(key);
    return show(call, revision, presentTag({ ...result, pushes }, call));
  }

  private precondition(call: Call, key: TagKey) {
    return ifMatch(call, async (reader) => ownPart(presentTag((await this.reader.one(key, reader)).row, call)));
  }
}

function keyOf({ caller }: Call, environment: string, id: string): TagKey {
  return {
    organizationId: caller.organizationId,
    environmentId: pathId('Environment', environment),
    id: pathId('Tag', id),
  };
}

/** What the tag itself is: that somebody reads through it must not make who changes it start again. */
function ownPart(tag: Tag) {
  return { ...tag, usage: null };
}

function show(call: Call, revision: number, tag: Tag): string | undefined {
  call.reply.header('x-revision', String(revision));
  return sendTagged(call, JSON.stringify(tag), etagOf(JSON.stringify(ownPart(tag))));
}

function presentTag(row: TagRow, call: Call): Tag {
  const { id, environment_id: environmentId, name, description, timestamp, immutable } = row;
  return {
    url: call.links.tag(environmentId, id),
    id,
    name,
    description,
    timestamp,
    immutable,
    ...presentPushesOf(row.pushes, call),
    usage: { last_read: row.last_read, last_read_by: row.last_read_by, total_reads: row.total_reads },
  };
}

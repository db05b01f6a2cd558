import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import {
  type Group,
  GroupCreate,
  GroupListQuery,
  GroupMemberQuery,
  GroupPatch,
  GroupUpdate,
  parseBody,
  parseQuery,
} from '@strata/contract';
import { Failure } from '@strata/domain';
import { Requires } from '../../platform/auth/requires.ts';
import type { Written } from '../../platform/database/work.ts';
import { answer, created, removed } from '../../platform/http/answer.ts';
import { type Links, pathId } from '../../platform/http/links.ts';
import { envelope, parseListQuery } from '../../platform/http/page.ts';
import { ifMatch } from '../../platform/http/precondition.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { type GroupRow, GroupsReader } from './groups.reader.ts';
import { GroupsService } from './groups.service.ts';

@Controller('groups')
export class GroupsController {
  constructor(
    private readonly reader: GroupsReader,
    private readonly groups: GroupsService,
  ) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call) {
    const query = parseListQuery(GroupListQuery, call);
    const found = await this.reader.page(call.caller.organizationId, query);
    const page = envelope(call, query, found, (row) => present(row, call.links));
    return answer(call, found.revision, page);
  }

  @Post()
  @Requires('manage_groups')
  async create(@CurrentCall() call: Call, @Body() body: unknown) {
    const { result, revision } = await this.groups.create(call.caller, parseBody(GroupCreate, body));
    return created(call, revision, present(result, call.links));
  }

  @Get(':id')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param('id') id: string) {
    const { revision, row } = await this.reader.one(call.caller.organizationId, pathId('Group', id));
    return answer(call, revision, present(row, call.links));
  }

  @Put(':id')
  @Requires('manage_groups')
  replace(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, pathId('Group', id), parseBody(GroupUpdate, body));
  }

  @Patch(':id')
  @Requires('manage_groups')
  update(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, pathId('Group', id), parseBody(GroupPatch, body));
  }

  /** Clients send a whole group along; only the user of the query counts. */
  @Post(':id/add')
  @HttpCode(200)
  @Requires('manage_groups')
  async add(@CurrentCall() call: Call, @Param('id') id: string) {
    return shown(call, await this.groups.add(call.caller, pathId('Group', id), userOf(call)));
  }

  @Post(':id/remove')
  @HttpCode(200)
  @Requires('manage_groups')
  async takeOut(@CurrentCall() call: Call, @Param('id') id: string) {
    return shown(call, await this.groups.remove(call.caller, pathId('Group', id), userOf(call)));
  }

  @Delete(':id')
  @Requires('manage_groups')
  async remove(@CurrentCall() call: Call, @Param('id') id: string) {
    const key = pathId('Group', id);
    const { revision } = await this.groups.delete(call.caller, key, this.precondition(call, key));
    removed(call, revision);
  }

  private async change(call: Call, id: string, wish: GroupPatch) {
    return shown(call, await this.groups.change(call.caller, id, wish, this.precondition(call, id)));
  }

  private precondition(call: Call, id: string) {
    return ifMatch(call, async (reader) =>
      present((await this.reader.one(call.caller.organizationId, id, reader)).row, call.links),
    );
  }
}

function userOf(call: Call): string {
  const { user } = parseQuery(GroupMemberQuery, call.query);
  if (user === undefined) throw Failure.field('required', 'user', 'Give the link or id of a user.');
  return user;
}

function shown(call: Call, { result, revision }: Written<GroupRow>) {
  return answer(call, revision, present(result, call.links));
}

function present(row: GroupRow, links: Links): Group {
  return {
    url: links.group(row.id),
    id: row.id,
    name: row.name,
    description: row.description,
    users: row.users.map(links.user),
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}

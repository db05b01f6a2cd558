import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import {
  type Grant,
  GrantCreate,
  GrantListQuery,
  GrantMultiQuery,
  GrantPatch,
  GrantUpdate,
  parseBody,
  parseQuery,
} from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';
import { answer, created, removed } from '../../platform/http/answer.ts';
import { type Links, pathId } from '../../platform/http/links.ts';
import { envelope, parseListQuery } from '../../platform/http/page.ts';
import { ifMatch } from '../../platform/http/precondition.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { type GrantRow, GrantsReader } from './grants.reader.ts';
import { GrantsService } from './grants.service.ts';

/** Who may give on a scope shows only when the scope is known, so the routes ask for membership and the service for more. */
@Controller('grants')
export class GrantsController {
  constructor(
    private readonly reader: GrantsReader,
    private readonly grants: GrantsService,
  ) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call) {
    const query = parseListQuery(GrantListQuery, call);
    const found = await this.reader.page(call.caller, query);
    const page = envelope(call, query, found, (row) => present(row, call.links), ['principal_name', 'id']);
    return answer(call, found.revision, page);
  }

  @Post()
  @Requires('read')
  async create(@CurrentCall() call: Call, @Body() body: unknown) {
    const { result, revision } = await this.grants.create(call.caller, parseBody(GrantCreate, body));
    return created(call, revision, present(result, call.links));
  }

  @Delete('multi')
  @HttpCode(200)
  @Requires('read')
  async removeMatching(@CurrentCall() call: Call) {
    const query = parseQuery(GrantMultiQuery, call.query);
    const { result, revision } = await this.grants.removeMatching(call.caller, query);
    return answer(call, revision, result && present(result, call.links));
  }

  @Get(':id')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param('id') id: string) {
    const { revision, row } = await this.reader.one(call.caller, pathId('Grant', id));
    return answer(call, revision, present(row, call.links));
  }

  @Put(':id')
  @Requires('read')
  replace(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, pathId('Grant', id), parseBody(GrantUpdate, body));
  }

  @Patch(':id')
  @Requires('read')
  update(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, pathId('Grant', id), parseBody(GrantPatch, body));
  }

  @Delete(':id')
  @Requires('read')
  async remove(@CurrentCall() call: Call, @Param('id') id: string) {
    const key = pathId('Grant', id);
    const { revision } = await this.grants.remove(call.caller, key, this.precondition(call, key));
    removed(call, revision);
  }

  private async change(call: Call, id: string, wish: GrantPatch) {
    const { revision, result } = await this.grants.change(call.caller, id, wish, this.precondition(call, id));
    return answer(call, revision, present(result, call.links));
  }

  private precondition(call: Call, id: string) {
    return ifMatch(call, async (reader) => present((await this.reader.one(call.caller, id, reader)).row, call.links));
  }
}

function present(row: GrantRow, links: Links): Grant {
  return {
    url: links.grant(row.id),
    id: row.id,
    principal: row.person_id === null ? links.group(row.group_id ?? '') : links.user(row.person_id),
    scope: row.project_id === null ? links.environment(row.environment_id ?? '') : links.project(row.project_id),
    role: row.role,
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}

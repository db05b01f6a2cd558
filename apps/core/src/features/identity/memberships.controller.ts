import { Body, Controller, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import {
  type Membership,
  MembershipCreate,
  MembershipListQuery,
  MembershipPatch,
  MembershipUpdate,
  parseBody,
} from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';
import { answer, created, removed } from '../../platform/http/answer.ts';
import { pathId } from '../../platform/http/links.ts';
import { envelope, parseListQuery } from '../../platform/http/page.ts';
import { ifMatch } from '../../platform/http/precondition.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { type MembershipRow, MembershipsReader } from './memberships.reader.ts';
import { MembershipsService } from './memberships.service.ts';

@Controller('memberships')
export class MembershipsController {
  constructor(
    private readonly reader: MembershipsReader,
    private readonly memberships: MembershipsService,
  ) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call) {
    const query = parseListQuery(MembershipListQuery, call);
    const found = await this.reader.page(call.caller.organizationId, query);
    const page = envelope(call, query, found, (row) => present(row, call), ['person_name', 'id']);
    return answer(call, found.revision, page);
  }

  @Post()
  @Requires('change_membership')
  async create(@CurrentCall() call: Call, @Body() body: unknown) {
    const { result, revision } = await this.memberships.create(call.caller, parseBody(MembershipCreate, body));
    return created(call, revision, present(result, call));
  }

  @Get(':id')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param('id') id: string) {
    const { revision, row } = await this.reader.one(call.caller.organizationId, pathId('Membership', id));
    return answer(call, revision, present(row, call));
  }

  @Put(':id')
  @Requires('change_membership')
  replace(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, pathId('Membership', id), parseBody(MembershipUpdate, body));
  }

  @Patch(':id')
  @Requires('change_membership')
  update(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, pathId('Membership', id), parseBody(MembershipPatch, body));
  }

  // one's own needs no ability; the service asks for it when it is somebody else's
  @Delete(':id')
  @Requires('read')
  async remove(@CurrentCall() call: Call, @Param('id') id: string) {
    const key = pathId('Membership', id);
    const { revision } = await this.memberships.remove(call.caller, key, this.precondition(call, key));
    removed(call, revision);
  }

  private async change(call: Call, id: string, wish: MembershipPatch) {
    const { revision, result } = await this.memberships.change(call.caller, id, wish, this.precondition(call, id));
    return answer(call, revision, present(result, call));
  }

  private precondition(call: Call, id: string) {
    return ifMatch(call, async (reader) =>
      present((await this.reader.one(call.caller.organizationId, id, reader)).row, call),
    );
  }
}

function present(row: MembershipRow, { links, caller }: Call): Membership {
  return {
    url: links.membership(row.id),
    id: row.id,
    user: links.user(row.person_id),
    organization: links.organization(caller.organizationId),
    role: row.role,
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}

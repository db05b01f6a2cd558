import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Req, Res } from '@nestjs/common';
import {
  type Invitation,
  InvitationAccept,
  InvitationCreate,
  type InvitationCreated,
  InvitationListQuery,
  InvitationPatch,
  InvitationUpdate,
  parseBody,
} from '@strata/contract';
import { Failure } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import { Requires } from '../../platform/auth/requires.ts';
import { answer, created, removed } from '../../platform/http/answer.ts';
import { Links, pathId } from '../../platform/http/links.ts';
import { envelope, parseListQuery } from '../../platform/http/page.ts';
import { ifMatch } from '../../platform/http/precondition.ts';
import { type Call, CurrentCall, originOf, type StrataRequest } from '../../platform/http/request.ts';
import { Acceptance } from './acceptance.service.ts';
import { type InvitationRow, InvitationsReader } from './invitations.reader.ts';
import { InvitationsService, type WithToken } from './invitations.service.ts';

@Controller('invitations')
export class InvitationsController {
  constructor(
    private readonly reader: InvitationsReader,
    private readonly invitations: InvitationsService,
    private readonly acceptance: Acceptance,
  ) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call) {
    const query = parseListQuery(InvitationListQuery, call);
    const found = await this.reader.page(call.caller.organizationId, query);
    const page = envelope(call, query, found, (row) => present(row, call.links), ['email', 'id']);
    return answer(call, found.revision, page);
  }

  @Post()
  @Requires('invite')
  async create(@CurrentCall() call: Call, @Body() body: unknown) {
    const { result, revision } = await this.invitations.create(call.caller, parseBody(InvitationCreate, body));
    call.reply.header('cache-control', 'no-store');
    return created(call, revision, withToken(result, call.links));
  }

  @Get(':id')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param('id') id: string) {
    const { revision, row } = await this.reader.one(call.caller.organizationId, pathId('Invitation', id));
    return answer(call, revision, present(row, call.links));
  }

  @Put(':id')
  @Requires('invite')
  replace(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, pathId('Invitation', id), parseBody(InvitationUpdate, body));
  }

  @Patch(':id')
  @Requires('invite')
  update(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, pathId('Invitation', id), parseBody(InvitationPatch, body));
  }

  @Post(':id/resend')
  @HttpCode(200)
  @Requires('invite')
  async resend(@CurrentCall() call: Call, @Param('id') id: string) {
    const { result, revision } = await this.invitations.resend(call.caller, pathId('Invitation', id));
    call.reply.header('cache-control', 'no-store');
    return answer(call, revision, withToken(result, call.links));
  }

  /** The invited person may be in another organization or have no account at all; the service asks what it takes. */
  @Post(':id/accept')
  @HttpCode(200)
  @Requires('nothing_or_credential')
  async accept(
    @Req() request: StrataRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<Invitation> {
    const wish = parseBody(InvitationAccept, body ?? {});
    const { user, newcomer } = request;
    if (!user && !newcomer && !wish.token) {
      throw new Failure('unauthenticated', 'unauthenticated', 'Sign in, or send the token of the invitation.');
    }
    const key = pathId('Invitation', id);
    const door = { requestId: request.id, surface: 'rest' };
    const { result, revision } = await (user
      ? this.acceptance.byMember(user, key, wish)
      : newcomer
        ? this.acceptance.byNewcomer(door, key, newcomer)
        : this.acceptance.byStranger(door, key, wish));
    reply.headers({ 'x-revision': String(revision), 'cache-control': 'no-store' });
    return present(result, new Links(originOf(request)));
  }

  @Delete(':id')
  @Requires('invite')
  async remove(@CurrentCall() call: Call, @Param('id') id: string) {
    const key = pathId('Invitation', id);
    const { revision } = await this.invitations.remove(call.caller, key, this.precondition(call, key));
    removed(call, revision);
  }

  private async change(call: Call, id: string, wish: InvitationPatch) {
    const { revision, result } = await this.invitations.change(call.caller, id, wish, this.precondition(call, id));
    return answer(call, revision, present(result, call.links));
  }

  private precondition(call: Call, id: string) {
    return ifMatch(call, async (reader) =>
      present((await this.reader.one(call.caller.organizationId, id, reader)).row, call.links),
    );
  }
}

function withToken({ row, token }: WithToken, links: Links): InvitationCreated {
  return { ...present(row, links), token };
}

function present(row: InvitationRow, links: Links): Invitation {
  return {
    url: links.invitation(row.id),
    id: row.id,
    email: row.email,
    role: row.role,
    inviter: links.user(row.inviter_id),
    inviter_name: row.inviter_name,
    state: row.state,
    state_detail: row.state_detail,
    membership: row.membership_id === null ? null : links.membership(row.membership_id),
    organization: links.organization(row.organization_id),
  };
}

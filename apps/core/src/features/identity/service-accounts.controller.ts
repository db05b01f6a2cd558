import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import {
  parseBody,
  type ServiceAccount,
  ServiceAccountCreate,
  type ServiceAccountCreated,
  ServiceAccountListQuery,
  ServiceAccountRekey,
  ServiceAccountUpdate,
} from '@strata/contract';
import type { UserId } from '@strata/domain';
import { Requires } from '../../platform/auth/requires.ts';
import { answer, created, removed } from '../../platform/http/answer.ts';
import type { Links } from '../../platform/http/links.ts';
import { envelope, parseListQuery } from '../../platform/http/page.ts';
import { ifMatch } from '../../platform/http/precondition.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { personId, presentUser } from './people.ts';
import { type ServiceAccountRow, ServiceAccountsReader } from './service-accounts.reader.ts';
import { ServiceAccountsService, type WithKey } from './service-accounts.service.ts';

@Controller('serviceaccounts')
export class ServiceAccountsController {
  constructor(
    private readonly reader: ServiceAccountsReader,
    private readonly accounts: ServiceAccountsService,
  ) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call) {
    const query = parseListQuery(ServiceAccountListQuery, call);
    const found = await this.reader.page(call.caller.organizationId, query);
    const page = envelope(call, query, found, (row) => present(row, call.links), ['user.name', 'id']);
    return answer(call, found.revision, page);
  }

  @Post()
  @Requires('create_service_account')
  async create(@CurrentCall() call: Call, @Body() body: unknown) {
    const { result, revision } = await this.accounts.create(call.caller, parseBody(ServiceAccountCreate, body));
    call.reply.header('cache-control', 'no-store');
    return created(call, revision, withKey(result, call.links));
  }

  @Get(':id')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param('id') id: string) {
    const { revision, row } = await this.reader.one(call.caller.organizationId, personId('ServiceAccount', id));
    return answer(call, revision, present(row, call.links));
  }

  // those who may create accounts may change their own; the service asks more for others'
  @Put(':id')
  @Requires('create_service_account')
  replace(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, personId('ServiceAccount', id), parseBody(ServiceAccountUpdate, body));
  }

  @Patch(':id')
  @Requires('create_service_account')
  update(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, personId('ServiceAccount', id), parseBody(ServiceAccountUpdate, body));
  }

  @Post(':id/rekey')
  @HttpCode(200)
  @Requires('create_service_account')
  async rekey(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    const key = personId('ServiceAccount', id);
    const { result, revision } = await this.accounts.rekey(call.caller, key, parseBody(ServiceAccountRekey, body));
    call.reply.header('cache-control', 'no-store');
    return answer(call, revision, withKey(result, call.links));
  }

  @Delete(':id')
  @Requires('create_service_account')
  async remove(@CurrentCall() call: Call, @Param('id') id: string) {
    const key = personId('ServiceAccount', id);
    const { revision } = await this.accounts.remove(call.caller, key, this.precondition(call, key));
    removed(call, revision);
  }

  private async change(call: Call, id: UserId, wish: ServiceAccountUpdate) {
    const { revision, result } = await this.accounts.change(call.caller, id, wish, this.precondition(call, id));
    return answer(call, revision, present(result, call.links));
  }

  private precondition(call: Call, id: UserId) {
    return ifMatch(call, async (reader) =>
      present((await this.reader.one(call.caller.organizationId, id, reader)).row, call.links),
    );
  }
}

function withKey({ row, apikey }: WithKey, links: Links): ServiceAccountCreated {
  return { ...present(row, links), apikey };
}

function present(row: ServiceAccountRow, links: Links): ServiceAccount {
  return {
    url: links.serviceAccount(row.id),
    id: row.id,
    owner: row.owner !== null && row.owner_is_member ? links.user(row.owner) : row.owner,
    user: presentUser(row.user, links),
    role: row.user.role,
    description: row.description,
    created_at: row.created_at,
    modified_at: row.modified_at,
    last_used_at: row.last_used_at,
    keys: [...row.keys],
  };
}

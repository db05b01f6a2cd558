import { Body, Controller, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import {
  type Organization,
  OrganizationCreate,
  OrganizationListQuery,
  OrganizationPatch,
  OrganizationUpdate,
  parseBody,
} from '@strata/contract';
import type { OrganizationId } from '@strata/domain';
import { Requires } from '../../platform/auth/requires.ts';
import { answer, created, removed } from '../../platform/http/answer.ts';
import { pathId } from '../../platform/http/links.ts';
import { envelope, parseListQuery } from '../../platform/http/page.ts';
import { ifMatch } from '../../platform/http/precondition.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { type OrganizationRow, OrganizationsReader } from './organizations.reader.ts';
import { OrganizationsService } from './organizations.service.ts';

@Controller('organizations')
export class OrganizationsController {
  constructor(
    private readonly reader: OrganizationsReader,
    private readonly organizations: OrganizationsService,
  ) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call) {
    const query = parseListQuery(OrganizationListQuery, call);
    const found = await this.reader.page(call.caller, query);
    return answer(
      call,
      found.revision,
      envelope(call, query, found, (row) => present(row, call)),
    );
  }

  @Post()
  @Requires('read')
  async create(@CurrentCall() call: Call, @Body() body: unknown) {
    const id = await this.organizations.create(call.caller, parseBody(OrganizationCreate, body));
    const { revision, row } = await this.reader.one(call.caller, id);
    return created(call, revision, present(row, call));
  }

  @Get(':id')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param('id') id: string) {
    const { revision, row } = await this.reader.one(call.caller, pathId('Organization', id));
    return answer(call, revision, present(row, call));
  }

  // what somebody may do in another of their organizations does not depend on their role in this one
  @Put(':id')
  @Requires('read')
  replace(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, pathId('Organization', id), parseBody(OrganizationUpdate, body));
  }

  @Patch(':id')
  @Requires('read')
  update(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, pathId('Organization', id), parseBody(OrganizationPatch, body));
  }

  @Delete(':id')
  @Requires('read')
  async remove(@CurrentCall() call: Call, @Param('id') id: string) {
    const key = pathId('Organization', id);
    const { revision } = await this.organizations.remove(call.caller, key, this.precondition(call, key));
    removed(call, revision);
  }

  private precondition(call: Call, id: OrganizationId) {
    return ifMatch(call, async (reader) => present((await this.reader.one(call.caller, id, reader)).row, call));
  }

  private async change(call: Call, id: OrganizationId, wish: OrganizationPatch) {
    const { revision, result } = await this.organizations.change(call.caller, id, wish, this.precondition(call, id));
    return answer(call, revision, present(result, call));
  }
}

/** Self-hosted: there is nothing to subscribe to (behaviour.md §11.6). */
function present(row: OrganizationRow, { links, caller }: Call): Organization {
  return {
    url: links.organization(row.id),
    id: row.id,
    name: row.name,
    project_name_pattern: row.project_name_pattern,
    maintenance: row.maintenance,
    mfa_enabled: false,
    notification_config: row.notification_config,
    version: 3,
    current: row.id === caller.organizationId,
    role: row.role,
    subscription_expires_at: null,
    subscription_features: [],
    subscription_id: null,
    subscription_plan_id: null,
    subscription_plan_name: null,
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}

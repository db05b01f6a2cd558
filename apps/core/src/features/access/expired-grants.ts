import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { TEMPORARY_ACCESS_LIMITS } from '@strata/contract';
import type { OrganizationId } from '@strata/domain';
import { DataSource } from 'typeorm';
import type { Command } from '../../platform/ledger/command.ts';
import { UnitOfWork } from '../../platform/ledger/unit-of-work.ts';
import { createSystemCaller } from '../../platform/system-caller.ts';
import { recordRequest } from './access-request-changes.ts';
import { recordGrant } from './grant-changes.ts';

const RUN_INTERVAL_MS = 15_000;
/** The number of organizations per run, and of grants in one write. Later runs remove the others. */
const ORGANIZATIONS_MAX = 100;
const GRANTS_MAX = 200;

const EXPIRED = `
select distinct temporary_grant.organization_id as id from temporary_grant
  join organization on organization.id = temporary_grant.organization_id and not maintenance and deleted_at is null
 where temporary_grant.expires_at <= clock_timestamp() limit ${ORGANIZATIONS_MAX}`;

interface ExpiredRow {
  readonly id: string;
  readonly reveals: boolean;
  readonly request_id: string | null;
  readonly principal_name: string;
  readonly project_id: string | null;
  readonly environment_id: string | null;
  readonly scope_name: string;
}

const DELETE = `
with expired as (
  delete from temporary_grant where organization_id = $1 and id in (
    select id from temporary_grant where organization_id = $1 and expires_at <= clock_timestamp() order by expires_at, id limit ${GRANTS_MAX})
  returning *)
select expired.id, expired.reveals, access_request.id as request_id, coalesce(member_group.name, person.name, person.email, person.id) as principal_name,
       expired.project_id, expired.environment_id, coalesce(project.name, environment.name) as scope_name
  from expired
  left join access_request on access_request.organization_id = $1 and access_request.grant_id = expired.id
  left join membership on membership.organization_id = $1 and membership.id = expired.membership_id
  left join person on person.id = membership.person_id
  left join member_group on member_group.organization_id = $1 and member_group.id = expired.group_id
  left join project on project.organization_id = $1 and project.id = expired.project_id
  left join environment on environment.organization_id = $1 and environment.id = expired.environment_id
 order by expired.expires_at, expired.id`;

const DELETE_OLD_REQUESTS = `
delete from access_request using organization
 where access_request.organization_id = organization.id
   and access_request.modified_at < clock_timestamp() - interval '${TEMPORARY_ACCESS_LIMITS.retentionDays} days'
   and (expires_at is null or expires_at < clock_timestamp() - interval '${TEMPORARY_ACCESS_LIMITS.retentionDays} days')`;

/**
 * Removes grants that have expired, so that the history and events report the end of each. The access has ended before,
 * at the time of the grant.
 */
@Injectable()
export class ExpiredGrants implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('expired-grants');
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly dataSource: DataSource,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.run().catch((error: unknown) => {
        this.logger.warn(`could not look: ${(error as { code?: string }).code ?? 'no code'}`);
      });
    }, RUN_INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.running;
  }

  /** Several processes may run it at the same time: the write finds only what no other process has removed. */
  async run(): Promise<void> {
    await this.dataSource.query(DELETE_OLD_REQUESTS);
    for (const { id } of await this.dataSource.query<{ id: OrganizationId }[]>(EXPIRED)) {
      // An error in one organization must not prevent the others from being handled.
      await this.unitOfWork.run(removal(id)).catch((error: unknown) => {
        this.logger.warn(`could not remove in ${id}: ${(error as { code?: string }).code ?? 'no code'}`);
      });
    }
  }
}

const removal = (organizationId: OrganizationId): Command<void> => ({
  operation: 'grant_expiry',
  caller: createSystemCaller(organizationId, { id: 'grant-expiry', name: 'Grant expiry' }),
  run: async (context) => {
    for (const row of await context.em.query<ExpiredRow[]>(DELETE, [organizationId])) {
      if (!row.reveals) recordGrant(context, 'delete', row);
      else if (row.request_id) recordRequest(context, 'update', { id: row.request_id, scope_name: null });
    }
  },
});

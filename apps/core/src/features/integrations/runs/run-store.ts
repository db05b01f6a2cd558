import { Injectable } from '@nestjs/common';
import type { ProviderName } from '@strata/contract';
import {
  type ApprovedDrift,
  type DriftPolicy,
  type KeyDecision,
  type OrganizationId,
  STOP_REASONS,
} from '@strata/domain';
import { DataSource } from 'typeorm';
import { poolOf } from '../../../platform/postgres/data-source.ts';
import { IS_INTERNAL } from '../../../platform/postgres/versioned-table.ts';
import type { Direction, SyncRow } from '../../syncs/sync-row.ts';
import type { IntegrationSettings } from '../integration-identity.ts';
import { RunSettings } from './run-settings.ts';
import { addSyncJob, PULL_SETTINGS, type SyncJob } from './sync-jobs.ts';

/** A task that only this process may run until the lease expires. */
export interface ClaimedTask {
  readonly organizationId: OrganizationId;
  readonly integrationId: string;
  readonly lease: string;
  readonly id: string;
  readonly syncId: string;
  readonly dryRun: boolean;
  readonly decisions: Readonly<Record<string, KeyDecision>>;
  /** The plan that a person approved; null without an approval, or if an earlier attempt has compared it. */
  readonly planHash: string | null;
  /** The drift of the approved plan; null if no earlier attempt has compared a plan. */
  readonly approvedDrift: ApprovedDrift | null;
  /** Whether the run stops with a plan before it does something unusual. */
  readonly planFirst: boolean;
  readonly failures: number;
  /** Whether the pattern pull or its integration was changed after a member started the run. */
  readonly isOutdated: boolean;
  /** The membership that started the run; null for a scheduled one. */
  readonly startedBy: string | null;
  readonly provider: ProviderName;
  readonly settings: IntegrationSettings;
  readonly fqn: string;
  readonly writable: boolean;
  readonly sync: ClaimedSync;
}

/** The pull or push of a task. */
export interface ClaimedSync {
  readonly name: string;
  readonly direction: Direction;
  readonly mode: SyncRow['mode'];
  readonly region: string | null;
  readonly service: string | null;
  readonly resource: string | null;
  readonly options: Readonly<Record<string, boolean>>;
  readonly drift: DriftPolicy;
}

/** The result of a run, and its effect on the task. */
export interface SyncOutcome {
  readonly error: RunError | null;
  /** Milliseconds until the next attempt, or null if the task has ended. */
  readonly retryInMs: number | null;
}

export interface RunError {
  readonly code: string;
  readonly detail: string;
}

interface TaskRowOfClaim {
  readonly id: string;
  readonly exchange_id: string;
  readonly dry_run: boolean;
  readonly decisions: Record<string, KeyDecision>;
  readonly plan_hash: string | null;
  readonly plan_accepted: boolean;
  readonly approved_drift: Record<string, string | null> | null;
  readonly plan_first: boolean;
  readonly failures: number;
  readonly is_outdated: boolean;
  readonly started_by: string | null;
  readonly provider: ProviderName;
  readonly settings: IntegrationSettings;
  readonly fqn: string;
  readonly writable: boolean;
  readonly name: string;
  readonly direction: Direction;
  readonly mode: SyncRow['mode'];
  readonly region: string | null;
  readonly service: string | null;
  readonly resource: string | null;
  readonly options: Record<string, boolean>;
  readonly drift: DriftPolicy;
}

/** The result of a run whose pattern pull was changed after a member started it. */
export const PULL_CHANGED: RunError = {
  code: 'pull_changed',
  detail: 'The pull or its integration was changed after the run was started. Run the pull again.',
};
const SKIPPED = [...STOP_REASONS, PULL_CHANGED.code];

/** The reason of tasks that no member started. */
const SCHEDULED = 'Scheduled.';
/** The number of stored scheduled tasks per pull. */
const SCHEDULED_TASKS_KEPT = 10;

export const inMilliseconds = (parameter: string) => `clock_timestamp() + ${parameter}::float8 * interval '1 ms'`;
const OWN_LEASE = 'organization_id = $1 and id = $2 and lease_token = $3';
const IS_FREE = '(integration.lease_until is null or integration.lease_until < clock_timestamp())';
const IS_OPEN = `exists (select from organization where organization.id = integration.organization_id and not organization.maintenance and organization.deleted_at is null)`;

const CLAIM = `
update integration set lease_token = $3, lease_until = ${inMilliseconds('$4')}
 where integration.organization_id = $1 and integration.id = $2 and integration.held_because is null and ${IS_OPEN}
   and (${IS_FREE} or integration.lease_token = $3)
returning integration.id`;

/**
 * The oldest due task. A task that is running without a lease was left by a process that ended. It counts as a failure,
 * because the task may have ended the process.
 */
const TAKE = `
with due as (
  select task.organization_id, task.id from task
    join exchange on exchange.organization_id = task.organization_id and exchange.id = task.exchange_id
   where task.organization_id = $1 and exchange.integration_id = $2 and task.state in ('queued', 'running')
     and task.next_attempt_at <= clock_timestamp() and exists (select from integration where ${OWN_LEASE})
   order by task.created_at, task.id limit 1),
taken as (
  update task set state = 'running', modified_at = clock_timestamp(),
         failures = failures + case when state = 'running' then 1 else 0 end from due
   where task.organization_id = due.organization_id and task.id = due.id returning task.*)
select taken.id, taken.exchange_id, taken.dry_run, taken.decisions, taken.plan_hash, taken.plan_accepted, taken.approved_drift,
       exchange.plan_first, taken.failures, taken.started_by, coalesce(taken.pull_settings <> ${PULL_SETTINGS}, false) as is_outdated, integration.provider, integration.settings, integration.fqn, integration.writable, exchange.name,
       exchange.direction, exchange.mode, exchange.region, exchange.service, exchange.resource, exchange.options, exchange.drift
  from taken join exchange on exchange.organization_id = $1 and exchange.id = taken.exchange_id
  join integration on integration.organization_id = $1 and integration.id = $2`;

/** Writing may have been switched off while the task runs. $5 is whether the task only reads from the store. */
const RENEW = `update integration set lease_until = ${inMilliseconds('$4')} where ${OWN_LEASE} and (writable or $5) returning id`;

/** Creates a job if another task became due. Its own job may have found the integration claimed. */
const RELEASE = `
with released as (
  update integration set lease_token = null, lease_until = null where ${OWN_LEASE} returning organization_id, id)
select ${addSyncJob()} from released integration
 where exists (
   select from task join exchange on exchange.organization_id = task.organization_id and exchange.id = task.exchange_id
    where task.organization_id = $1 and exchange.integration_id = $2 and task.state = 'queued'
      and task.next_attempt_at <= clock_timestamp())`;

/** A result of a process that has lost its lease changes nothing. */
const COMPLETE = `
with leased as (select organization_id, id from integration where ${OWN_LEASE}),
ended as (
  update task set state = case when $7::float8 is not null then 'queued' when $5::text is null then 'success'
                      when $5::text in (${SKIPPED.map((code) => `'${code}'`).join(', ')}) then 'skipped' else 'failure' end,
         error_code = $5, error_detail = $6, modified_at = clock_timestamp(),
         failures = case when $7::float8 is null then failures else failures + 1 end,
         next_attempt_at = ${inMilliseconds('$7')}
    from leased where task.organization_id = leased.organization_id and task.id = $4
  returning task.next_attempt_at)
select ${addSyncJob('ended.next_attempt_at')} from leased integration, ended where ended.next_attempt_at is not null`;

const ACCEPT_PLAN =
  'update task set plan_accepted = true, approved_drift = $3::json where organization_id = $1 and id = $2';

/** Creates jobs for tasks that no job will run. The limit counts only integrations that can run. */
const SWEEP = `
select ${addSyncJob()} from (
  select integration.organization_id, integration.id from integration
   where integration.held_because is null and ${IS_FREE} and ${IS_OPEN} and exists (
     select from exchange join task on task.organization_id = exchange.organization_id and task.exchange_id = exchange.id
      where exchange.organization_id = integration.organization_id and exchange.integration_id = integration.id
        and task.state in ('queued', 'running') and task.next_attempt_at <= clock_timestamp())
   limit 1000) integration`;

/**
 * Adds a task to each mapped pull with external values, every $1 milliseconds, and deletes its oldest scheduled tasks.
 * The update of the row lets only one process add the task. A new pull begins to wait, because its values were read when
 * they were created.
 */
const SCHEDULE_READS = `
with due as (
  update exchange set contents_due_at = clock_timestamp() + $1::float8 * interval '1 ms'
    from (
      select exchange.organization_id, exchange.id, exchange.contents_due_at is null as is_new, integration.fqn from exchange
        join integration on integration.organization_id = exchange.organization_id and integration.id = exchange.integration_id
       where exchange.mode = 'mapped' and (exchange.contents_due_at is null or exchange.contents_due_at <= clock_timestamp())
         and integration.held_because is null and ${IS_OPEN}
       limit 100 for update of exchange skip locked) next
   where exchange.organization_id = next.organization_id and exchange.id = next.id
  returning exchange.organization_id, exchange.id, exchange.integration_id, exchange.options, next.fqn, next.is_new),
used as (
  select due.* from due
   where not is_new and exists (
     select from value where value.organization_id = due.organization_id and value.source is not null and not ${IS_INTERNAL}
        and starts_with(lower(value.source ->> 'fqn'), lower(due.fqn) || '/'))
     and not exists (
       select from task where task.organization_id = due.organization_id and task.exchange_id = due.id and task.state in ('queued', 'running'))),
old as (
  select task.organization_id, task.id, row_number() over (partition by task.exchange_id order by task.created_at desc, task.id) as place
    from used join task on task.organization_id = used.organization_id and task.exchange_id = used.id and task.reason = '${SCHEDULED}'),
gone as (
  delete from task using old
   where task.organization_id = old.organization_id and task.id = old.id and old.place >= ${SCHEDULED_TASKS_KEPT}),
added as (
  insert into task (organization_id, id, exchange_id, reason, dry_run, state, next_attempt_at, created_at, modified_at)
  select organization_id, gen_random_uuid(), id, '${SCHEDULED}', coalesce((options ->> 'dry_run')::boolean, false), 'queued',
         clock_timestamp(), clock_timestamp(), clock_timestamp() from used)
select ${addSyncJob()} from used
  join integration on integration.organization_id = used.organization_id and integration.id = used.integration_id`;

/** Stores which tasks run and how they end. Every statement can be repeated. */
@Injectable()
export class RunStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: RunSettings,
  ) {}

  /** Returns false if another process runs a task of this integration, or if no task may run. */
  async claim({ organizationId, integrationId }: SyncJob, lease: string): Promise<boolean> {
    return (await this.query(CLAIM, [organizationId, integrationId, lease, this.settings.leaseMs])).length > 0;
  }

  /** Returns the next task of a claimed integration; null if none is due. */
  async take({ organizationId, integrationId }: SyncJob, lease: string): Promise<ClaimedTask | null> {
    const [row] = await this.query<TaskRowOfClaim>(TAKE, [organizationId, integrationId, lease]);
    if (!row) return null;
    const {
      id,
      exchange_id: syncId,
      dry_run: dryRun,
      decisions,
      plan_hash: planHash,
      plan_accepted: isAccepted,
      approved_drift: drift,
      plan_first: planFirst,
      failures,
      is_outdated: isOutdated,
      started_by: startedBy,
      provider,
      settings,
      fqn,
      writable,
      ...sync
    } = row;
    const approvedDrift = isAccepted ? new Map(Object.entries(drift ?? {})) : null;
    const approval = { planHash: isAccepted ? null : planHash, planFirst: planFirst && !isAccepted, approvedDrift };
    const task = {
      id,
      syncId,
      dryRun,
      decisions,
      ...approval,
      failures,
      isOutdated,
      startedBy,
      provider,
      settings,
      fqn,
      writable,
      sync,
    };
    return { ...task, organizationId: organizationId as OrganizationId, integrationId, lease };
  }

  /** Returns false if the lease was lost, or if the integration may no longer write. The caller must stop. */
  async renew({ organizationId, integrationId, lease, dryRun, sync }: ClaimedTask): Promise<boolean> {
    const onlyReads = dryRun || sync.direction === 'pull';
    const values = [organizationId, integrationId, lease, this.settings.leaseMs, onlyReads];
    return (await this.query(RENEW, values)).length > 0;
  }

  async release({ organizationId, integrationId }: SyncJob, lease: string): Promise<void> {
    await this.query(RELEASE, [organizationId, integrationId, lease]);
  }

  async complete(task: ClaimedTask, { error, retryInMs }: SyncOutcome): Promise<void> {
    const { organizationId, integrationId, lease, id } = task;
    const result = [error?.code ?? null, error?.detail ?? null, retryInMs];
    await this.query(COMPLETE, [organizationId, integrationId, lease, id, ...result]);
  }

  /** Stores that the approved plan is the current one. A later attempt of the same run finishes it, and does no more. */
  async acceptPlan({ organizationId, id }: ClaimedTask, drift: ApprovedDrift): Promise<void> {
    await this.query(ACCEPT_PLAN, [organizationId, id, JSON.stringify(Object.fromEntries(drift))]);
  }

  async sweep(): Promise<void> {
    await this.query(SWEEP, []);
    await this.query(SCHEDULE_READS, [this.settings.externalReadMs]);
  }

  private async query<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await poolOf(this.dataSource).query<Row>(text, [...values])).rows;
  }
}

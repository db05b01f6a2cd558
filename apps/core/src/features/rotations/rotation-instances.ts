import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { INSTANCE_LIMITS } from '@strata/contract';
import { type EnvironmentId, isBlocking, type ProjectId } from '@strata/domain';
import { DataSource, type EntityManager } from 'typeorm';
import { poolOf } from '../../platform/postgres/data-source.ts';
import { isAlive } from '../instances/instance-statements.ts';
import { Rollouts } from '../rollouts/rollouts.ts';
import { dependentsSql } from '../templating/dependency-sql.ts';
import type { RotationRow } from './rotation-row.ts';

/** The SQL condition for rows of rotation_instance whose instance still reports. $1 is the organization. */
export const reports = (alias: string): string => `
  exists (select from instance where instance.organization_id = $1 and instance.person_id = ${alias}.person_id
             and instance.credential = ${alias}.credential and instance.project_id = ${alias}.project_id
             and instance.environment_id = ${alias}.environment_id and instance.name = ${alias}.name and ${isAlive('instance')})`;

/**
 * The configurations that contain the value: those of its environment and of the environments below that inherit it, in
 * its project and in all projects whose values depend on it. $1 is the organization, $2 the parameter, $3 the environment.
 */
const AFFECTED = `
with recursive
  ${dependentsSql(`select null::uuid, parameter.project_id, parameter.name from parameter where parameter.organization_id = $1 and parameter.id = $2`)},
  inheriting (id) as (
    select $3::uuid
    union
    select environment.id from inheriting join environment on environment.organization_id = $1 and environment.parent_id = inheriting.id
     where not exists (select from value where value.organization_id = $1 and value.parameter_id = $2 and value.environment_id = environment.id)),
  live as (
    select distinct instance.* from instance
      join inheriting on inheriting.id = instance.environment_id
      join dependent on dependent.project_id = instance.project_id
     where instance.organization_id = $1 and ${isAlive('instance')})`;

const AFFECTED_SCOPES = `${AFFECTED} select distinct project_id, environment_id from live`;

/** Begins to wait for all live instances, in the transaction that publishes. $4 is the rotation. */
const EXPECT = `${AFFECTED}
insert into rotation_instance (organization_id, rotation_id, id, person_id, credential, project_id, environment_id, name, account,
                               has_acknowledged, is_blocking, seen_at)
select $1, $4, gen_random_uuid(), live.person_id, live.credential, live.project_id, live.environment_id, live.name,
       coalesce(person.name, person.email, person.id), false, true, live.seen_at
  from live join person on person.id = live.person_id`;

const CLEAR = 'delete from rotation_instance where organization_id = $1 and rotation_id = $2';

/** Stores what live instances report. $3 is a list of statuses. An instance that reports an older text again is not dismissed any more. */
const REPORTED = `
insert into rotation_instance (organization_id, rotation_id, id, person_id, credential, project_id, environment_id, name, account,
                               has_acknowledged, is_blocking, reason, seen_at)
select $1, $2, report.id, report.person_id, report.credential, report.project_id, report.environment_id, report.name, report.account,
       report.status = 'current', report.status <> 'current', report.reason, report.seen_at
  from json_to_recordset($3::json) as report(id uuid, person_id text, credential text, project_id uuid, environment_id uuid, name text,
    account text, status text, reason text, seen_at timestamptz)
on conflict on constraint rotation_instance_key do update set
  has_acknowledged = excluded.has_acknowledged, reason = excluded.reason, seen_at = excluded.seen_at,
  is_dismissed = rotation_instance.is_dismissed and (excluded.has_acknowledged or excluded.seen_at <= rotation_instance.seen_at)`;

const AWAITED = `
select awaited.id, awaited.name, awaited.has_acknowledged as "hasAcknowledged", awaited.is_dismissed as "isDismissed", awaited.is_blocking as "isBlocking",
       ${reports('awaited')} as "isAlive",
       extract(epoch from clock_timestamp() - rotation.published_at)::float8 as seconds
  from rotation_instance awaited
  join rotation on rotation.organization_id = awaited.organization_id and rotation.id = awaited.rotation_id
 where awaited.organization_id = $1 and awaited.rotation_id = $2 order by awaited.name`;

const MARK_BLOCKING = `
update rotation_instance set is_blocking = id = any($3::uuid[])
 where organization_id = $1 and rotation_id = $2 and is_blocking <> (id = any($3::uuid[]))`;

const LIFETIME_MS = INSTANCE_LIMITS.lifetimeMinutes * 60_000;
/** A third of the lifetime. Shorter interruptions let only few instances expire, which then report again. */
const GAP_MS = LIFETIME_MS / 3;

/** Whether instances have reported, but none in the last minutes. */
const REPORTS_STOPPED = `select coalesce(max(seen_at) < clock_timestamp() - interval '${GAP_MS} milliseconds', false) as silent from instance`;

interface AwaitedRow {
  readonly id: string;
  readonly name: string;
  readonly hasAcknowledged: boolean;
  readonly isDismissed: boolean;
  readonly isBlocking: boolean;
  readonly isAlive: boolean;
  readonly seconds: number;
}

/** The instances that prevent the revocation of the previous credential. */
export interface BlockingInstances {
  readonly count: number;
  /** Whether one of them does not report any more. */
  readonly hasSilent: boolean;
}

/** Keeps which instances have acknowledged the published credential of a rotation. */
@Injectable()
export class RotationInstances {
  private lastWatched: number | null = null;
  private interruptedAt: number | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly rollouts: Rollouts,
  ) {}

  /**
   * Notices when reports were interrupted, because instances that expired meanwhile are not expected by any rotation. Call it
   * at the start, before instances can report, and then at short intervals, whenever the database has just responded.
   */
  async watchReports(): Promise<void> {
    const haveStopped = this.lastWatched === null && (await this.haveReportsStopped());
    const now = performance.now();
    if (haveStopped || now - (this.lastWatched ?? now) > GAP_MS) this.interruptedAt = now;
    this.lastWatched = now;
  }

  private async haveReportsStopped(): Promise<boolean> {
    const [row] = await this.connection().query<{ silent: boolean }>(REPORTS_STOPPED);
    return row?.silent ?? false;
  }

  /** Whether all live instances have had the time to report since the last interruption. */
  areReportsComplete(): boolean {
    return this.interruptedAt === null || performance.now() - this.interruptedAt >= LIFETIME_MS;
  }

  /** Begins to wait for all instances that are alive now. */
  async expect(row: RotationRow, em: EntityManager = this.dataSource.manager): Promise<void> {
    const { organization_id: organizationId, id } = row;
    await em.query(CLEAR, [organizationId, id]);
    await em.query(EXPECT, [organizationId, row.parameter_id, row.environment_id, id]);
  }

  /** Stops waiting for any instance. */
  async clear({ organization_id: organizationId, id }: RotationRow, em: EntityManager): Promise<void> {
    await em.query(CLEAR, [organizationId, id]);
  }

  /** Compares what instances report with the published revision. An instance that has not reported again still counts. */
  async findBlocking(row: RotationRow): Promise<BlockingInstances> {
    const { organization_id: organizationId, id, published_revision: revision, silent } = row;
    const { query } = this.connection();
    const target = [organizationId, row.parameter_id, row.environment_id];
    const scopes = await query<{ project_id: ProjectId; environment_id: EnvironmentId }>(AFFECTED_SCOPES, target);
    for (const scope of scopes) {
      const statuses = await this.rollouts.statuses(organizationId, scope, revision ?? 0);
      const reports = statuses.map((status) => ({ ...status, ...scope, id: randomUUID() }));
      await query(REPORTED, [organizationId, id, JSON.stringify(reports)]);
    }
    const awaited = await query<AwaitedRow>(AWAITED, [organizationId, id]);
    const policy = { silent, silentAfterSeconds: row.silent_after_seconds };
    const blocking = awaited.filter((instance) => isBlocking(instance, policy, instance.seconds));
    await query(MARK_BLOCKING, [organizationId, id, blocking.map((instance) => instance.id)]);
    return { count: blocking.length, hasSilent: blocking.some((instance) => !instance.isAlive) };
  }

  private connection() {
    const pool = poolOf(this.dataSource);
    return {
      query: async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
        (await pool.query<Row>(text, values)).rows,
    };
  }
}

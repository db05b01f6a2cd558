import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { poolOf } from '../../platform/postgres/data-source.ts';
import { RunSettings } from '../integrations/runs/run-settings.ts';
import { inMilliseconds } from '../integrations/runs/run-store.ts';
import { LeaseLost } from '../integrations/runs/sync-keys.ts';
import type { RotationRow } from './rotation-row.ts';

/** The name of the jobs that continue one rotation. */
export const ROTATE = 'rotate';

export interface RotationJob {
  readonly organizationId: string;
  readonly rotationId: string;
}

/** Returns SQL that creates a job for a row of the table rotation. There is at most one waiting job per rotation. */
export const addRotationJob = (runAt = 'null'): string => `(graphile_worker.add_job('${ROTATE}',
    json_build_object('organizationId', rotation.organization_id, 'rotationId', rotation.id),
    run_at => ${runAt}, job_key => 'rotation:' || rotation.id, job_key_mode => 'replace')).id`;

const IS_ORGANIZATION_OPEN = `exists (select from organization where organization.id = rotation.organization_id and not organization.maintenance and organization.deleted_at is null)`;
const CAN_CONTINUE = `rotation.stop_code is null and rotation.held_because is null and rotation.next_attempt_at <= clock_timestamp()
  and ${IS_ORGANIZATION_OPEN} and (rotation.lease_until is null or rotation.lease_until < clock_timestamp())`;

/** A row as JSON, so that times and bytes keep their exact texts. */
const AS_JSON = 'to_jsonb(rotation) as row';

const CLAIM = `
update rotation set lease_token = $3, lease_until = ${inMilliseconds('$4')}
 where rotation.organization_id = $1 and rotation.id = $2 and ${CAN_CONTINUE} returning ${AS_JSON}`;

const OWN_LEASE = 'rotation.organization_id = $1 and rotation.id = $2 and rotation.lease_token = $3';

/** A rotation that a person has stopped or deleted, or that an operator holds, loses its lease. */
const RENEW = `update rotation set lease_until = ${inMilliseconds('$4')} where ${OWN_LEASE} and rotation.held_because is null returning id`;

const COLUMNS = [
  ...['stage', 'stage_since', 'run_id', 'is_requested', 'is_aborted', 'value_ledger_id', 'published_credential'],
  ...['published_revision', 'published_at', 'new_credential', 'sealed_new', 'old_credential', 'unused_since'],
  ...['retired_credential', 'own_credentials', 'wait_code', 'wait_detail', 'stop_code', 'stop_detail', 'failures'],
  ...['next_attempt_at', 'last_rotated_at'],
] as const;

export type RotationChanges = Partial<Pick<RotationRow, (typeof COLUMNS)[number]>>;

/** $4 has the changed columns. A process that has lost its lease changes nothing. */
const SAVE = `
update rotation set (${COLUMNS.join()}) = (
  select ${COLUMNS.map((column) => `changed.${column}`).join()} from jsonb_populate_record(rotation, $4::jsonb) changed)
 where ${OWN_LEASE} and rotation.held_because is null returning ${AS_JSON}`;

const RELEASE = `
with released as (
  update rotation set lease_token = null, lease_until = null where ${OWN_LEASE} returning *)
select ${addRotationJob('rotation.next_attempt_at')} from released rotation where rotation.next_attempt_at is not null and rotation.stop_code is null`;

/** Creates jobs for rotations that no job will continue. */
const SWEEP = `select ${addRotationJob()} from (select * from rotation where ${CAN_CONTINUE} limit 1000) rotation`;

/** Stores how far rotations are. Every statement can be repeated. */
@Injectable()
export class RotationStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: RunSettings,
  ) {}

  /** Returns a rotation that can continue, for this process only; null if there is nothing to do. */
  async claim({ organizationId, rotationId }: RotationJob, lease: string): Promise<RotationRow | null> {
    const [claimed] = await this.query<{ row: RotationRow }>(CLAIM, [
      organizationId,
      rotationId,
      lease,
      this.settings.leaseMs,
    ]);
    return claimed?.row ?? null;
  }

  async renew({ organizationId, rotationId }: RotationJob, lease: string): Promise<boolean> {
    return (await this.query(RENEW, [organizationId, rotationId, lease, this.settings.leaseMs])).length > 0;
  }

  async release({ organizationId, rotationId }: RotationJob, lease: string): Promise<void> {
    await this.query(RELEASE, [organizationId, rotationId, lease]);
  }

  /** Stores a step. Throws `LeaseLost` if another process continues the rotation, or a person has changed it. */
  async save(row: RotationRow, changes: RotationChanges, em?: EntityManager): Promise<RotationRow> {
    const values = [row.organization_id, row.id, row.lease_token, JSON.stringify(changes)];
    const rows = em
      ? ((await em.query<[{ row: RotationRow }[]]>(SAVE, values))[0] ?? [])
      : await this.query<{ row: RotationRow }>(SAVE, values);
    const [saved] = rows;
    if (!saved) throw new LeaseLost();
    return saved.row;
  }

  async sweep(): Promise<void> {
    await this.query(SWEEP, []);
  }

  private async query<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await poolOf(this.dataSource).query<Row>(text, [...values])).rows;
  }
}

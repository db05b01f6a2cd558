import { Inject, Injectable } from '@nestjs/common';
import type { OrganizationId, Revision } from '@strata/domain';
import { DataSource } from 'typeorm';
import type { Env, WitnessSetting } from '../../platform/env.ts';
import { poolOf } from '../../platform/postgres/data-source.ts';
import { ENV } from '../../platform/tokens.ts';

/** A checkpoint that was stored for witnesses and people outside of this installation. */
export interface PublishedCheckpoint {
  readonly revision: Revision;
  /** The note that the core has signed. */
  readonly note: string;
  /** The signature lines of witnesses by their names. */
  readonly cosignatures: Readonly<Record<string, string>>;
}

/** The state of publication in the whole installation. */
interface PublicationState {
  /** The seconds since the oldest change that no published checkpoint covers; 0 if there is none. */
  readonly oldestSeconds: number;
  /** The number of organizations whose latest checkpoint some witness has not cosigned. */
  readonly uncosigned: number;
}

/** The number of checkpoints of an organization that are kept. */
const KEPT_MAX = 1_000;

const COLUMNS = 'revision::float8 as revision, note, cosignatures';
const LATEST = `select ${COLUMNS} from published_checkpoint where organization_id = $1 order by published_checkpoint.revision desc limit 1`;
const LATEST_COSIGNED = `
select coalesce(max(revision), 0)::float8 as revision from published_checkpoint where organization_id = $1 and cosignatures ? $2`;
const INSERT = `
insert into published_checkpoint (organization_id, revision, note) values ($1, $2, $3) on conflict do nothing returning revision`;
const COSIGN = `
update published_checkpoint set cosignatures = cosignatures || jsonb_build_object($3::text, $4::text)
 where organization_id = $1 and revision = $2`;
const DELETE_OLD = `
delete from published_checkpoint where organization_id = $1 and revision < (
  select revision from published_checkpoint where organization_id = $1 order by revision desc offset ${KEPT_MAX - 1} limit 1)`;

const LATEST_OF_EACH = `
  from organization_head head
  join organization on organization.id = head.organization_id and organization.deleted_at is null
  left join lateral (
    select revision, cosignatures, attempted_at from published_checkpoint published
     where published.organization_id = head.organization_id order by published.revision desc limit 1) latest on true`;

/** $1 is the interval in minutes, $2 the names of the witnesses. */
const DUE = `
select head.organization_id as "organizationId" ${LATEST_OF_EACH}
 where latest.revision is null
    or (head.revision > latest.revision or not latest.cosignatures ?& $2::text[])
       and latest.attempted_at <= clock_timestamp() - $1 * interval '1 minute'
 limit 1000`;
const ENQUEUE = `
select graphile_worker.add_job($3, json_build_object('organizationId', due."organizationId"),
                               job_key => 'checkpoint:' || due."organizationId", job_key_mode => 'preserve_run_at')
  from (${DUE}) due`;
const ATTEMPT = `
update published_checkpoint set attempted_at = clock_timestamp() where organization_id = $1 and revision = $2`;

const STATE = `
select coalesce(max(extract(epoch from clock_timestamp() - first.at)), 0)::float8 as "oldestSeconds",
       count(*) filter (where not latest.cosignatures ?& $1::text[])::int as uncosigned ${LATEST_OF_EACH}
  left join changeset first on first.organization_id = head.organization_id and first.revision = coalesce(latest.revision, 0) + 1`;

/** Stores published checkpoints. */
@Injectable()
export class PublishedCheckpoints {
  readonly witnesses: readonly WitnessSetting[];

  constructor(
    private readonly dataSource: DataSource,
    @Inject(ENV) { STRATA_WITNESSES: witnesses }: Env,
  ) {
    this.witnesses = witnesses;
  }

  get hasWitnesses(): boolean {
    return this.witnesses.length > 0;
  }

  async latest(organizationId: OrganizationId): Promise<PublishedCheckpoint | null> {
    return (await this.run<PublishedCheckpoint>(LATEST, [organizationId]))[0] ?? null;
  }

  /** Returns the note of the latest checkpoint with the cosignatures. */
  async latestNote(organizationId: OrganizationId): Promise<string | null> {
    const checkpoint = await this.latest(organizationId);
    return checkpoint && cosignedNote(checkpoint);
  }

  /** Returns the last revision that a witness has cosigned; 0 if there is none. */
  async cosignedRevision(organizationId: OrganizationId, witness: string): Promise<Revision> {
    const [row] = await this.run<{ revision: Revision }>(LATEST_COSIGNED, [organizationId, witness]);
    return row?.revision ?? 0;
  }

  /** Returns whether this call has stored the checkpoint. Deletes the oldest ones. */
  async store(organizationId: OrganizationId, revision: Revision, note: string): Promise<boolean> {
    const rows = await this.run(INSERT, [organizationId, revision, note]);
    await this.run(DELETE_OLD, [organizationId]);
    return rows.length > 0;
  }

  async addCosignature(organizationId: OrganizationId, revision: Revision, witness: string, lines: string) {
    await this.run(COSIGN, [organizationId, revision, witness, lines]);
  }

  async markAttempt(organizationId: OrganizationId, revision: Revision): Promise<void> {
    await this.run(ATTEMPT, [organizationId, revision]);
  }

  /** Creates jobs for the organizations whose latest checkpoint is outdated, or not cosigned by all witnesses. */
  async enqueueDue(minutes: number, job: string): Promise<void> {
    await this.run(ENQUEUE, [minutes, this.witnessNames, job]);
  }

  async state(): Promise<PublicationState> {
    return (await this.run<PublicationState>(STATE, [this.witnessNames]))[0] as PublicationState;
  }

  private get witnessNames(): readonly string[] {
    return this.witnesses.map(({ key }) => key.name);
  }

  private async run<Row extends object>(text: string, values: unknown[]): Promise<readonly Row[]> {
    return (await poolOf(this.dataSource).query<Row>(text, values)).rows;
  }
}

/** Returns the note with the signatures of the witnesses after that of the core. */
export function cosignedNote({ note, cosignatures }: Pick<PublishedCheckpoint, 'note' | 'cosignatures'>): string {
  return note + Object.values(cosignatures).join('');
}

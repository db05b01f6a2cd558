import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { OrganizationId, Revision } from '@strata/domain';
import type pg from 'pg';
import { afterRunning } from '../running-time.ts';
import { ConnectionMonitor } from './connection-monitor.ts';
import { isDatabaseUnavailable, isStatementTimeout, responseTimeoutError } from './constraints.ts';
import { standbyPool } from './data-source.ts';
import { DatabaseProbe, type DatabaseState, STATE } from './database-probe.ts';
import { KNOWN_SCHEMA } from './migrations/index.ts';
import type { Statement } from './prepared-client.ts';
import { schemaLineage } from './schema-lineage.ts';
import type { TenantTokens } from './tenants.ts';

/** A head, as far as it identifies the history of an organization. */
export interface ComparedHead {
  readonly epoch: string;
  readonly revision: Revision;
  readonly at: string;
}

/** The end of the log on the disk of the primary server, and its timeline. Null if the server is no primary server. */
export interface LogPosition {
  readonly logEnd: string | null;
  readonly timeline: string | null;
}

/** The state that a transaction on the standby must see. */
export interface RequiredSnapshot {
  readonly organizationId: OrganizationId;
  readonly head: ComparedHead & LogPosition;
  /** Whether the standby must have replayed the log up to `head.logEnd`, too. */
  readonly needsLog: boolean;
}

/** Faults for which the standby is not used for a while, with their description in the log. */
const FAULTS = {
  unreachable: 'it cannot be reached',
  slow: 'it does not respond in time',
  schema: 'its schema is older than this core',
  promoted: 'it is not in recovery',
  paused: 'its replay is paused',
  diverged: 'it has another history than the primary server',
} as const;
type Fault = keyof typeof FAULTS;

/** Why a standby does not answer one read. */
export type UnansweredReason = Fault | 'behind' | 'ahead' | 'busy' | 'failed';

interface ReplayState {
  readonly isStandby: boolean;
  readonly isPaused: boolean;
  /** Null if the read does not need the log. */
  readonly hasLog: boolean | null;
}

const CONNECT_MS_MAX = 500;
/** The time for all statements before the read itself. */
const BEGIN_MS_MAX = 250;
/** A standby usually replays a commit within a millisecond. */
const REPLAY_MS_MAX = 5;
/** Without this pause, every read would wait for a standby that is behind all the time. */
const BEHIND_PAUSE_MS = 100;
const FIRST_PAUSE_MS = 250;
const PAUSE_MS_MAX = 5_000;

/**
 * Runs before the transaction begins, so that its snapshot contains at least the log up to the returned position. The control file names
 * an earlier timeline until the first restartpoint on a new one.
 */
const REPLAY_STATE = `
select recovery.active as "isStandby", case when recovery.active then pg_is_wal_replay_paused() else false end as "isPaused",
       case when recovery.active and $1::text is not null then
         pg_last_wal_replay_lsn() >= $1::pg_lsn
         and (select upper(lpad(to_hex(timeline_id), 8, '0')) from pg_control_checkpoint()) = $2 end as "hasLog"
  from (select pg_is_in_recovery() as active) recovery`;
const BEGIN = 'begin isolation level repeatable read, read only';
const HEAD = 'select epoch, revision, at from organization_head where organization_id = $1';

/** Compares the head on a standby with an earlier one on the primary server. Equal heads prove equal histories. */
export function compareHeads(
  standbyHead: ComparedHead | undefined,
  head: ComparedHead,
): 'equal' | 'behind' | 'ahead' | 'diverged' {
  if (!standbyHead || standbyHead.epoch !== head.epoch || standbyHead.revision < head.revision) return 'behind';
  if (standbyHead.revision > head.revision) return 'ahead';
  return standbyHead.at === head.at ? 'equal' : 'diverged';
}

/** One standby: its connections, and whether it can be used. */
export class Standby {
  private readonly logger = new Logger('standby');
  private readonly pool: pg.Pool;
  private readonly probe: DatabaseProbe;
  /** Contains no credentials. */
  private readonly host: string;
  private failureCount = 0;
  private lastFault: Fault | null = null;
  private pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(url: string, timeoutSeconds: number, tenantTokens: TenantTokens) {
    this.host = URL.parse(url)?.host ?? '';
    this.probe = new DatabaseProbe(url);
    const monitor = new ConnectionMonitor(this.probe);
    this.pool = standbyPool(url, CONNECT_MS_MAX, {
      ...{ monitor, timeoutSeconds, tenantTokens },
      verify: assertSchemaFits,
    });
  }

  /** Returns whether a read may use the standby. After a fault, it returns true once per pause. */
  isUsable(): boolean {
    const now = performance.now();
    if (now < this.pausedUntil) return false;
    if (this.failureCount > 0) this.pause();
    return true;
  }

  /** Returns the rows of a statement in a transaction that sees exactly the required head, or why there are none. */
  async read(required: RequiredSnapshot, statement: Statement): Promise<object[] | UnansweredReason> {
    if (this.pool.idleCount === 0 && this.pool.totalCount >= this.pool.options.max) return 'busy';
    const { failureCount } = this;
    const result = await this.readOnce(required, statement).catch(readFault);
    if (Array.isArray(result) || result === 'ahead') this.resume(failureCount);
    else if (result in FAULTS) this.noteFault(result as Fault, failureCount);
    else if (result === 'behind') this.pausedUntil = Math.max(this.pausedUntil, performance.now() + BEHIND_PAUSE_MS);
    return result;
  }

  async close(): Promise<void> {
    this.probe.close();
    await this.pool.end();
  }

  private async readOnce(
    required: RequiredSnapshot,
    { text, values }: Statement,
  ): Promise<object[] | UnansweredReason> {
    const client = await this.connect();
    let isReusable = false;
    try {
      const state = await withinTime(BEGIN_MS_MAX, beginAtHead(client, required));
      if (state === 'equal') {
        const [{ rows }] = await Promise.all([client.query<object>(text, [...values]), client.query('commit')]);
        isReusable = true;
        return rows;
      }
      await client.query('rollback');
      isReusable = true;
      return state;
    } finally {
      client.release(!isReusable);
    }
  }

  /** A connection that opens too late is for later reads. */
  private async connect(): Promise<pg.PoolClient> {
    const connection = this.pool.connect();
    try {
      return await withinTime(CONNECT_MS_MAX, connection);
    } catch (error) {
      connection.then(
        (client) => client.release(),
        () => undefined,
      );
      throw error instanceof OldSchemaError ? error : responseTimeoutError();
    }
  }

  private pause(): void {
    this.pausedUntil = performance.now() + Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** (this.failureCount - 1));
  }

  /** Reads that began together note one fault. */
  private noteFault(fault: Fault, failureCountBefore: number): void {
    if (failureCountBefore !== this.failureCount) return;
    this.failureCount += 1;
    this.pause();
    if (fault !== this.lastFault) this.logger.warn(`The standby ${this.host} is not used: ${FAULTS[fault]}.`);
    this.lastFault = fault;
  }

  private resume(failureCountBefore: number): void {
    if (this.failureCount === 0 || failureCountBefore !== this.failureCount) return;
    this.failureCount = 0;
    this.lastFault = null;
    this.pausedUntil = Number.NEGATIVE_INFINITY;
    this.logger.log(`The standby ${this.host} is used again.`);
  }
}

class OldSchemaError extends Error {}

/** A migration changes no revision, so a standby that has not replayed it could not be recognized later. */
async function assertSchemaFits(client: pg.ClientBase): Promise<void> {
  const [state] = (await client.query<DatabaseState>(STATE)).rows;
  const schema = { migrations: state?.migrations ?? [], servesCoresFrom: state?.servesCoresFrom ?? null };
  if (schemaLineage(schema, KNOWN_SCHEMA).is === 'incompatible') throw new OldSchemaError();
}

/** Begins a transaction. If it sees an earlier head, begins again until the time is over. */
async function beginAtHead(client: pg.PoolClient, required: RequiredSnapshot): Promise<'equal' | UnansweredReason> {
  const until = performance.now() + REPLAY_MS_MAX;
  for (;;) {
    const state = await beginOnce(client, required);
    if (state !== 'behind' || performance.now() >= until) return state;
    await Promise.all([client.query('rollback'), sleep(1)]);
  }
}

async function beginOnce(
  client: pg.PoolClient,
  { organizationId, head, needsLog }: RequiredSnapshot,
): Promise<'equal' | UnansweredReason> {
  const [replayStates, , heads] = await Promise.all([
    client.query<ReplayState>(REPLAY_STATE, [needsLog ? head.logEnd : null, head.timeline]),
    client.query(BEGIN),
    client.query<ComparedHead>(HEAD, [organizationId]),
  ]);
  const [replay] = replayStates.rows;
  if (!replay?.isStandby) return 'promoted';
  if (replay.isPaused) return 'paused';
  const comparison = compareHeads(heads.rows[0], head);
  return comparison === 'equal' && needsLog && replay.hasLog !== true ? 'behind' : comparison;
}

/** Throws if the result does not arrive in time. */
async function withinTime<Result>(msMax: number, result: Promise<Result>): Promise<Result> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const cancel = afterRunning(msMax, () => reject(new SlowStandbyError()));
  try {
    return await Promise.race([result, tooLate]);
  } finally {
    cancel();
  }
}

class SlowStandbyError extends Error {}

/** An error of the statement itself says nothing about the standby. The primary server then returns the same one. */
function readFault(error: unknown): UnansweredReason {
  if (error instanceof OldSchemaError) return 'schema';
  if (error instanceof SlowStandbyError || isStatementTimeout(error)) return 'slow';
  return isDatabaseUnavailable(error) ? 'unreachable' : 'failed';
}

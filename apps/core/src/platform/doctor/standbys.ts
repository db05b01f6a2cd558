import type pg from 'pg';
import { type DatabaseState, STATE } from '../postgres/database-probe.ts';
import { KNOWN_SCHEMA } from '../postgres/migrations/index.ts';
import { schemaLineage } from '../postgres/schema-lineage.ts';
import { APPLICATION_ROLE, withSession } from '../postgres/session.ts';

const REPLAY_SECONDS_MAX = 60;

/** The cluster to which a server belongs. A standby has the identifier of its primary server. */
const CLUSTER = 'select system_identifier::text as cluster from pg_control_system()';

/** A commit that the standby has received and not replayed for this time is late. An idle primary server sends none. */
const REPLAY = `
select cluster, active as "isStandby",
       case when active then pg_is_wal_replay_paused() else false end as "isPaused",
       case when active and pg_last_wal_receive_lsn() <> pg_last_wal_replay_lsn()
            then extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::int else 0 end as "lateSeconds"
  from (select pg_is_in_recovery() as active) recovery, (${CLUSTER}) control`;

interface ReplayState {
  readonly cluster: string;
  readonly isStandby: boolean;
  readonly isPaused: boolean;
  readonly lateSeconds: number | null;
}

/** Returns why cores would not use these standbys. Their addresses are named without credentials. */
export async function standbyProblems(client: pg.Client, urls: readonly string[]): Promise<string[]> {
  if (urls.length === 0) return [];
  const [primary] = (await client.query<Pick<ReplayState, 'cluster'>>(CLUSTER)).rows;
  const problems = urls.map(async (url) => {
    const problem = await problemOfStandby(url, primary?.cluster).catch(
      (error: { readonly code?: string; readonly name: string }) =>
        `cannot be checked (${error.code ?? error.name}). Start it, or correct STRATA_READ_DATABASE_URLS.`,
    );
    return problem === null ? [] : [`The standby ${URL.parse(url)?.host ?? ''} ${problem}`];
  });
  return (await Promise.all(problems)).flat();
}

async function problemOfStandby(url: string, cluster: string | undefined): Promise<string | null> {
  return withSession(url, APPLICATION_ROLE, {}, async (client) => {
    const [replay] = (await client.query<ReplayState>(REPLAY)).rows;
    const [state] = (await client.query<DatabaseState>(STATE)).rows;
    if (replay?.cluster !== cluster)
      return 'is not a standby of DATABASE_URL, so it has other data. Correct its address.';
    // In a list of all servers, one is the primary server.
    if (!replay?.isStandby) return null;
    if (replay.isPaused) return 'does not replay: it is paused. Resume it: select pg_wal_replay_resume();';
    if ((replay.lateSeconds ?? 0) > REPLAY_SECONDS_MAX)
      return `is ${replay.lateSeconds} s behind. Check its disk and processor, and queries that delay its replay.`;
    const schema = { migrations: state?.migrations ?? [], servesCoresFrom: state?.servesCoresFrom ?? null };
    const lineage = schemaLineage(schema, KNOWN_SCHEMA);
    return lineage.is === 'incompatible' ? `has another schema: ${lineage.because}` : null;
  });
}

import type pg from 'pg';
import type { RootKey, RootKeys } from './root-key.ts';

/** PostgreSQL cuts names of connections after 63 bytes. */
const ID_DIGITS = 16;

const shortId = ({ id }: RootKey): string => id.toString('hex').slice(0, ID_DIGITS);

/**
 * Returns the name of a core's connections. It contains the ids of its root keys, so that a root key becomes active only if
 * all running cores have it.
 */
export const nameCore = ({ all }: RootKeys): string => ['strata core', ...all.map(shortId)].join(' ');

/** $1 is the short id of a root key. Every account can read the names of connections. */
const CORES = `
select count(distinct application_name) filter (where not $1 = any(string_to_array(application_name, ' ')))::int as count
  from pg_stat_activity where datname = current_database() and application_name like 'strata core %'`;

/** Returns whether all running cores have the root key. */
export async function isHeldByAllCores(client: pg.Client, rootKey: RootKey): Promise<boolean> {
  const { rows } = await client.query<{ count: number }>(CORES, [shortId(rootKey)]);
  return rows[0]?.count === 0;
}

import { formatCount } from '@strata/domain';
import type pg from 'pg';
import { inTransaction } from '../postgres/session.ts';
import { StartError } from '../start-errors.ts';
import { ACTIVE_ROOT_KEY_LOCK, requireActiveRootKey } from './active-root-key.ts';
import { READS_KEYS_FROM } from './organization-keys.ts';
import { IntegrityError, type RootKey, type RootKeys, type WrappedKey } from './root-key.ts';
import { isHeldByAllCores } from './root-key-holders.ts';

/** The tables whose rows contain a key that a root key encrypts, and SQL that identifies the row. */
const WRAPPED_KEYS = {
  service_key: 'purpose',
  organization_key: 'organization_id::text',
  data_key: `(organization_id || ' ' || number)`,
} as const;
type WrappedTable = keyof typeof WRAPPED_KEYS;
const TABLES = Object.keys(WRAPPED_KEYS) as WrappedTable[];

/** The advisory lock that only one rotation can hold. The number is arbitrary. */
const ROTATION_LOCK = 7_224_110_456;
const KEYS_PER_TRANSACTION = 500;

interface WrappedRow extends WrappedKey {
  readonly id: string;
}

/**
 * Makes STRATA_ROOT_KEY the active root key, and encrypts all stored keys with it. No key changes, so cores that have both
 * root keys read and write throughout. If it is interrupted, the next call continues.
 */
export async function rotateRootKey(
  client: pg.Client,
  rootKeys: RootKeys,
  report: (line: string) => void,
): Promise<string> {
  const lock = await client.query<{ isFree: boolean }>(`select pg_try_advisory_lock($1) as "isFree"`, [ROTATION_LOCK]);
  if (!lock.rows[0]?.isFree) throw new StartError('Another strata keys rotate runs. Wait until it has finished.');
  const active = await requireActiveRootKey((sql) => client.query(sql).then(({ rows }) => rows), rootKeys);
  if (active !== rootKeys.current) await activate(client, rootKeys.current);
  const total = await countKeysUnderOtherRootKeys(client, rootKeys.current);
  let done = 0;
  for (const table of TABLES) {
    for (let count = await rewrap(client, table, rootKeys); count > 0; count = await rewrap(client, table, rootKeys)) {
      done += count;
      report(`${Math.min(done, total)} of ${formatCount(total, 'key')}`);
    }
  }
  const key = `the root key ${rootKeys.current.id.toString('hex')}`;
  const advice = rootKeys.previous ? ' Remove STRATA_PREVIOUS_ROOT_KEY from all cores.' : '';
  if (total === 0) return `All keys are encrypted with ${key}.${advice}\n`;
  return `${formatCount(done, 'key was', 'keys were')} encrypted with ${key}.${advice} Keep the previous root key for as long as you keep backups from before.\n`;
}

/** Counts the stored keys that another root key encrypts. */
export async function countKeysUnderOtherRootKeys(client: pg.Client, { id }: RootKey): Promise<number> {
  const counts = TABLES.map((table) => `(select count(*) from ${table} where root_key_id is distinct from $1)`);
  const { rows } = await client.query<{ count: number }>(`select (${counts.join(' + ')})::int as count`, [id]);
  return rows[0]?.count ?? 0;
}

/** From now on, new keys are encrypted with this root key. */
async function activate(client: pg.Client, rootKey: RootKey): Promise<void> {
  if (!(await isHeldByAllCores(client, rootKey)))
    throw new StartError(
      'A running core lacks the new root key. Restart all cores with STRATA_ROOT_KEY and STRATA_PREVIOUS_ROOT_KEY, then run strata keys rotate again.',
    );
  await inTransaction(client, async () => {
    // Waits for transactions that encrypt a new key with the previous root key.
    await client.query('select pg_advisory_xact_lock($1)', [ACTIVE_ROOT_KEY_LOCK]);
    await client.query('update schema_compatibility set serves_cores_from = greatest(serves_cores_from, $1)', [
      READS_KEYS_FROM,
    ]);
    await client.query('update root_key_check set value = $1', [rootKey.id]);
  });
}

/** Encrypts some keys of a table with the current root key, and returns their number. */
async function rewrap(client: pg.Client, table: WrappedTable, rootKeys: RootKeys): Promise<number> {
  return inTransaction(client, async () => {
    const { rows } = await client.query<WrappedRow>(
      `select ${WRAPPED_KEYS[table]} as id, wrapped_key, root_key_id from ${table}
        where root_key_id is distinct from $1 order by ${WRAPPED_KEYS[table]} limit ${KEYS_PER_TRANSACTION} for update`,
      [rootKeys.current.id],
    );
    const wrapped = rows.map((row) => rootKeys.current.wrap(`${table}|${row.id}`, unwrap(table, row, rootKeys)));
    await client.query(
      `update ${table} set wrapped_key = renewed.wrapped_key, root_key_id = $1
         from unnest($2::text[], $3::bytea[]) renewed (id, wrapped_key) where ${WRAPPED_KEYS[table]} = renewed.id`,
      [rootKeys.current.id, rows.map(({ id }) => id), wrapped.map(({ wrapped_key: key }) => key)],
    );
    return rows.length;
  });
}

function unwrap(table: WrappedTable, row: WrappedRow, rootKeys: RootKeys): Buffer {
  try {
    return rootKeys.unwrap(`${table}|${row.id}`, row);
  } catch (error) {
    if (!(error instanceof IntegrityError)) throw error;
    const key = row.root_key_id ? `the root key ${row.root_key_id.toString('hex')}` : 'an earlier root key';
    throw new StartError(
      `The key ${row.id} in ${table} is encrypted with ${key}. Set STRATA_PREVIOUS_ROOT_KEY to it, then run strata keys rotate again.`,
    );
  }
}

import { formatCount } from '@strata/domain';
import type pg from 'pg';
import { inTransaction } from '../postgres/session.ts';
import { ACTIVE_ROOT_KEY_LOCK, requireActiveRootKey } from './active-root-key.ts';
import { createWrappedDataKey, READS_KEYS_FROM, USABLE_AFTER_SECONDS } from './organization-keys.ts';
import type { RootKeys } from './root-key.ts';

const ORGANIZATIONS_PER_TRANSACTION = 500;
const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** $1 is the organization, or null for all. $2 is the last organization before. */
const NEXT = `
select organization.id, coalesce((select max(number) from data_key where organization_id = organization.id), 0) + 1 as number,
       extract(epoch from now() + make_interval(secs => ${USABLE_AFTER_SECONDS})) * 1000 as "usableAt"
  from organization where ($1::uuid is null or organization.id = $1) and organization.id > $2
 order by organization.id limit ${ORGANIZATIONS_PER_TRANSACTION}`;

const INSERT = `
insert into data_key (organization_id, number, wrapped_key, root_key_id, usable_at)
select input.id, input.number, input.wrapped_key, $4, now() + make_interval(secs => ${USABLE_AFTER_SECONDS})
  from unnest($1::uuid[], $2::integer[], $3::bytea[]) input (id, number, wrapped_key)`;

interface NextKey {
  readonly id: string;
  readonly number: number;
  readonly usableAt: number;
}

/**
 * Creates a new data key for an organization, or for all. Cores encrypt later texts with it once all of them have loaded
 * it. Texts that are stored keep their key. Returns the text to print.
 */
export async function rotateDataKeys(
  client: pg.Client,
  rootKeys: RootKeys,
  organizationId: string | null,
): Promise<string> {
  let count = 0;
  let last = NIL_ID;
  for (;;) {
    const created = await inTransaction(client, () => createKeys(client, rootKeys, organizationId, last));
    const id = created.at(-1)?.id;
    if (id === undefined) break;
    [count, last] = [count + created.length, id];
  }
  if (count === 0) return 'There is no such organization.\n';
  return `${formatCount(count, 'organization has a new data key', 'organizations have a new data key')}, which encrypts texts after ${USABLE_AFTER_SECONDS} seconds. Earlier texts keep their keys.\n`;
}

async function createKeys(
  client: pg.Client,
  rootKeys: RootKeys,
  organizationId: string | null,
  after: string,
): Promise<readonly NextKey[]> {
  await client.query('select pg_advisory_xact_lock_shared($1)', [ACTIVE_ROOT_KEY_LOCK]);
  const rootKey = await requireActiveRootKey((sql) => client.query(sql).then(({ rows }) => rows), rootKeys);
  await client.query('update schema_compatibility set serves_cores_from = greatest(serves_cores_from, $1)', [
    READS_KEYS_FROM,
  ]);
  const { rows } = await client.query<NextKey>(NEXT, [organizationId, after]);
  const keys = rows.map(({ id, number, usableAt }) => createWrappedDataKey(rootKey, id, number, Number(usableAt)));
  await client.query(INSERT, [
    rows.map(({ id }) => id),
    rows.map(({ number }) => number),
    keys.map(({ wrapped_key: wrappedKey }) => wrappedKey),
    rootKey.id,
  ]);
  return rows;
}

/** Returns the number of organizations whose texts name no key, so that an earlier text can replace a later one. */
export async function countUnnumberedOrganizations(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from organization where id not in (select organization_id from data_key)',
  );
  return rows[0]?.count ?? 0;
}

import { randomBytes } from 'node:crypto';
import type { RootKey, RootKeys, WrappedKey } from './root-key.ts';
import { createDataKey, type DataKey, type OpeningKeys } from './sealed-text.ts';

/** The first cores that read numbered data keys and ids of root keys. */
export const READS_KEYS_FROM = 63;

/** The time after which a core loads the keys of an organization again. */
export const RELOAD_MS = 30_000;
/** A core uses no keys that it loaded longer ago. */
export const KEYS_MS_MAX = 180_000;
/** A new key of an existing organization encrypts texts after this time, when all cores have loaded it. */
export const USABLE_AFTER_SECONDS = 300;

const KEY_BYTES = 32;
const TIME_BYTES = 8;

/** The keys of one organization. */
export interface OrganizationKeys extends OpeningKeys {
  /** The key for new texts; null while cores of an earlier release may run. */
  readonly sealing: DataKey | null;
}

/** A row of `organization_key`, or of `data_key`. */
export interface KeyRow extends WrappedKey {
  /** The number of a row of `data_key`. The key in `organization_key` has none. */
  readonly number: number | null;
  readonly is_usable: boolean;
}

/** Selects the keys of all organizations, in the order of their numbers. */
export const SELECT_ALL_KEYS = `
select organization_id, null::integer as number, wrapped_key, root_key_id, true as is_usable from organization_key
union all
select organization_id, number, wrapped_key, root_key_id, usable_at <= now() from data_key
 order by organization_id, number nulls first`;

/** $1 is the organization. */
export const SELECT_KEYS = `
select null::integer as number, wrapped_key, root_key_id, true as is_usable from organization_key where organization_id = $1
union all
select number, wrapped_key, root_key_id, usable_at <= now() from data_key where organization_id = $1 order by number nulls first`;

/** Returns the keys of an organization, or null if it has none. */
export function unwrapKeys(
  rootKeys: RootKeys,
  organizationId: string,
  rows: readonly KeyRow[],
): OrganizationKeys | null {
  const numbered = new Map<number, DataKey>();
  let unnumbered: Buffer | null = null;
  let sealing: DataKey | null = null;
  for (const row of rows) {
    if (row.number === null) {
      unnumbered = rootKeys.unwrap(`organization_key|${organizationId}`, row);
      continue;
    }
    const content = rootKeys.unwrap(`data_key|${organizationId} ${row.number}`, row);
    const sealsFrom = Number(content.readBigInt64BE(KEY_BYTES));
    const dataKey = createDataKey(row.number, content.subarray(0, KEY_BYTES), sealsFrom);
    numbered.set(row.number, dataKey);
    if (row.is_usable) sealing = dataKey;
  }
  return unnumbered && { unnumbered, numbered, sealing };
}

/** Returns a new data key. Its start is encrypted with it, because it decides which earlier format is accepted. */
export function createWrappedDataKey(
  rootKey: RootKey,
  organizationId: string,
  number: number,
  usableAtMs: number,
): WrappedKey {
  const start = Buffer.alloc(TIME_BYTES);
  start.writeBigInt64BE(BigInt(Math.floor(usableAtMs)));
  return rootKey.wrap(`data_key|${organizationId} ${number}`, Buffer.concat([randomBytes(KEY_BYTES), start]));
}

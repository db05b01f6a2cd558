import { commonPrefix, type KeyRecord, mustReadKey, type OrganizationId, type StoreKey } from '@strata/domain';
import { type ListedKey, ProviderError, type Store } from '@strata/providers';
import type { Vault } from '../../../platform/vault/vault.ts';
import { hashKey } from './sync-keys.ts';

/** The store of a push, and what is read from it. */
export interface ReadStore {
  readonly organizationId: OrganizationId;
  readonly syncId: string;
  readonly store: Store;
  readonly vault: Vault;
  /** Called with a key that another program has changed, and its text. */
  readonly onDrift: (key: StoreKey, text: string) => Promise<void>;
}

/** Returns the keys of the store that are relevant. A text is read only if its version is unknown. */
export async function readStoreKeys(
  read: ReadStore,
  relevant: ReadonlySet<string>,
  records: ReadonlyMap<string, KeyRecord>,
): Promise<readonly StoreKey[]> {
  const storeKeys: StoreKey[] = [];
  for (const entry of await listKeys(read, relevant, records)) {
    storeKeys.push(await toStoreKey(read, entry, records.get(entry.key)));
  }
  return storeKeys;
}

/** Returns null if the store has no such key, or does not let Strata read it. Then the key is not changed. */
async function readText(store: Store, key: string) {
  try {
    return await store.read(key);
  } catch (error) {
    if (error instanceof ProviderError && !error.isTemporary) return null;
    throw error;
  }
}

async function toStoreKey(
  { organizationId, syncId, store, vault, onDrift }: ReadStore,
  { key, version, owner, isDeleted, isPlain }: ListedKey,
  record: KeyRecord | undefined,
): Promise<StoreKey> {
  const isMarked = owner === undefined ? null : owner === syncId;
  const listed = { key, version, isMarked, isDeleted, ...(isPlain !== undefined && { isPlain }) };
  const isRecreated = (later: string | null) =>
    Boolean(record?.version && later && store.isRecreated?.(record.version, later));
  if (!mustReadKey(record, listed)) return { ...listed, hash: isDeleted ? null : (record?.writtenHash ?? null) };
  const current = await readText(store, key);
  if (current === null) return { ...listed, hash: null, isRecreated: isRecreated(version) };
  // A store that returns no texts can still return the version that Strata wrote.
  const isWritten = current.text === null && current.version === record?.version;
  const writtenHash = isWritten ? record.writtenHash : null;
  const hash = current.text === null ? writtenHash : await hashKey(vault, organizationId, store.id, key, current.text);
  const storeKey = { ...listed, version: current.version, hash, isRecreated: isRecreated(current.version) };
  if (current.text !== null && hash !== record?.writtenHash) await onDrift(storeKey, current.text);
  return storeKey;
}

/** Returns the relevant keys of the store. Lists can be out of date, so unexpected entries are looked up. */
async function listKeys(
  { store, syncId }: ReadStore,
  relevant: ReadonlySet<string>,
  records: ReadonlyMap<string, KeyRecord>,
): Promise<readonly ListedKey[]> {
  if (relevant.size === 0) return [];
  const all = await store.list(commonPrefix([...relevant]), syncId, relevant);
  const listed = new Map(all.filter(({ key }) => relevant.has(key)).map((entry) => [entry.key, entry]));
  if (!store.find) return [...listed.values()];
  for (const key of relevant) {
    const entry = listed.get(key);
    if (isExpected(entry, records.get(key), syncId)) continue;
    const current = await findKey(store, key, syncId, entry ?? null);
    if (current === null) listed.delete(key);
    else listed.set(key, current);
  }
  return [...listed.values()];
}

/** Returns the listed entry if the store does not let Strata look up the key. */
async function findKey(store: Store, key: string, owner: string, entry: ListedKey | null): Promise<ListedKey | null> {
  try {
    return (await store.find?.(key, owner)) ?? null;
  } catch (error) {
    if (error instanceof ProviderError && !error.isTemporary) return entry;
    throw error;
  }
}

/** Returns whether the list shows what Strata has stored about a key. */
function isExpected(entry: ListedKey | undefined, record: KeyRecord | undefined, owner: string): boolean {
  if (record === undefined) return entry === undefined;
  if (entry === undefined || (entry.owner !== undefined && entry.owner !== owner)) return false;
  if (record.started?.action === 'remove' || record.started?.action === 'removed') return entry.isDeleted;
  return record.started === null && !entry.isDeleted && entry.version === record.version;
}

import { OTHER_ROOT_KEY, StartError } from '../start-errors.ts';
import type { RootKey, RootKeys } from './root-key.ts';

/** Runs a statement with any driver and returns its rows. */
export type ReadRows = <Row extends object>(sql: string) => Promise<readonly Row[]>;

/**
 * The advisory lock of `root_key_check`, which contains the id of the active root key. A transaction that stores a wrapped
 * key shares it. The number is arbitrary.
 */
export const ACTIVE_ROOT_KEY_LOCK = 7_224_110_455;

/** Returns the root key that wraps new keys, or null if the settings do not contain it. */
export async function findActiveRootKey(readRows: ReadRows, rootKeys: RootKeys): Promise<RootKey | null> {
  const [row] = await readRows<{ value: Buffer }>('select value from root_key_check');
  return row ? rootKeys.find(row.value) : rootKeys.current;
}

export async function requireActiveRootKey(readRows: ReadRows, rootKeys: RootKeys): Promise<RootKey> {
  const rootKey = await findActiveRootKey(readRows, rootKeys);
  if (!rootKey) throw new StartError(OTHER_ROOT_KEY);
  return rootKey;
}

import { compareNames } from './human-order.ts';

/** A key of a store, or a folder that keys have in common. */
export interface StoreEntry {
  readonly path: string;
  readonly name: string;
  readonly isFolder: boolean;
}

/**
 * Returns the keys and folders directly below a folder, by path. Slashes separate folders. Slashes at the start of a key
 * belong to its first folder, so that each entry has a name.
 */
export function listFolder(keyPaths: readonly string[], folder: string): readonly StoreEntry[] {
  const start = folder === '' ? '' : `${folder}/`;
  const entries = new Map<string, StoreEntry>();
  for (const keyPath of keyPaths) {
    if (!keyPath.startsWith(start)) continue;
    const relativeKey = keyPath.slice(start.length);
    const nameStart = relativeKey.search(/[^/]/);
    if (nameStart < 0) continue;
    const nameEnd = relativeKey.indexOf('/', nameStart);
    const isFolder = nameEnd >= 0;
    const relativePath = isFolder ? relativeKey.slice(0, nameEnd) : relativeKey;
    const path = start + relativePath;
    entries.set(`${path}${isFolder ? '/' : ''}`, { path, name: relativePath.slice(nameStart), isFolder });
  }
  return [...entries.values()].sort(
    (left, right) => compareNames(left.path, right.path) || Number(right.isFolder) - Number(left.isFolder),
  );
}

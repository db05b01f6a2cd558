import { TILE_SIZE } from './contents-verifier.ts';
import type { LeafRange } from './merkle-tree.ts';

/*
 * The resources of a log as in c2sp.org/tlog-tiles.
 */

/** A tile of hashes of one level, or a bundle of entries. */
export interface TileName {
  readonly level: number | 'entries';
  readonly index: number;
  /** The number of hashes or entries. A partial tile has fewer than 256. */
  readonly width: number;
}

/** Larger ones are no safe integers. */
const LEVEL_MAX = 5;

/**
 * Returns the tile of a path such as `0/x001/234.p/5`, without `tile/`. Returns null if no tile has this path.
 */
export function readTilePath(path: string): TileName | null {
  const [, levelText = '', groups = '', last = '', width] =
    /^(0|[1-9]\d?|entries)\/((?:x\d{3}\/)*)(\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path) ?? [];
  const index = Number(groups.replaceAll(/[x/]/g, '') + last);
  const level = levelText === 'entries' ? levelText : Number(levelText);
  const isValid = last !== '' && !groups.startsWith('x000') && Number(width ?? 1) < TILE_SIZE;
  return isValid && (level === 'entries' || level <= LEVEL_MAX)
    ? { level, index, width: Number(width ?? TILE_SIZE) }
    : null;
}

/** Returns the leaves below each hash of a tile. A bundle has the leaves of the tile of level 0. */
export function tileSubtrees({ level, index, width }: TileName): readonly LeafRange[] {
  const size = TILE_SIZE ** (level === 'entries' ? 0 : level);
  return Array.from({ length: width }, (_, at) => {
    const start = (index * TILE_SIZE + at) * size;
    return { start, end: start + size };
  });
}

const LENGTH_BYTES = 2;
/** The format has 16 bits for the length of an entry. */
export const ENTRY_BYTES_MAX = 65_535;

/** Returns a bundle of entries, each after its length. Returns null if an entry is too long for the format. */
export function entryBundle(entries: readonly Buffer[]): Buffer | null {
  if (entries.some(({ length }) => length > ENTRY_BYTES_MAX)) return null;
  return Buffer.concat(
    entries.flatMap((entry) => {
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt16BE(entry.length);
      return [length, entry];
    }),
  );
}

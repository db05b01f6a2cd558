import { compareNames } from './human-order.ts';

/** Separators at the beginning of a name belong to its prefix: `/app/host` has the prefix `/app`. */
const PREFIX = /^[./_:-]*[^./_:-]+(?=[./_:-])/;

/** Returns the text before the first separator of a name (`. / _ - :`); null if the name has none (behaviour.md §7.6). */
export function namePrefix(name: string): string | null {
  return PREFIX.exec(name)?.[0] ?? null;
}

/**
 * Compares names by their prefixes. A name without a prefix is compared as a whole, so that `LOG` precedes `LOG_LEVEL`.
 * The order of names ignores punctuation, and would place `LOGGER` between `LOG_FORMAT` and `LOG_LEVEL`.
 */
export function comparePrefixes(left: string, right: string): number {
  return compareNames(namePrefix(left) ?? left, namePrefix(right) ?? right);
}

/** Consecutive names with the same prefix, or with none. */
export interface PrefixRun {
  /** Null for names that belong to no group. */
  readonly prefix: string | null;
  readonly count: number;
}

interface OwnedName {
  readonly name: string;
  /** Names of different owners are in different runs. */
  readonly owner: string;
}

/** Divides names into runs, in their order. A name whose prefix no neighbour shares belongs to no group. */
export function prefixRuns(names: readonly OwnedName[]): readonly PrefixRun[] {
  const prefixes = names.map(({ name }) => namePrefix(name));
  const isShared = (at: number, neighbour: number) =>
    prefixes[at] === prefixes[neighbour] && names[at]?.owner === names[neighbour]?.owner;
  const runs: { prefix: string | null; owner: string; count: number }[] = [];
  for (const [index, { owner }] of names.entries()) {
    const prefix = isShared(index, index - 1) || isShared(index, index + 1) ? (prefixes[index] ?? null) : null;
    const lastRun = runs.at(-1);
    if (lastRun && lastRun.prefix === prefix && lastRun.owner === owner) lastRun.count += 1;
    else runs.push({ prefix, owner, count: 1 });
  }
  return runs.map(({ prefix, count }) => ({ prefix, count }));
}

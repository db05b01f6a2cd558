import type { Revision } from '@strata/domain';

/** A row that was valid from one revision until before another. If `revisionTo` is null, it is still valid. */
export interface Version {
  readonly revision: Revision;
  readonly revisionTo: Revision | null;
}

/** The maximum number of revisions that one response resolves. */
export const STEPS_MAX = 50_000;

/** Returns the revisions at which versions started or ended. */
export function listBoundaries(versions: Iterable<Version>): Set<Revision> {
  const boundaries = new Set<Revision>();
  for (const { revision, revisionTo } of versions) {
    boundaries.add(revision);
    if (revisionTo !== null) boundaries.add(revisionTo);
  }
  return boundaries;
}

export function sortLatestFirst(revisions: Iterable<Revision>): readonly Revision[] {
  return [...revisions].sort((left, right) => right - left);
}

/** Merges several lists of revisions, each latest first, into one such list without duplicates. Merges lazily. */
export function* mergeRevisions(...lists: readonly (readonly Revision[])[]): Generator<Revision, void> {
  const positions = lists.map(() => 0);
  for (;;) {
    const next = lists.reduce((latest, list, at) => Math.max(latest, list[positions[at] ?? 0] ?? 0), 0);
    if (next === 0) return;
    lists.forEach((list, index) => {
      if (list[positions[index] ?? 0] === next) positions[index] = (positions[index] ?? 0) + 1;
    });
    yield next;
  }
}

/**
 * Indexes versions by key. At most one version of a key is valid at a time. A lookup is a binary search among the
 * versions of the key.
 */
export class VersionIndex<V extends Version> {
  private readonly versions: ReadonlyMap<string, readonly V[]>;

  constructor(versions: readonly V[], keyOf: (version: V) => string) {
    const lastingVersions = versions.filter(({ revision, revisionTo }) => revisionTo === null || revisionTo > revision);
    this.versions = Map.groupBy(
      lastingVersions.sort((left, right) => left.revision - right.revision),
      keyOf,
    );
  }

  /** The number of keys. */
  get size(): number {
    return this.versions.size;
  }

  /** Returns every version with the key, oldest first. */
  of(key: string): readonly V[] {
    return this.versions.get(key) ?? [];
  }

  at(key: string, revision: Revision): V | undefined {
    const versions = this.of(key);
    let [first, end] = [0, versions.length];
    while (first < end) {
      const middle = (first + end) >>> 1;
      if ((versions[middle]?.revision ?? 0) <= revision) first = middle + 1;
      else end = middle;
    }
    const lastVersion = versions[first - 1];
    return lastVersion && (lastVersion.revisionTo === null || lastVersion.revisionTo > revision)
      ? lastVersion
      : undefined;
  }
}

/**
 * Returns all versions that are valid at a revision. It is meant for callers that visit revisions from the latest to
 * the earliest.
 */
export class VersionSweep<V extends Version> {
  private readonly byEnd: readonly V[];
  private readonly byBeginning: readonly V[];
  private readonly valid = new Set<V>();
  private position = Number.POSITIVE_INFINITY;
  private entered = 0;
  private left = 0;

  constructor(versions: readonly V[]) {
    this.byEnd = [...versions].sort((left, right) => endOf(right) - endOf(left));
    this.byBeginning = [...versions].sort((left, right) => right.revision - left.revision);
  }

  /** Returns the valid versions. Going back costs as much as the versions in between; going forward starts over. */
  at(revision: Revision): readonly V[] {
    if (revision > this.position) this.restart();
    this.position = revision;
    for (let next = this.byEnd[this.entered]; next && endOf(next) > revision; next = this.byEnd[this.entered]) {
      this.valid.add(next);
      this.entered += 1;
    }
    for (let next = this.byBeginning[this.left]; next && next.revision > revision; next = this.byBeginning[this.left]) {
      this.valid.delete(next);
      this.left += 1;
    }
    return [...this.valid];
  }

  private restart(): void {
    this.valid.clear();
    this.entered = 0;
    this.left = 0;
  }
}

function endOf({ revisionTo }: Version): Revision {
  return revisionTo ?? Number.POSITIVE_INFINITY;
}

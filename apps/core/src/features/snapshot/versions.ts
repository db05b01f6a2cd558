import type { Revision } from '@strata/domain';

/** A row as it was from one revision on until before another; null: until now. */
export interface Version {
  readonly revision: Revision;
  readonly revisionTo: Revision | null;
}

/** At so many revisions it is looked up for one answer, at most, what there was. */
export const STEPS_MAX = 50_000;

/** The revisions at which versions began or ended. */
export function boundariesOf(versions: Iterable<Version>): Set<Revision> {
  const boundaries = new Set<Revision>();
  for (const { revision, revisionTo } of versions) {
    boundaries.add(revision);
    if (revisionTo !== null) boundaries.add(revisionTo);
  }
  return boundaries;
}

export function latestFirst(revisions: Iterable<Revision>): readonly Revision[] {
  return [...revisions].sort((left, right) => right - left);
}

/** Revisions of several lists, each latest first, as one such list without repetitions. Only as much is merged as is asked for. */
export function* merged(...lists: readonly (readonly Revision[])[]): Generator<Revision, void> {
  const places = lists.map(() => 0);
  for (;;) {
    const next = lists.reduce((latest, list, at) => Math.max(latest, list[places[at] ?? 0] ?? 0), 0);
    if (next === 0) return;
    lists.forEach((list, at) => {
      if (list[places[at] ?? 0] === next) places[at] = (places[at] ?? 0) + 1;
    });
    yield next;
  }
}

/** Versions by a key that at most one of them has at a time. Looking one up takes the logarithm of how many had the key. */
export class VersionIndex<V extends Version> {
  private readonly versions: ReadonlyMap<string, readonly V[]>;

  constructor(versions: readonly V[], keyOf: (version: V) => string) {
    const lasting = versions.filter(({ revision, revisionTo }) => revisionTo === null || revisionTo > revision);
    this.versions = Map.groupBy(
      lasting.sort((left, right) => left.revision - right.revision),
      keyOf,
    );
  }

  /** Of keys. */
  get size(): number {
    return this.versions.size;
  }

  /** Every version with the key, oldest first. */
  of(key: string): readonly V[] {
    return this.versions.get(key) ?? [];
  }

  at(key: string, revision: Revision): V | undefined {
    const versions = this.of(key);
    let [first, behind] = [0, versions.length];
    while (first < behind) {
      const middle = (first + behind) >>> 1;
      if ((versions[middle]?.revision ?? 0) <= revision) first = middle + 1;
      else behind = middle;
    }
    const last = versions[first - 1];
    return last && (last.revisionTo === null || last.revisionTo > revision) ? last : undefined;
  }
}

/** All versions that were valid at a revision, for whoever goes back from one revision to the next earlier one. */
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

  /** Going back costs as much as what lies in between; going forward begins anew. */
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

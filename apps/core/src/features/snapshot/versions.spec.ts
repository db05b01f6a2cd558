import fc from 'fast-check';
import {
  listBoundaries,
  mergeRevisions,
  sortLatestFirst,
  type Version,
  VersionIndex,
  VersionSweep,
} from './versions.ts';

interface Keyed extends Version {
  readonly key: string;
}

/** Generates versions of a few keys. The versions of a key follow each other, some with gaps. */
const versions = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 5 })), {
    maxLength: 40,
  })
  .map((drawn): Keyed[] => {
    const ends = new Map<string, number>();
    return drawn.map(([key, gap, length]) => {
      const revision = (ends.get(key) ?? 1) + gap;
      ends.set(key, revision + length);
      return { key, revision, revisionTo: revision + length };
    });
  });
const isValid = (at: number) => (version: Version) =>
  version.revision <= at && (version.revisionTo === null || version.revisionTo > at);
const revisions = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 20 });

describe('versions', () => {
  it('are found like in a full scan', () => {
    fc.assert(
      fc.property(versions, revisions, (all, requested) => {
        const [index, sweep] = [new VersionIndex(all, ({ key }) => key), new VersionSweep(all)];
        for (const at of requested) {
          const expected = all.filter(isValid(at));
          expect(['a', 'b', 'c'].flatMap((key) => index.at(key, at) ?? [])).toEqual(
            [...expected].sort((left, right) => (left.key < right.key ? -1 : 1)),
          );
          expect(new Set(sweep.at(at))).toEqual(new Set(expected));
        }
      }),
    );
  });

  it('have boundaries that can be merged into one list, latest first and without duplicates', () => {
    fc.assert(
      fc.property(fc.array(versions, { maxLength: 4 }), (lists) => {
        const merged = [...mergeRevisions(...lists.map((list) => sortLatestFirst(listBoundaries(list))))];
        expect(merged).toEqual([...sortLatestFirst(listBoundaries(lists.flat()))]);
      }),
    );
  });

  it('are each visited only a few times, however many there are', () => {
    const looksAt = (count: number) => {
      let lookups = 0;
      const all = Array.from({ length: count }, (_, at) => ({
        key: 'a',
        get revision() {
          lookups += 1;
          return at + 1;
        },
        revisionTo: at + 2,
      }));
      const [index, sweep] = [new VersionIndex(all, ({ key }) => key), new VersionSweep(all)];
      lookups = 0;
      for (let at = count; at > 0; at -= 1) index.at('a', at);
      const indexed = lookups / count;
      lookups = 0;
      for (let at = count; at > 0; at -= 1) sweep.at(at);
      return { indexed, swept: lookups / count };
    };

    const [small, many] = [looksAt(1_000), looksAt(10_000)];

    expect(many.indexed - small.indexed).toBeLessThan(5);
    expect(many.swept).toBeLessThan(small.swept + 1);
  });
});

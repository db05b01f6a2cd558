import fc from 'fast-check';
import { boundariesOf, latestFirst, mergeRevisions, type Version, VersionIndex, VersionSweep } from './versions.ts';

interface Keyed extends Version {
  readonly key: string;
}

/** Generates versions of a few keys, each one after the other, some with gaps between them. */
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
      fc.property(versions, revisions, (all, asked) => {
        const [index, sweep] = [new VersionIndex(all, ({ key }) => key), new VersionSweep(all)];
        for (const at of asked) {
          const expected = all.filter(isValid(at));
          expect(['a', 'b', 'c'].flatMap((key) => index.at(key, at) ?? [])).toEqual(
            [...expected].sort((left, right) => (left.key < right.key ? -1 : 1)),
          );
          expect(new Set(sweep.at(at))).toEqual(new Set(expected));
        }
      }),
    );
  });

  it('have boundaries that merge into one list, latest first, without repetitions', () => {
    fc.assert(
      fc.property(fc.array(versions, { maxLength: 4 }), (lists) => {
        const found = [...mergeRevisions(...lists.map((list) => latestFirst(boundariesOf(list))))];
        expect(found).toEqual([...latestFirst(boundariesOf(lists.flat()))]);
      }),
    );
  });

  it('are each visited a few times, however many there are', () => {
    const looksAt = (count: number) => {
      let looks = 0;
      const all = Array.from({ length: count }, (_, at) => ({
        key: 'a',
        get revision() {
          looks += 1;
          return at + 1;
        },
        revisionTo: at + 2,
      }));
      const [index, sweep] = [new VersionIndex(all, ({ key }) => key), new VersionSweep(all)];
      looks = 0;
      for (let at = count; at > 0; at -= 1) index.at('a', at);
      const indexed = looks / count;
      looks = 0;
      for (let at = count; at > 0; at -= 1) sweep.at(at);
      return { indexed, swept: looks / count };
    };

    const [few, many] = [looksAt(1_000), looksAt(10_000)];

    expect(many.indexed - few.indexed).toBeLessThan(5);
    expect(many.swept).toBeLessThan(few.swept + 1);
  });
});

import fc from 'fast-check';
import { compareNames } from './human-order.ts';
import { anyCharacter } from './testing/any-character.ts';

const sorted = (names: readonly string[]) => [...names].sort(compareNames);

/** Names like those of users, with frequent collisions of case, punctuation and accents. */
const names = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'aAbBzZ019-_. /äÄéß$+') }),
  fc.string({ unit: anyCharacter }),
);

describe('compareNames', () => {
  it.each`
    why                                     | ordered
    ${'recorded projects'}                  | ${['redis', 'TestProject', 'web']}
    ${'recorded environments'}              | ${['development', 'dev-matt', 'production']}
    ${'punctuation does not separate'}      | ${['data-base', 'database2', 'data_base_3']}
    ${'case decides between equal letters'} | ${['port', 'Port', 'PORT']}
    ${'digits come before letters'}         | ${['1st', 'a', 'B', 'c']}
    ${'code units decide between equals'}   | ${['a b', 'a-b', 'a.b', 'a/b', 'a_b', 'ab']}
    ${'accents matter less than letters'}   | ${['ar', 'är', 'as']}
    ${'digits are not numbers'}             | ${['node-1', 'node-10', 'node-2']}
  `('$why: $ordered', ({ ordered }) => {
    expect(sorted([...ordered].reverse())).toEqual(ordered);
  });

  it('never treats two different names as equal', () => {
    fc.assert(fc.property(names, names, (a, b) => expect(compareNames(a, b) === 0).toBe(a === b)));
  });

  it('sorts independently of the initial order', () => {
    fc.assert(
      fc.property(fc.array(names), fc.infiniteStream(fc.nat()), (list, random) => {
        const shuffled = list
          .map((name) => ({ name, at: random.next().value }))
          .sort((a, b) => a.at - b.at)
          .map(({ name }) => name);
        expect(sorted(shuffled)).toEqual(sorted(list));
      }),
    );
  });
});

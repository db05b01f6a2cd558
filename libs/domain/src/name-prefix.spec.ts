import * as fc from 'fast-check';
import { comparePrefixes, namePrefix, prefixRuns } from './name-prefix.ts';

it.each([
  ['DB_HOST', 'DB'],
  ['DB_MAIN_HOST', 'DB'],
  ['db.host', 'db'],
  ['db-host', 'db'],
  ['db:host', 'db'],
  ['db/host', 'db'],
  ['/app/db/host', '/app'],
  ['_INTERNAL_KEY', '_INTERNAL'],
  ['DB_', 'DB'],
  ['DB', null],
  ['DBA', null],
  ['_DB', null],
  ['__', null],
  ['feature flag', null],
  ['', null],
])('the prefix of %j is %j', (name, prefix) => {
  expect(namePrefix(name)).toBe(prefix);
});

/** Returns the runs of names that belong to one owner, sorted by prefix. */
function countRuns(...names: readonly string[]) {
  const sorted = names.toSorted().toSorted(comparePrefixes);
  return prefixRuns(sorted.map((name) => ({ name, owner: '' }))).map(({ prefix, count }) => [prefix, count]);
}

it.each([
  ['names with the same prefix', ['DB_HOST', 'DB_PORT'], [['DB', 2]]],
  [
    'a name that begins alike',
    ['DB_HOST', 'DBA', 'DB_PORT'],
    [
      ['DB', 2],
      [null, 1],
    ],
  ],
  [
    'a name that the order of names would place in between',
    ['LOG_A', 'LOGGER', 'LOG_Z'],
    [
      ['LOG', 2],
      [null, 1],
    ],
  ],
  [
    'the prefix itself',
    ['LOG', 'LOG_A', 'LOG_B'],
    [
      [null, 1],
      ['LOG', 2],
    ],
  ],
  [
    'a prefix that only one name has',
    ['A_X', 'B_X', 'B_Y', 'C_X', 'D'],
    [
      [null, 1],
      ['B', 2],
      [null, 2],
    ],
  ],
  [
    'prefixes that differ in letter case',
    ['db_a', 'DB_B', 'db_c', 'DB_D'],
    [
      ['db', 2],
      ['DB', 2],
    ],
  ],
  ['no name', [], []],
] as const)('groups: %s', (_, names, expected) => {
  expect(countRuns(...names).toSorted()).toEqual([...expected].toSorted());
});

it('names of different owners are in different groups', () => {
  const names = [
    ['DB_A', 'shop'],
    ['DB_B', 'shop'],
    ['DB_A', 'base'],
    ['DB_C', 'base'],
    ['DB_D', 'core'],
  ] as const;

  expect(prefixRuns(names.map(([name, owner]) => ({ name, owner })))).toEqual([
    { prefix: 'DB', count: 2 },
    { prefix: 'DB', count: 2 },
    { prefix: null, count: 1 },
  ]);
});

it('each name is in one run, and each prefix of several names is one group', () => {
  const part = fc.constantFrom('A', 'B', 'AB', 'a', '_', '.', '-', '/', ':', ' ');
  const names = fc.uniqueArray(
    fc.array(part, { maxLength: 5 }).map((parts) => parts.join('')),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(names, (sample) => {
      const prefixes = Map.groupBy(sample, namePrefix);
      const shared = [...prefixes].filter(([prefix, members]) => prefix !== null && members.length > 1);
      const runs = countRuns(...sample);

      expect(runs.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(sample.length);
      expect(runs.filter(([prefix]) => prefix !== null).toSorted()).toEqual(
        shared.map(([prefix, members]) => [prefix, members.length]).toSorted(),
      );
    }),
  );
});

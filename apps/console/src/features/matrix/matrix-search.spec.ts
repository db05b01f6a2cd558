import { selectColumns } from './grid-types.ts';
import { parseMatrixSearch } from './matrix-search.ts';

it('a URL describes what a page shows, and invalid parts are ignored', () => {
  const params = {
    q: 'log',
    state: 'differs',
    envs: ['production', 7, ''],
    pin: 'canary,qa',
    cell: 'PORT',
    in: 'canary',
    env: {},
  };
  expect(parseMatrixSearch(params)).toEqual({
    q: 'log',
    state: 'differs',
    env: undefined,
    envs: ['production', '7'],
    pin: ['canary', 'qa'],
    cell: 'PORT',
    in: 'canary',
  });
  expect(parseMatrixSearch({ q: '', state: 'everything', envs: '' })).toEqual({});
});

describe('the columns', () => {
  const environments = [
    { id: 'd', name: 'default', parentId: null, parentName: null },
    { id: 'p', name: 'production', parentId: 'd', parentName: 'default' },
    { id: 'c', name: 'canary', parentId: 'p', parentName: 'production' },
  ];
  const listColumnNames = (names: Parameters<typeof selectColumns>[1]) =>
    selectColumns(environments, names).map(({ name, depth, isPinned }) => [name, depth, isPinned]);

  test.each`
    envs                     | pin            | columns
    ${undefined}             | ${undefined}   | ${[['default', 0, false], ['production', 1, false], ['canary', 2, false]]}
    ${['canary', 'default']} | ${undefined}   | ${[['canary', 2, false], ['default', 0, false]]}
    ${['nowhere']}           | ${undefined}   | ${[['default', 0, false], ['production', 1, false], ['canary', 2, false]]}
    ${undefined}             | ${['canary']}  | ${[['canary', 2, true], ['default', 0, false], ['production', 1, false]]}
    ${['canary']}            | ${['canary']}  | ${[['canary', 2, false]]}
    ${['canary', 'canary']}  | ${['nowhere']} | ${[['canary', 2, false]]}
  `('of $envs with $pin pinned are $columns', ({ envs, pin, columns }) => {
    expect(listColumnNames({ envs, pin })).toEqual(columns);
  });
});

import { columnsOf } from './grid-types.ts';
import { matrixSearchIn } from './matrix-search.ts';

it('a URL describes what a page shows, and invalid parts are ignored', () => {
  const given = { q: 'log', state: 'differs', envs: ['production', 7, ''], cell: 'PORT', in: 'canary', env: {} };
  expect(matrixSearchIn(given)).toEqual({
    q: 'log',
    state: 'differs',
    env: undefined,
    envs: ['production', '7'],
    cell: 'PORT',
    in: 'canary',
  });
  expect(matrixSearchIn({ q: '', state: 'everything', envs: 'production' })).toEqual({});
});

it('the columns are the named environments in the order of the tree, or all if none of them exists', () => {
  const environments = [
    { id: 'd', name: 'default', parentId: null, parentName: null },
    { id: 'p', name: 'production', parentId: 'd', parentName: 'default' },
    { id: 'c', name: 'canary', parentId: 'p', parentName: 'production' },
  ];
  const shown = (names?: readonly string[]) => columnsOf(environments, names).map(({ name, depth }) => [name, depth]);

  expect(shown()).toEqual([
    ['default', 0],
    ['production', 1],
    ['canary', 2],
  ]);
  expect(shown(['canary', 'default'])).toEqual([
    ['default', 0],
    ['canary', 2],
  ]);
  expect(shown(['nowhere'])).toHaveLength(3);
});

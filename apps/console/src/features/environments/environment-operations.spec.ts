import { asTree, descendantsOf } from '../../lib/environment-tree.ts';
import { copying, deleting } from './environment-operations.ts';

const TREE = asTree([
  { id: 'd', name: 'default', parentId: null },
  { id: 'p', name: 'production', parentId: 'd' },
  { id: 'c', name: 'canary', parentId: 'p' },
  { id: 'e', name: 'eu', parentId: 'c' },
  { id: 's', name: 'staging', parentId: 'd' },
]);
const PRODUCTION = { id: 'p', name: 'production', parentId: 'd' };
const BELOW = descendantsOf(TREE, 'p');

describe('what a change of environments comes to', () => {
  it('those below one are all that inherit from it, through others too', () => {
    expect(BELOW.map(({ name }) => name)).toEqual(['canary', 'eu']);
    expect(descendantsOf(TREE, 'e')).toEqual([]);
  });

  it('copies with values by the copy of the API, children by their new names', () => {
    const given = { name: 'twin', description: '', withValues: true };

    expect(copying(PRODUCTION, BELOW, { ...given, childNames: null })).toMatchObject([
      { operation: 'environments_copy_create', body: { name: 'twin', description: '' } },
    ]);
    expect(
      copying(PRODUCTION, BELOW, { ...given, childNames: { canary: 'twin-canary', eu: 'twin-eu' } }),
    ).toMatchObject([{ body: { recursive: true, child_environment_names: { canary: 'twin-canary', eu: 'twin-eu' } } }]);
  });

  it('copies without values by making a tree of the same shape beside it', () => {
    const childNames = { canary: 'c2', eu: 'e2' };

    expect(copying(PRODUCTION, BELOW, { name: 'twin', description: '', withValues: false, childNames })).toMatchObject([
      { as: 'p', body: { name: 'twin', parent: 'd' } },
      { as: 'c', body: { name: 'c2', parent: { $ref: 'p' } } },
      { as: 'e', body: { name: 'e2', parent: { $ref: 'c' } } },
    ]);
  });

  it('deletes children before their parents', () => {
    expect(deleting('p', BELOW).map(({ path }) => path)).toEqual([{ id: 'e' }, { id: 'c' }, { id: 'p' }]);
  });
});

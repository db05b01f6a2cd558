import { asTree, listDescendants } from '../../lib/environment-tree.ts';
import { environmentCopyOperations, environmentDeletionOperations } from './environment-operations.ts';

const TREE = asTree([
  { id: 'd', name: 'default', parentId: null },
  { id: 'p', name: 'production', parentId: 'd' },
  { id: 'c', name: 'canary', parentId: 'p' },
  { id: 'e', name: 'eu', parentId: 'c' },
  { id: 's', name: 'staging', parentId: 'd' },
]);
const PRODUCTION = { id: 'p', name: 'production', parentId: 'd' };
const BELOW = listDescendants(TREE, 'p');

describe('operations on environments', () => {
  it('treat direct and indirect children as descendants', () => {
    expect(BELOW.map(({ name }) => name)).toEqual(['canary', 'eu']);
    expect(listDescendants(TREE, 'e')).toEqual([]);
  });

  it('copy values through the API’s copy operation, and rename the children', () => {
    const copy = { name: 'twin', description: '', withValues: true };

    expect(environmentCopyOperations(PRODUCTION, BELOW, { ...copy, childNames: null })).toMatchObject([
      { operation: 'environments_copy_create', body: { name: 'twin', description: '' } },
    ]);
    expect(
      environmentCopyOperations(PRODUCTION, BELOW, { ...copy, childNames: { canary: 'twin-canary', eu: 'twin-eu' } }),
    ).toMatchObject([{ body: { recursive: true, child_environment_names: { canary: 'twin-canary', eu: 'twin-eu' } } }]);
  });

  it('copy without values by creating a tree of the same shape', () => {
    const childNames = { canary: 'c2', eu: 'e2' };

    expect(
      environmentCopyOperations(PRODUCTION, BELOW, { name: 'twin', description: '', withValues: false, childNames }),
    ).toMatchObject([
      { as: 'p', body: { name: 'twin', parent: 'd' } },
      { as: 'c', body: { name: 'c2', parent: { $ref: 'p' } } },
      { as: 'e', body: { name: 'e2', parent: { $ref: 'c' } } },
    ]);
  });

  it('delete children before their parents', () => {
    expect(environmentDeletionOperations('p', BELOW).map(({ path }) => path)).toEqual([
      { id: 'e' },
      { id: 'c' },
      { id: 'p' },
    ]);
  });
});

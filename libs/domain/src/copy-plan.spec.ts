import fc from 'fast-check';
import { copyConflict, copyPlan } from './copy-plan.ts';

const TREE = [
  { id: 'd', name: 'default', parentId: null },
  { id: 'p', name: 'production', parentId: 'd' },
  { id: 'eu', name: 'eu', parentId: 'p' },
  { id: 'us', name: 'us', parentId: 'p' },
  { id: 'us1', name: 'us-east', parentId: 'us' },
];

describe('copyPlan', () => {
  it('copies one node, or its whole subtree under new names with parents first', () => {
    expect(copyPlan(TREE, 'p', { name: 'new', recursive: false, names: null })).toEqual([
      { sourceId: 'p', name: 'new', parentSourceId: null },
    ]);
    expect(copyPlan(TREE, 'p', { name: 'new', recursive: true, names: { us: 'america', nobody: 'x' } })).toEqual([
      { sourceId: 'p', name: 'new', parentSourceId: null },
      { sourceId: 'eu', name: 'eu-1', parentSourceId: 'p' },
      { sourceId: 'us', name: 'america', parentSourceId: 'p' },
      { sourceId: 'us1', name: 'us-east-1', parentSourceId: 'us' },
    ]);
  });

  it('detects names that are taken or occur twice', () => {
    const plan = copyPlan(TREE, 'p', { name: 'new', recursive: true, names: { us: 'eu-1' } });
    expect(copyConflict(plan, [])).toMatchObject({ sourceId: 'us' });
    expect(copyConflict(plan, ['new'])).toMatchObject({ sourceId: 'p' });
    expect(copyConflict(copyPlan(TREE, 'p', { name: 'new', recursive: true, names: null }), ['default'])).toBeNull();
  });

  it('contains every descendant exactly once, below the copy of its own parent', () => {
    const forest = fc
      .integer({ min: 1, max: 40 })
      .chain((size) =>
        fc
          .tuple(...Array.from({ length: size }, (_, n) => fc.integer({ min: 0, max: Math.max(0, n - 1) })))
          .map((parents) =>
            parents.map((parent, n) => ({ id: `${n}`, name: `n${n}`, parentId: n === 0 ? null : `${parent}` })),
          ),
      );
    fc.assert(
      fc.property(forest, (nodes) => {
        const plan = copyPlan(nodes, '0', { name: 'top', recursive: true, names: null });
        expect(plan.map(({ sourceId }) => sourceId).sort()).toEqual(nodes.map(({ id }) => id).sort());
        const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId]));
        for (const { sourceId, parentSourceId } of plan) expect(parentSourceId).toBe(parents.get(sourceId));
      }),
    );
  });
});

import fc from 'fast-check';
import {
  findChangedAncestors,
  indexById,
  inTreeOrder,
  isDescendant,
  LINEAGE_LENGTH_MAX,
  listLineage,
  listSubtree,
  type TreeNode,
  wouldMakeCycle,
} from './tree.ts';

function tree(parents: Readonly<Record<string, string | null>>): ReadonlyMap<string, TreeNode> {
  return indexById(Object.entries(parents).map(([id, parentId]) => ({ id, parentId })));
}

const TREE = tree({ default: null, staging: 'default', production: 'default', canary: 'production', island: null });

/** Random forests of n0 … nk. Each node is a root or the child of an earlier node. */
const forests = fc
  .array(fc.option(fc.nat(), { nil: null }), { minLength: 1, maxLength: 40 })
  .map((picks) =>
    indexById(picks.map((pick, i) => ({ id: `n${i}`, parentId: pick === null || i === 0 ? null : `n${pick % i}` }))),
  );
const forestsWithTwoNodes = forests.chain((nodes) => {
  const node = fc.constantFrom(...nodes.keys());
  return fc.tuple(fc.constant(nodes), node, node);
});

describe('lineage', () => {
  it.each`
    start        | chain
    ${'default'} | ${['default']}
    ${'staging'} | ${['staging', 'default']}
    ${'canary'}  | ${['canary', 'production', 'default']}
    ${'island'}  | ${['island']}
  `('returns $chain for $start', ({ start, chain }) => {
    expect(listLineage(TREE, start)).toEqual(chain);
  });

  it('throws for a cycle', () => {
    expect(() => listLineage(tree({ a: 'b', b: 'a', c: 'b' }), 'c')).toThrow('Node c has no root.');
  });

  it('throws for a node that is its own parent', () => {
    expect(() => listLineage(tree({ a: 'a' }), 'a')).toThrow('Node a has no root.');
  });

  it('throws for an unknown node and a missing parent', () => {
    expect(() => listLineage(TREE, 'nowhere')).toThrow('Node nowhere is not part');
    expect(() => listLineage(tree({ a: 'gone' }), 'a')).toThrow('Node gone is not part');
  });

  it('accepts a tree of the maximum depth and throws for a deeper one', () => {
    const buildChain = (length: number) =>
      indexById(Array.from({ length }, (_, i) => ({ id: `${i}`, parentId: i === 0 ? null : `${i - 1}` })));
    const deepest = listLineage(buildChain(LINEAGE_LENGTH_MAX), `${LINEAGE_LENGTH_MAX - 1}`);
    expect(deepest).toHaveLength(LINEAGE_LENGTH_MAX);
    expect(() => listLineage(buildChain(LINEAGE_LENGTH_MAX + 1), `${LINEAGE_LENGTH_MAX}`)).toThrow('has no root');
  });

  it('leads from each node by its parents to a root', () => {
    fc.assert(
      fc.property(forests, (nodes) => {
        for (const start of nodes.keys()) {
          const chain = listLineage(nodes, start);
          expect(chain[0]).toBe(start);
          expect(chain.map((id) => nodes.get(id)?.parentId)).toEqual([...chain.slice(1), null]);
        }
      }),
    );
  });
});

describe('isDescendant', () => {
  it.each`
    id           | ancestor        | expected
    ${'canary'}  | ${'default'}    | ${true}
    ${'canary'}  | ${'production'} | ${true}
    ${'canary'}  | ${'staging'}    | ${false}
    ${'default'} | ${'canary'}     | ${false}
    ${'canary'}  | ${'canary'}     | ${false}
    ${'canary'}  | ${'island'}     | ${false}
  `('returns $expected for $id below $ancestor', ({ id, ancestor, expected }) => {
    expect(isDescendant(TREE, id, ancestor)).toBe(expected);
  });
});

describe('wouldMakeCycle', () => {
  it.each`
    moved           | newParent    | expected
    ${'staging'}    | ${'canary'}  | ${false}
    ${'canary'}     | ${'staging'} | ${false}
    ${'canary'}     | ${null}      | ${false}
    ${'production'} | ${'canary'}  | ${true}
    ${'default'}    | ${'canary'}  | ${true}
    ${'canary'}     | ${'canary'}  | ${true}
    ${'default'}    | ${'island'}  | ${false}
  `('returns $expected for $moved below $newParent', ({ moved, newParent, expected }) => {
    expect(wouldMakeCycle(TREE, moved, newParent)).toBe(expected);
  });

  it('is true exactly if the move would leave a node without a root', () => {
    fc.assert(
      fc.property(forestsWithTwoNodes, ([nodes, moved, newParent]) => {
        const after = indexById([...nodes.values(), { id: moved, parentId: newParent }]);
        const walk = () => [...after.keys()].map((id) => listLineage(after, id));
        if (wouldMakeCycle(nodes, moved, newParent)) expect(walk).toThrow('has no root');
        else expect(walk).not.toThrow();
      }),
    );
  });
});

describe('exchangedAbove', () => {
  it.each`
    from            | to              | exchanged
    ${'staging'}    | ${'staging'}    | ${[]}
    ${'staging'}    | ${'default'}    | ${['staging']}
    ${'default'}    | ${'canary'}     | ${['canary', 'production']}
    ${'staging'}    | ${'canary'}     | ${['staging', 'canary', 'production']}
    ${'production'} | ${'island'}     | ${['production', 'default', 'island']}
    ${'canary'}     | ${null}         | ${['canary', 'production', 'default']}
    ${null}         | ${'production'} | ${['production', 'default']}
    ${null}         | ${null}         | ${[]}
  `('returns $exchanged for a move from $from to $to', ({ from, to, exchanged }) => {
    expect(findChangedAncestors(TREE, from, to)).toEqual(exchanged);
  });
});

describe('subtree', () => {
  it('returns the node and all its descendants', () => {
    expect(listSubtree(TREE, 'default')).toEqual(['default', 'staging', 'production', 'canary']);
    expect(listSubtree(TREE, 'canary')).toEqual(['canary']);
  });

  it('contains exactly the nodes whose lineage includes its root', () => {
    fc.assert(
      fc.property(forestsWithTwoNodes, ([nodes, root]) => {
        const descendantIds = [...nodes.keys()].filter((id) => listLineage(nodes, id).includes(root));
        expect([...listSubtree(nodes, root)].sort()).toEqual(descendantIds.sort());
      }),
    );
  });
});

describe('inTreeOrder', () => {
  const named = (nodes: ReadonlyMap<string, TreeNode>) =>
    [...nodes.values()].map((node) => ({ ...node, name: node.id }));

  it('sorts siblings by name, each followed by its descendants', () => {
    const ordered = inTreeOrder(named(TREE));

    expect(ordered.map(({ id }) => id)).toEqual(['default', 'production', 'canary', 'staging', 'island']);
  });

  it('contains every node once, with its descendants right after it', () => {
    fc.assert(
      fc.property(forests, (nodes) => {
        const ordered = inTreeOrder(named(nodes)).map(({ id }) => id);
        expect([...ordered].sort()).toEqual([...nodes.keys()].sort());
        for (const [index, id] of ordered.entries()) {
          const subtreeIds = listSubtree(nodes, id);
          expect([...ordered.slice(index, index + subtreeIds.length)].sort()).toEqual([...subtreeIds].sort());
        }
      }),
    );
  });
});

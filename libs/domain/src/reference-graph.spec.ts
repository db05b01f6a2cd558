import fc from 'fast-check';
import { findLoop, graphDepth, type TextGraph, textGraph } from './reference-graph.ts';

const PROJECTS = [
  { id: 'base', name: 'base', dependsOnId: null },
  { id: 'child', name: 'child', dependsOnId: 'base' },
];

describe('textGraph', () => {
  it('connects a name to every value that may become effective, for all owners and environments', () => {
    const values = [
      { id: 'v1', projectId: 'base', name: 'host' },
      { id: 'v2', projectId: 'child', name: 'host' },
      { id: 'v3', projectId: 'child', name: 'port' },
    ];
    const edge = (
      sourceId: string,
      kind: 'parameter' | 'template' | 'parameters',
      projectId: string,
      name: string,
      targetId: string | null,
    ) => ({ sourceId, kind, projectId, name, targetId });
    const graph = textGraph(
      [
        edge('t', 'parameter', 'child', 'host', 'p'),
        edge('u', 'parameter', 'base', 'host', 'p'),
        edge('w', 'parameters', 'child', '', null),
        edge('t', 'template', 'base', 'u', 'u'),
      ],
      values,
      PROJECTS,
    );
    expect(Object.fromEntries([...graph].map(([id, needed]) => [id, [...needed].sort()]))).toEqual({
      t: ['u', 'v1', 'v2'],
      u: ['v1'],
      w: ['v1', 'v2', 'v3'],
    });
  });
});

/** Random edges among up to eight texts. */
const anyGraph = fc
  .array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 14 })
  .map((edges) => toGraph(edges.map(([from, to]) => [`${from}`, `${to}`])));

function toGraph(edges: readonly (readonly [string, string])[]): TextGraph {
  const graph = new Map<string, string[]>();
  for (const [from, to] of edges) graph.set(from, [...(graph.get(from) ?? []), to]);
  return graph;
}

/** The definition of a loop: a text that can reach itself. */
function reaches(graph: TextGraph, from: string, to: string): boolean {
  const seen = new Set<string>();
  const rest = [...(graph.get(from) ?? [])];
  for (let id = rest.pop(); id !== undefined; id = rest.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    rest.push(...(graph.get(id) ?? []));
  }
  return false;
}

describe('findLoop', () => {
  it('finds a loop exactly if some text depends on itself, and returns it in order', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const loop = findLoop(graph);
        expect(loop !== null).toBe([...graph.keys()].some((id) => reaches(graph, id, id)));
        if (!loop) return;
        expect(new Set(loop).size).toBe(loop.length);
        for (const [index, id] of loop.entries()) {
          expect(graph.get(id)).toContain(loop[(index + 1) % loop.length]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('handles graphs that are deeper than the stack', () => {
    const edges = Array.from({ length: 100_000 }, (_, n) => [`${n}`, `${n + 1}`] as const);
    expect(findLoop(toGraph(edges))).toBeNull();
    expect(graphDepth(toGraph(edges))).toBe(100_001);
    expect(findLoop(toGraph([...edges, ['100000', '0']]))).toHaveLength(100_001);
  });
});

describe('graphDepth', () => {
  it('counts the longest chain of texts', () => {
    expect(graphDepth(toGraph([]))).toBe(0);
    expect(
      graphDepth(
        toGraph([
          ['a', 'b'],
          ['b', 'c'],
          ['a', 'c'],
        ]),
      ),
    ).toBe(3);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 20 }), (pairs) => {
        const graph = toGraph(pairs.filter(([a, b]) => a < b).map(([a, b]) => [`${a}`, `${b}`]));
        const longest = (id: string): number => 1 + Math.max(0, ...(graph.get(id) ?? []).map(longest));
        expect(graphDepth(graph)).toBe(Math.max(0, ...[...graph.keys()].map(longest)));
      }),
    );
  });
});

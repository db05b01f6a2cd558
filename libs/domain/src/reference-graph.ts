import type { ProjectId } from './ids.ts';
import { type ProjectLink, projectChain, type ReferenceKind } from './reference.ts';

/** One reference of a text (a dynamic value or a template). */
export interface ReferenceEdge {
  readonly sourceId: string;
  readonly kind: ReferenceKind;
  /** The project whose scope resolves the name. */
  readonly projectId: ProjectId;
  readonly name: string;
  readonly targetId: string | null;
}

/** A dynamic value, its project and its name. Any value of a name may become the effective one in some environment. */
export interface DynamicValue {
  readonly id: string;
  /** The project of its parameter. */
  readonly projectId: ProjectId;
  readonly name: string;
}

/** Maps each text to the texts that it may depend on, by id. */
export type TextGraph = ReadonlyMap<string, readonly string[]>;

/**
 * Returns which texts may depend on each other in any environment (behaviour.md §7.2, loops). The graph ignores
 * environments, so a loop that only inheritance currently prevents is rejected too. Otherwise moving an environment
 * could create a loop.
 */
export function textGraph(
  references: readonly ReferenceEdge[],
  dynamicValues: readonly DynamicValue[],
  projects: readonly ProjectLink[],
): TextGraph {
  const byOwner = Map.groupBy(dynamicValues, ({ projectId }) => projectId);
  const byName = Map.groupBy(dynamicValues, nodeKey);
  const chains = new Map<ProjectId, readonly ProjectId[]>();
  const graph = new Map<string, string[]>();
  for (const { sourceId, kind, projectId, name, targetId } of references) {
    const neededIds = graph.get(sourceId) ?? [];
    graph.set(sourceId, neededIds);
    if (kind === 'template') {
      if (targetId !== null) neededIds.push(targetId);
      continue;
    }
    const chain = chains.get(projectId) ?? projectChain(projects, projectId);
    chains.set(projectId, chain);
    for (const owner of chain) {
      const values = kind === 'parameters' ? byOwner.get(owner) : byName.get(nodeKey({ projectId: owner, name }));
      for (const value of values ?? []) neededIds.push(value.id);
    }
  }
  return graph;
}

/** Used as a map key, because a project may have thousands of dynamic values that refer to one another. */
function nodeKey({ projectId, name }: Pick<DynamicValue, 'projectId' | 'name'>): string {
  return `${projectId} ${name}`;
}

type Mark = 'open' | 'done';

/**
 * Returns a loop with each text once, in order, or null if there is none (domain.md §2.6). Iterative, so that long
 * chains do not overflow the stack.
 */
export function findLoop(graph: TextGraph): readonly string[] | null {
  const marks = new Map<string, Mark>();
  for (const start of graph.keys()) {
    const loop = marks.has(start) ? null : loopFrom(start, graph, marks);
    if (loop) return loop;
  }
  return null;
}

function loopFrom(start: string, graph: TextGraph, marks: Map<string, Mark>): readonly string[] | null {
  const path: { readonly id: string; readonly rest: Iterator<string> }[] = [];
  const enter = (id: string) => {
    marks.set(id, 'open');
    path.push({ id, rest: (graph.get(id) ?? [])[Symbol.iterator]() });
  };
  enter(start);
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const next = top.rest.next();
    if (next.done) {
      marks.set(top.id, 'done');
      path.pop();
      continue;
    }
    const mark = marks.get(next.value);
    if (mark === 'open') return path.slice(path.findIndex(({ id }) => id === next.value)).map(({ id }) => id);
    if (mark === undefined) enter(next.value);
  }
  return null;
}

/**
 * Returns the length of the longest chain of texts; a text without dependencies has length one. The graph must have no
 * loops.
 */
export function graphDepth(graph: TextGraph): number {
  const depths = new Map<string, number>();
  let depthMax = 0;
  for (const start of graph.keys()) {
    const stack = [start];
    for (let id = stack.at(-1); id !== undefined; id = stack.at(-1)) {
      const missingIds = (graph.get(id) ?? []).filter((neededId) => !depths.has(neededId));
      if (depths.has(id) || missingIds.length === 0) {
        const neededDepths = (graph.get(id) ?? []).map((neededId) => depths.get(neededId) ?? 0);
        depths.set(id, 1 + neededDepths.reduce((depthMax, depth) => Math.max(depthMax, depth), 0));
        stack.pop();
      } else stack.push(...missingIds);
    }
    depthMax = Math.max(depthMax, depths.get(start) ?? 0);
  }
  return depthMax;
}

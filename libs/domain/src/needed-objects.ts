import type { ProjectId } from './ids.ts';
import type { ProjectLink } from './reference.ts';
import type { DynamicValue, ReferenceEdge } from './reference-graph.ts';

/** The known references of some texts, direct and indirect. */
export interface NeededObjects {
  readonly references: readonly ReferenceEdge[];
  readonly dynamicValues: readonly DynamicValue[];
  readonly projects: readonly ProjectLink[];
}

/** A name in the scope of a project. The empty name stands for all names. */
export interface ScopedName {
  readonly projectId: ProjectId;
  readonly name: string;
}

const nameKey = ({ projectId, name }: ScopedName) => `${projectId} ${name}`;

/** Returns which of the values depend on a name of a project or on a text. */
export interface Dependents {
  ofPlace(place: ScopedName): readonly string[];
  ofText(id: string): readonly string[];
}

/**
 * Finds the dynamic values that depend on names and texts. A value depends on what its text refers to, directly and
 * indirectly. It also depends on the values of the same name in the projects above. At most `max` values are found per
 * name or text, and at least one if there is any. The cost therefore depends only on the number of references.
 */
export function findDependents(
  values: readonly string[],
  { references, dynamicValues, projects }: NeededObjects,
  max: number,
): Dependents {
  const valuesByNode = new Map<string, string[]>();
  const reachedNodes: (readonly [node: string, value: string])[] = [];
  const reach = (node: string, value: string) => {
    const nodeValues = valuesByNode.get(node) ?? [];
    if (nodeValues.length === max || nodeValues.includes(value)) return;
    nodeValues.push(value);
    valuesByNode.set(node, nodeValues);
    reachedNodes.push([node, value]);
  };
  const next = neighbours({ references, dynamicValues, projects });
  const placeOf = new Map(dynamicValues.map((value) => [value.id, nameKey(value)]));
  for (const value of values) {
    reach(value, value);
    reach(placeOf.get(value) ?? value, value);
  }
  for (let index = 0; index < reachedNodes.length; index += 1) {
    const [node, value] = reachedNodes[index] as (typeof reachedNodes)[number];
    for (const neighbour of next(node)) reach(neighbour, value);
  }
  const valuesAt = (node: string) => valuesByNode.get(node) ?? [];
  return {
    ofPlace: ({ projectId, name }) => [
      ...new Set([...valuesAt(nameKey({ projectId, name })), ...valuesAt(nameKey({ projectId, name: '' }))]),
    ],
    ofText: valuesAt,
  };
}

/** Returns the direct dependencies of a text or a name. */
function neighbours({ references, dynamicValues, projects }: NeededObjects): (node: string) => readonly string[] {
  const edges = new Map<string, string[]>();
  const lead = (from: string, to: string) => {
    const targets = edges.get(from);
    if (targets) targets.push(to);
    else edges.set(from, [to]);
  };
  const parents = new Map(projects.map(({ id, dependsOnId }) => [id, dependsOnId]));
  const visitedNodes = new Set<string>();
  // A name is resolved in its project, then in the projects that it depends on.
  const leadUp = ({ projectId, name }: ScopedName) => {
    for (let id = projectId, up = parents.get(id) ?? null; up !== null; id = up, up = parents.get(id) ?? null) {
      const from = nameKey({ projectId: id, name });
      if (visitedNodes.has(from)) return;
      visitedNodes.add(from);
      lead(from, nameKey({ projectId: up, name }));
    }
  };
  for (const { sourceId, kind, projectId, name, targetId } of references) {
    if (kind === 'template') {
      if (targetId !== null) lead(sourceId, targetId);
      continue;
    }
    lead(sourceId, nameKey({ projectId, name }));
    leadUp({ projectId, name });
  }
  for (const { id, projectId, name } of dynamicValues) {
    lead(nameKey({ projectId, name }), id);
    lead(nameKey({ projectId, name: '' }), id);
    leadUp({ projectId, name });
  }
  return (node) => edges.get(node) ?? [];
}

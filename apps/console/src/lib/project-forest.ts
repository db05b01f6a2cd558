import { descendantsInOrder } from './descendants.ts';

export interface UnlistedProject {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly dependsOnId: string | null;
}

export interface ListedProject extends UnlistedProject {
  readonly dependsOnName: string | null;
  /** The number of projects that it depends on, directly or indirectly. */
  readonly depth: number;
}

/** Sorts projects as a tree, siblings by name. */
export function asForest(projects: readonly UnlistedProject[]): readonly ListedProject[] {
  const byId = new Map(projects.map((project) => [project.id, project]));
  const findDependency = ({ dependsOnId }: UnlistedProject) => byId.get(dependsOnId ?? '') ?? null;
  const dependentsById = Map.groupBy(projects, (project) => findDependency(project)?.id ?? null);
  const listedProjects: ListedProject[] = [];
  const add = (parent: UnlistedProject | null, depth: number) => {
    const next = [...(dependentsById.get(parent?.id ?? null) ?? [])].sort((a, b) => a.name.localeCompare(b.name));
    for (const project of next) {
      listedProjects.push({ ...project, dependsOnName: parent?.name ?? null, depth });
      add(project, depth + 1);
    }
  };
  add(null, 0);
  return listedProjects;
}

/** Returns the direct and indirect dependents of a project. */
export const listDependents = (projects: readonly ListedProject[], id: string): readonly ListedProject[] =>
  descendantsInOrder(projects, id, ({ dependsOnId }) => dependsOnId);

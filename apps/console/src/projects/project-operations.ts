import type { ChangesetOperations } from '../review/planned-change.tsx';

/** What can be said of a project. */
export interface ProjectMembers {
  readonly name: string;
  readonly description: string;
  readonly parameter_name_pattern: string;
  /** Id of a project; null for none. */
  readonly depends_on: string | null;
}

/** What a project was when somebody began to write. */
export interface BegunProject extends ProjectMembers {
  readonly id: string;
  readonly ledgerId: string;
}

/** Only what is said otherwise than it was; refused where the project has been changed since. */
export function changingProject(is: BegunProject, shall: Partial<ProjectMembers>): ChangesetOperations {
  const body = Object.fromEntries(
    Object.entries(shall).filter(([member, said]) => said !== is[member as keyof ProjectMembers]),
  );
  if (Object.keys(body).length === 0) return [];
  return [{ operation: 'projects_partial_update', path: { id: is.id }, body, ifMatch: is.ledgerId }];
}

interface ProjectCopying {
  readonly name: string;
  readonly description: string;
  readonly dependsOnId: string | null;
  /** What copies of those that depend on it are called, by the names of those; null where they are not copied. */
  readonly childNames: Readonly<Record<string, string>> | null;
}

export function copyingProject(
  id: string,
  { name, description, dependsOnId, childNames }: ProjectCopying,
): ChangesetOperations {
  const children = childNames === null ? {} : { recursive: true, child_project_names: childNames };
  const body = { name, description, depends_on: dependsOnId, ...children };
  return [{ operation: 'projects_copy_create', path: { id }, body }];
}

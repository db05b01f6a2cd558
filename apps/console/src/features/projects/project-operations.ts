import { changeOperation } from '../../kit/planned/change-operation.ts';
import type { CopyNames } from '../../kit/planned/described-forms.tsx';
import type { ChangesetOperations } from '../../kit/planned/planned-change.tsx';

/** A project in the version that the user started to edit. */
export interface EditedProject {
  readonly id: string;
  readonly ledgerId: string;
  readonly name: string;
  readonly parameter_name_pattern: string;
  /** The id of the parent project; null for none. */
  readonly depends_on: string | null;
}

/** Returns the operation that changes the name pattern or the parent of a project. */
export const changingProject = (
  currentVersion: EditedProject,
  shall: Partial<Pick<EditedProject, 'parameter_name_pattern' | 'depends_on'>>,
): ChangesetOperations =>
  changeOperation<EditedProject>('projects_partial_update', { id: currentVersion.id }, currentVersion, shall);

interface ProjectCopying extends CopyNames {
  readonly dependsOnId: string | null;
}

export function projectCopyOperations(
  id: string,
  { name, description, dependsOnId, childNames }: ProjectCopying,
): ChangesetOperations {
  const children = childNames === null ? {} : { recursive: true, child_project_names: childNames };
  const body = { name, description, depends_on: dependsOnId, ...children };
  return [{ operation: 'projects_copy_create', path: { id }, body }];
}

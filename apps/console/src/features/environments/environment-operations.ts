import type { CopyNames } from '../../kit/planned/described-forms.tsx';
import type { ChangesetOperations } from '../../kit/planned/planned-change.tsx';
import type { ListedEnvironment } from '../../lib/environment-tree.ts';

interface EnvironmentCopying extends CopyNames {
  readonly withValues: boolean;
}

/** Returns the operations of a copy, which gets the same parent as the original. Without values, they only create the environments. */
export function environmentCopyOperations(
  source: ListedEnvironment,
  descendants: readonly ListedEnvironment[],
  { name, description, withValues, childNames }: EnvironmentCopying,
): ChangesetOperations {
  if (withValues) {
    const children = childNames === null ? {} : { recursive: true, child_environment_names: childNames };
    return [
      { operation: 'environments_copy_create', path: { id: source.id }, body: { name, description, ...children } },
    ];
  }
  const creation = {
    operation: 'environments_create',
    as: source.id,
    body: { name, description, parent: source.parentId },
  };
  if (childNames === null) return [creation];
  return [
    creation,
    ...descendants.map((descendant) => ({
      operation: 'environments_create',
      as: descendant.id,
      body: { name: childNames[descendant.name] ?? descendant.name, parent: { $ref: descendant.parentId } },
    })),
  ];
}

/** Returns the operations of a deletion, children before their parents. */
export function environmentDeletionOperations(
  id: string,
  descendants: readonly ListedEnvironment[],
): ChangesetOperations {
  return [...descendants.map((descendant) => descendant.id).reverse(), id].map((deletedId) => ({
    operation: 'environments_destroy',
    path: { id: deletedId },
  }));
}

import type { ChangesetOperations } from '../review/planned-change.tsx';
import type { ListedEnvironment } from './environment-tree.ts';

/** What an environment is called and for. */
interface Described {
  readonly name: string;
  readonly description: string;
}

interface DescribedVersion extends Described {
  readonly id: string;
  readonly ledgerId: string;
}

/** Only what is said otherwise than it was when somebody began to write; refused where it has been changed since. */
export function describing(is: DescribedVersion, shall: Described): ChangesetOperations {
  const body = {
    ...(shall.name !== is.name && { name: shall.name }),
    ...(shall.description !== is.description && { description: shall.description }),
  };
  if (Object.keys(body).length === 0) return [];
  return [{ operation: 'environments_partial_update', path: { id: is.id }, body, ifMatch: is.ledgerId }];
}

export interface EnvironmentCopying extends Described {
  readonly withValues: boolean;
  /** What copies of those below are called, by the names of those; null where they are not copied. */
  readonly childNames: Readonly<Record<string, string>> | null;
}

/** A copy is a sibling. Without values it is environments of the same shape. */
export function copying(
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
  const made = {
    operation: 'environments_create',
    as: source.id,
    body: { name, description, parent: source.parentId },
  };
  if (childNames === null) return [made];
  return [
    made,
    ...descendants.map((below) => ({
      operation: 'environments_create',
      as: below.id,
      body: { name: childNames[below.name] ?? below.name, parent: { $ref: below.parentId } },
    })),
  ];
}

/** Children go before their parents. */
export function deleting(id: string, descendants: readonly ListedEnvironment[]): ChangesetOperations {
  return [...descendants.map((below) => below.id).reverse(), id].map((each) => ({
    operation: 'environments_destroy',
    path: { id: each },
  }));
}

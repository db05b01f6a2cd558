import type { ChangesetOperations } from '../../data/plan.ts';

/** Returns an operation that changes only the edited fields and expects the version that the user has seen. */
export function changeOperation<Members extends object>(
  operation: string,
  path: Readonly<Record<string, string>>,
  currentObject: Members & { readonly ledgerId: string },
  shall: Partial<Members>,
): ChangesetOperations {
  const body = Object.fromEntries(
    Object.entries(shall).filter(
      ([member, value]) => JSON.stringify(value) !== JSON.stringify(currentObject[member as keyof Members]),
    ),
  );
  return Object.keys(body).length === 0 ? [] : [{ operation, path, body, ifMatch: currentObject.ledgerId }];
}

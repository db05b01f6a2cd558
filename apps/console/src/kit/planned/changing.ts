import type { ChangesetOperations } from '../../data/plan.ts';

/** Only what is said otherwise than it was when somebody began to write; refused where it has been changed since. */
export function changing<Members extends object>(
  operation: string,
  path: Readonly<Record<string, string>>,
  is: Members & { readonly ledgerId: string },
  shall: Partial<Members>,
): ChangesetOperations {
  const body = Object.fromEntries(
    Object.entries(shall).filter(
      ([member, said]) => JSON.stringify(said) !== JSON.stringify(is[member as keyof Members]),
    ),
  );
  return Object.keys(body).length === 0 ? [] : [{ operation, path, body, ifMatch: is.ledgerId }];
}

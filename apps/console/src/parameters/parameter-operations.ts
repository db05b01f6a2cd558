import type { ChangesetOperations } from '../review/planned-change.tsx';

/** What can be said of a parameter. Whether it is secret is said once, when it is made. */
export interface ParameterMembers {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  /** A duration, such as `P30D`; null for ever. */
  readonly expires: string | null;
  /** Options of the password that takes the place of an expired text; null: it is only marked. */
  readonly expiration_action: Readonly<Record<string, unknown>> | null;
}

/** Which version of which parameter of which project. */
interface ParameterVersion {
  readonly projectId: string;
  readonly id: string;
  readonly ledgerId: string;
}

/** Only what is said otherwise than it was when somebody began to write; refused where it has been changed since. */
export function changingParameter(
  { projectId, id, ledgerId }: ParameterVersion,
  is: ParameterMembers,
  shall: ParameterMembers,
): ChangesetOperations {
  const body = Object.fromEntries(
    Object.entries(shall).filter(
      ([member, said]) => JSON.stringify(said) !== JSON.stringify(is[member as keyof ParameterMembers]),
    ),
  );
  if (Object.keys(body).length === 0) return [];
  const path = { project_pk: projectId, id };
  return [{ operation: 'projects_parameters_partial_update', path, body, ifMatch: ledgerId }];
}

/** The length of a generated text among other options of it, which stay. */
export function withLength(
  action: Readonly<Record<string, unknown>> | null,
  length: number,
): Readonly<Record<string, unknown>> {
  return action?.length === length ? action : { ...action, length };
}

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

/** The length of a generated text among other options of it, which stay. */
export function withLength(
  action: Readonly<Record<string, unknown>> | null,
  length: number,
): Readonly<Record<string, unknown>> {
  return action?.length === length ? action : { ...action, length };
}

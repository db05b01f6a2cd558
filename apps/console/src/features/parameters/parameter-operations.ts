/** The editable fields of a parameter. Whether it is secret is fixed. */
export interface ParameterMembers {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  /** The lifetime of its values as a duration, such as `P30D`; null if they do not expire. */
  readonly expires: string | null;
  /** The options of the password that is generated when a value expires; null to only mark the value as expired. */
  readonly expiration_action: Readonly<Record<string, unknown>> | null;
}

/** Returns the options with another length of the generated text. */
export function withLength(
  action: Readonly<Record<string, unknown>> | null,
  length: number,
): Readonly<Record<string, unknown>> {
  return action?.length === length ? action : { ...action, length };
}

/** The editable fields of a parameter. Whether it is secret cannot change. */
export interface ParameterMembers {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  /** A duration, such as `P30D`; null for no expiration. */
  readonly expires: string | null;
  /** The options of the generated password that replaces an expired text; null to only mark it. */
  readonly expiration_action: Readonly<Record<string, unknown>> | null;
}

/** Changes the length of a generated text, and keeps its other options. */
export function withLength(
  action: Readonly<Record<string, unknown>> | null,
  length: number,
): Readonly<Record<string, unknown>> {
  return action?.length === length ? action : { ...action, length };
}

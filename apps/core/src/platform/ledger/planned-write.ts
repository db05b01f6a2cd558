import { noteValidatedSecret } from '../shares/request-share.ts';

interface NamedParameter {
  readonly id: string;
  readonly name: string;
  readonly project: string;
}

/**
 * What is noted of a write of which a plan is made: what its decisions rest on, and what was not looked at. A secret that such
 * a write names counts as another one whatever its text, so that no plan tells whether a guess is right.
 */
export class PlannedWrite {
  /** Ids of objects that were looked at. */
  readonly objects = new Set<string>();
  /** Projects, environments and parameters that were looked at with all that is in them. */
  readonly contents = new Set<string>();
  /** Those of them that were looked at with what is below. */
  readonly below = new Set<string>();
  /** Places that were looked at and found empty, by names. */
  readonly absent = new Set<string>();
  /** Parameters of which a secret, or a text that says one, was not held against a type or a rule; by id. */
  readonly notJudged = new Map<string, Omit<NamedParameter, 'id'>>();
  private leftOut = 0;
  /** Part of a revert was refused because of a stored secret, which its plan did not validate. */
  isBeyondPlan = false;

  /** `isRehearsal`: it is undone in the end. */
  constructor(readonly isRehearsal: boolean) {}

  leaveOut(parameter: NamedParameter | undefined): void {
    this.leftOut += 1;
    if (parameter) this.notJudged.set(parameter.id, { name: parameter.name, project: parameter.project });
  }

  /** How often something was left out. */
  get timesLeftOut(): number {
    return this.leftOut;
  }
}

/**
 * Call this before you validate a stored secret. It returns false in a plan, which leaves no trace. Otherwise it returns true, and the
 * access log records the request whatever its answer is.
 */
export function mayValidateSecret(planned: PlannedWrite | undefined, parameter: NamedParameter | undefined): boolean {
  planned?.leaveOut(parameter);
  if (planned?.isRehearsal) return false;
  noteValidatedSecret();
  return true;
}

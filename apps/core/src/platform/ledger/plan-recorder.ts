import { recordSecretValidation } from '../limits/request-limits.ts';

interface NamedParameter {
  readonly id: string;
  readonly name: string;
  readonly project: string;
}

/**
 * What is noted of a write of which a plan is made: what its decisions rest on, and what was not looked at. A secret that such
 * a write names counts as another one whatever its text, so that no plan tells whether a guess is right.
 */
export class PlanRecorder {
  /** Ids of objects that were looked at. */
  readonly objects = new Set<string>();
  /** Projects, environments and parameters that were looked at with all that is in them. */
  readonly contents = new Set<string>();
  /** Those of them that were looked at with what is below. */
  readonly below = new Set<string>();
  /** Places that were looked at and found empty, by names. */
  readonly absent = new Set<string>();
  /** Parameters of which a secret, or a text that says one, was not held against a type or a rule; by id. */
  readonly notValidated = new Map<string, Omit<NamedParameter, 'id'>>();
  private skippedCount = 0;
  /** Part of a revert was refused because of a stored secret, which its plan did not validate. */
  isBeyondPlan = false;

  /** `isRehearsal`: it is undone in the end. */
  constructor(readonly isDryRun: boolean) {}

  skipValidation(parameter: NamedParameter | undefined): void {
    this.skippedCount += 1;
    if (parameter) this.notValidated.set(parameter.id, { name: parameter.name, project: parameter.project });
  }

  /** How often something was left out. */
  get skippedValidations(): number {
    return this.skippedCount;
  }
}

/**
 * Call this before you validate a stored secret. It returns false in a plan, which leaves no trace. Otherwise it returns true, and the
 * access log records the request whatever its answer is.
 */
export function mayValidateSecret(planned: PlanRecorder | undefined, parameter: NamedParameter | undefined): boolean {
  planned?.skipValidation(parameter);
  if (planned?.isDryRun) return false;
  recordSecretValidation();
  return true;
}

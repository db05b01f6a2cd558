import { mayReveal } from '@strata/domain';
import type { Caller } from '../caller.ts';
import { recordSecretValidation } from '../limits/request-limits.ts';

interface NamedParameter {
  readonly id: string;
  readonly name: string;
  readonly project: string;
}

/**
 * The purpose of a recorder: `dry-run` creates the plan, `check` compares the write with it, and `none` has no plan.
 */
export type PlanPurpose = 'none' | 'dry-run' | 'check';

/**
 * Records what the decisions of a write are based on, and which validations were skipped. The hash of a plan covers
 * both. If a write has a plan, a secret in its input always counts as changed, so that no plan reveals whether a guess
 * is right. Every write has a recorder, even a write without a plan, so that feature code never has to decide whether
 * to record.
 */
export class PlanRecorder {
  /** The ids of objects that were read. */
  readonly objects = new Set<string>();
  /** Projects, environments and parameters that were read with their contents. */
  readonly contents = new Set<string>();
  /** The scopes among them that were read with all their descendants. */
  readonly below = new Set<string>();
  /** The empty cells that were read, by name. */
  readonly absent = new Set<string>();
  /** Parameters with a secret, or with a text that contains one, that was not validated; by id. */
  readonly notValidated = new Map<string, Omit<NamedParameter, 'id'>>();
  private skippedCount = 0;
  private beyondPlan = false;

  constructor(private readonly purpose: PlanPurpose) {}

  /** Returns whether the write will be rolled back. */
  get isDryRun(): boolean {
    return this.purpose === 'dry-run';
  }

  /** Returns whether the write creates a plan or is compared with one. */
  get hasPlan(): boolean {
    return this.purpose !== 'none';
  }

  skipValidation(parameter: NamedParameter | undefined): void {
    this.skippedCount += 1;
    if (parameter) this.notValidated.set(parameter.id, { name: parameter.name, project: parameter.project });
  }

  get skippedValidations(): number {
    return this.skippedCount;
  }

  /** Records that a part of a revert was rejected because of a stored secret, which the plan did not validate. */
  rejectBeyondPlan(): void {
    this.beyondPlan = this.purpose === 'check';
  }

  get isBeyondPlan(): boolean {
    return this.beyondPlan;
  }
}

/**
 * Call this before you validate a stored secret. It returns false in a dry run, which leaves no trace. Otherwise it returns true, and
 * the access log records the request whatever its response is.
 */
export function mayValidateSecret(recorder: PlanRecorder, parameter: NamedParameter | undefined): boolean {
  recorder.skipValidation(parameter);
  if (recorder.isDryRun) return false;
  recordSecretValidation();
  return true;
}

/**
 * Returns whether a write stores a secret even if its text is the same. Otherwise its result would compare the stored
 * secret with a guess: of a plan, which leaves no trace, or of a caller who may not reveal secrets.
 */
export function writesEqualSecrets(caller: Caller & { readonly planRecorder: PlanRecorder }): boolean {
  return caller.planRecorder.hasPlan || !mayReveal(caller);
}

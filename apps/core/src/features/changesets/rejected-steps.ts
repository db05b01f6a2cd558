import {
  asSentence,
  type ErrorCode,
  type Failure,
  type FailureKind,
  type StepError,
  StepsRejectedError,
  sentence,
} from '@strata/domain';

export interface RejectedStep extends StepError {
  /** Null if the step was skipped. */
  readonly failure: Failure | null;
  /**
   * Whether the operation validated a stored secret. Plans do not validate stored secrets, so a plan cannot show this
   * rejection.
   */
  readonly isBeyondPlans: boolean;
}

/** Returns what a response shows of a rejected step. */
export function withoutFailure({ failure: _, isBeyondPlans: __, ...step }: RejectedStep): StepError {
  return step;
}

/** Returns the part of a rejected step that the hash of a plan covers. */
export function rejectionToHash({ index, status, code, rules, error }: RejectedStep): unknown {
  return { index, status, code, ...(rules && { rules }), error };
}

const KINDS: Readonly<Record<number, FailureKind>> = {
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  412: 'precondition_failed',
};

/**
 * Returns the error of the changeset. If all rejected steps have the same status, the error has this status; the same
 * holds for the code.
 */
export function combineErrors(rejectedSteps: readonly RejectedStep[], count: number): StepsRejectedError {
  const steps = rejectedSteps.map(withoutFailure);
  const failedSteps = steps.filter(({ status }) => status !== null);
  const onlyValue = <T>(values: readonly T[]) => (new Set(values).size === 1 ? values[0] : undefined);
  const kind = KINDS[onlyValue(failedSteps.map(({ status }) => status)) ?? 0] ?? 'invalid';
  const code = (onlyValue(failedSteps.map((step) => step.code)) ?? 'changeset_refused') as ErrorCode;
  const verb = asSentence(steps.length === 1 ? 'is' : 'are');
  const message = sentence`${{ rejected: steps.length }} of ${{ count }} operations ${verb} rejected, so nothing was stored.`;
  return new StepsRejectedError(kind, code, message, steps);
}

import { STATUS_CODES } from 'node:http';
import {
  type ErrorData,
  type Failure,
  PlanOutdatedError,
  PreconditionFailedError,
  type PresentVersion,
  pointerTo,
  RevertRejectedError,
  type StepError,
  StepsRejectedError,
  toErrorData,
} from '@strata/domain';
import Negotiator from 'negotiator';

export const PROBLEM_TYPE = 'application/problem+json';

/** The body of an error for clients that accept `application/problem+json` (RFC 9457). */
export interface ProblemBody extends ErrorData {
  readonly title: string;
  readonly status: number;
}

/** Returns whether a client accepts problem details. Ranges such as `*\/*` do not count: older clients send them. */
export function acceptsProblemDetails(accept: string | undefined): boolean {
  if (!accept?.toLowerCase().includes(PROBLEM_TYPE)) return false;
  return new Negotiator({ headers: { accept } }).mediaTypes().includes(PROBLEM_TYPE);
}

/**
 * Returns an error as data, with everything that the plain body contains. `fallback` is the pointer of an error that has
 * none.
 */
export function problemDetails(failure: Failure, status: number, fallback: string): ProblemBody {
  const data = toErrorData(failure, (problem) => pointerTo(problem) || fallback);
  return { ...titled(status), ...data, ...furtherMembers(failure) };
}

/** Returns an error without a failure as data. */
export function createProblem(status: number, code: string, detail: string, params = {}): ProblemBody {
  return { ...titled(status), code, pointer: '', params, detail };
}

const titled = (status: number) => ({ title: STATUS_CODES[status] ?? '', status });

function rejectedOperation({ error, ...step }: StepError) {
  const { present } = (error ?? {}) as { readonly present?: readonly PresentVersion[] };
  return { ...step, ...(present && { present }) };
}

function furtherMembers(failure: Failure): object {
  if (failure instanceof StepsRejectedError) return { operations: failure.steps.map(rejectedOperation) };
  if (failure instanceof PreconditionFailedError) return { present: failure.currentVersions };
  if (failure instanceof RevertRejectedError) return { conflicts: failure.conflicts };
  return failure instanceof PlanOutdatedError ? { difference: failure.difference, plan: failure.plan } : {};
}

import { pickDeclaredParams } from './error-codes.ts';
import type { ErrorData, ProblemData } from './error-data.ts';
import { type Failure, type LocatedProblem, NON_FIELD_ERRORS, pointerTo, StepsRejectedError } from './failure.ts';
import type { Params } from './sentence.ts';

/** Returns the data of an error. `locate` returns the pointer of a problem in the input of the request. */
export function toErrorData(failure: Failure, locate: (problem: LocatedProblem) => string = pointerTo): ErrorData {
  const { code, message: detail, params, problems, pointer, shape } = failure;
  // If all operations are rejected with one code, the error has that code, but its own sentence.
  const sentenceCode = failure instanceof StepsRejectedError ? 'changeset_refused' : code;
  const errors = problems.map((problem): ProblemData => {
    const { field, rule } = problem;
    const nameParams: Params = 'id' in problem ? { id: problem.id, name: field } : {};
    return {
      code: problem.code ?? code,
      pointer: locate(problem),
      params: { ...pickDeclaredParams(problem.code ?? code, problem.params ?? {}), ...nameParams },
      detail: problem.detail ?? problem.message,
      ...(rule !== undefined && { rule }),
      ...(shape === 'fields' && { field }),
    };
  });
  const [onlyError, ...otherErrors] = errors;
  const isSingle = onlyError !== undefined && otherErrors.length === 0;
  return {
    code,
    pointer: isSingle ? onlyError.pointer : locate({ field: NON_FIELD_ERRORS, pointer }),
    params: isSingle ? onlyError.params : pickDeclaredParams(sentenceCode, params),
    detail: isSingle ? onlyError.detail : detail,
    ...(shape !== 'detail' && problems.length > 0 && { errors }),
  };
}

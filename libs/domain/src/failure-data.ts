import { declaredParams } from './error-codes.ts';
import type { ErrorData, ProblemData } from './error-data.ts';
import { type Failure, type LocatedProblem, NON_FIELD_ERRORS, pointerTo, StepsRejected } from './failure.ts';
import type { Params } from './sentence.ts';

/** Returns the data of an error. `locate` returns the pointer of a problem in the input of the request. */
export function errorData(failure: Failure, locate: (problem: LocatedProblem) => string = pointerTo): ErrorData {
  const { code, message: detail, params, problems, pointer, shape } = failure;
  // If all operations are rejected with one code, the error has that code, but its own sentence.
  const sentenceCode = failure instanceof StepsRejected ? 'changeset_refused' : code;
  const errors = problems.map((problem): ProblemData => {
    const { field, rule } = problem;
    const named: Params = 'id' in problem ? { id: problem.id, name: field } : {};
    return {
      code: problem.code ?? code,
      pointer: locate(problem),
      params: { ...declaredParams(problem.code ?? code, problem.params ?? {}), ...named },
      detail: problem.detail ?? problem.message,
      ...(rule !== undefined && { rule }),
      ...(shape === 'fields' && { field }),
    };
  });
  const [only, ...others] = errors;
  const isSingle = only !== undefined && others.length === 0;
  return {
    code,
    pointer: isSingle ? only.pointer : locate({ field: NON_FIELD_ERRORS, pointer }),
    params: isSingle ? only.params : declaredParams(sentenceCode, params),
    detail: isSingle ? only.detail : detail,
    ...(shape !== 'detail' && problems.length > 0 && { errors }),
  };
}

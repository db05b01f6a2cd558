import { type ErrorData, type Failure, pointerTo } from '@strata/domain';

export interface FieldProblem extends Omit<ErrorData, 'errors'> {
  readonly field: string;
  readonly message: string;
}

/** Returns the errors of the fields of the input. */
export function toFieldProblems({ code, problems }: Failure): readonly FieldProblem[] {
  return problems.map((problem) => {
    const { field, message, detail = message, params = {}, rule } = problem;
    return {
      field,
      message,
      detail,
      code: problem.code ?? code,
      pointer: pointerTo(problem),
      params,
      ...(rule && { rule }),
    };
  });
}

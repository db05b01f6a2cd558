import { type FieldError, WriteError } from '../lib/request-error.ts';

/** The rejection of a mutation, with the fields of the fragment `MutationError`. */
interface ToldProblem {
  readonly __typename: string;
  readonly code: string;
  readonly message: string;
  readonly fields?: readonly FieldError[];
}

type Answered = { readonly __typename: string };

/** Returns the result of a successful mutation. Throws `WriteError` if the mutation was rejected. */
export function saved<Answer extends Answered>(answer: Answer): Exclude<Answer, ToldProblem> {
  if (!isProblem(answer)) return answer as Exclude<Answer, ToldProblem>;
  const { __typename: kind, code, message, fields = [] } = answer;
  throw new WriteError(code, message, fields, kind === 'PreconditionFailed');
}

const isProblem = (answer: Answered): answer is ToldProblem => 'code' in answer && 'message' in answer;

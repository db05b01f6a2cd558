import { type FieldError, WriteError } from '../lib/request-error.ts';

/** The rejection of a mutation, with the fields of the fragment `MutationError`. */
interface RejectedMutation {
  readonly __typename: string;
  readonly code: string;
  readonly message: string;
  readonly pointer: string;
  readonly fields?: readonly FieldError[];
}

type MutationResult = { readonly __typename: string };

/** Returns the result of a successful mutation. Throws `WriteError` if the mutation was rejected. */
export function requireSaved<Answer extends MutationResult>(result: Answer): Exclude<Answer, RejectedMutation> {
  if (!isProblem(result)) return result as Exclude<Answer, RejectedMutation>;
  const { __typename: kind, code, message, pointer, fields = [] } = result;
  throw new WriteError(code, message, fields, kind === 'PreconditionFailed', pointer);
}

const isProblem = (result: MutationResult): result is RejectedMutation => 'code' in result && 'message' in result;

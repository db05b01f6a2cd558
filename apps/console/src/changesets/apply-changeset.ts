import { ask, Refused } from '../graphql/ask.ts';
import {
  ApplyChangeset,
  type ApplyChangesetMutation,
  type ApplyChangesetMutationVariables,
  ReturnTo,
  type ReturnToMutation,
  type ReturnToMutationVariables,
  RevertChangeset,
  type RevertChangesetMutation,
  type RevertChangesetMutationVariables,
} from './changesets.graphql.ts';

/** What is wrong with one place of a changeset: `operations.1.PORT`. */
export interface RefusedPlace {
  readonly field: string;
  readonly message: string;
}

/** Nothing of the changeset was stored. */
export class ChangesetRefused extends Refused {
  constructor(
    code: string,
    message: string,
    readonly places: readonly RefusedPlace[],
    /** Something has changed since the plan was made, or since the versions that were expected. */
    readonly isOvertaken: boolean,
  ) {
    super(code, message, null);
  }
}

/** Carries many changes out as one, all or nothing; answers the revision that they made. */
export async function applyChangeset(input: ApplyChangesetMutationVariables['input']): Promise<number> {
  const { applyChangeset: answer } = await ask(ApplyChangeset, { input });
  if (answer.__typename === 'AppliedChangesetSaved') return answer.appliedChangeset.revision;
  throw refusalOf(answer);
}

/** Takes a changeset back; answers the revision that this made. */
export async function revertChangeset(variables: RevertChangesetMutationVariables): Promise<number> {
  const { revertChangeset: answer } = await ask(RevertChangeset, variables);
  if (answer.__typename === 'RevertedChangesetSaved') return answer.revertedChangeset.revision;
  throw refusalOf(answer);
}

/** Makes something what it was at a revision; answers the revision that this made. */
export async function returnTo(input: ReturnToMutationVariables['input']): Promise<number> {
  const { revert: answer } = await ask(ReturnTo, { input });
  if (answer.__typename === 'RevertedChangesetSaved') return answer.revertedChangeset.revision;
  throw refusalOf(answer);
}

type Answered =
  | ApplyChangesetMutation['applyChangeset']
  | RevertChangesetMutation['revertChangeset']
  | ReturnToMutation['revert'];

function refusalOf(
  answer: Exclude<Answered, { readonly __typename: 'AppliedChangesetSaved' | 'RevertedChangesetSaved' }>,
): ChangesetRefused {
  const places = 'fields' in answer ? answer.fields : [];
  return new ChangesetRefused(answer.code, answer.message, places, answer.__typename === 'PreconditionFailed');
}

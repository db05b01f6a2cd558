import { ask } from '../graphql/ask.ts';
import { saved } from '../graphql/saved.ts';
import {
  ApplyChangeset,
  type ApplyChangesetMutationVariables,
  ReturnTo,
  type ReturnToMutationVariables,
  RevertChangeset,
  type RevertChangesetMutationVariables,
} from './changesets.graphql.ts';

/** Carries many changes out as one, all or nothing; answers the revision that they made. Throws `RefusedWrite`. */
export async function applyChangeset(input: ApplyChangesetMutationVariables['input']): Promise<number> {
  const { applyChangeset: answer } = await ask(ApplyChangeset, { input });
  return saved(answer).appliedChangeset.revision;
}

/** Takes a changeset back; answers the revision that this made. Throws `RefusedWrite`. */
export async function revertChangeset(variables: RevertChangesetMutationVariables): Promise<number> {
  const { revertChangeset: answer } = await ask(RevertChangeset, variables);
  return saved(answer).revertedChangeset.revision;
}

/** Makes something what it was at a revision; answers the revision that this made. Throws `RefusedWrite`. */
export async function returnTo(input: ReturnToMutationVariables['input']): Promise<number> {
  const { revert: answer } = await ask(ReturnTo, { input });
  return saved(answer).revertedChangeset.revision;
}

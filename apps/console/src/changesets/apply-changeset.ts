import { ask, Refused } from '../graphql/ask.ts';
import { ApplyChangeset, type ApplyChangesetMutationVariables } from './apply-changeset.graphql.ts';

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
  ) {
    super(code, message, null);
  }
}

/** Carries many changes out as one, all or nothing; answers the revision that they made. */
export async function applyChangeset(input: ApplyChangesetMutationVariables['input']): Promise<number> {
  const { applyChangeset: answer } = await ask(ApplyChangeset, { input });
  if (answer.__typename === 'AppliedChangesetSaved') return answer.appliedChangeset.revision;
  const places = answer.__typename === 'ValidationProblem' ? answer.fields : [];
  throw new ChangesetRefused(answer.code, answer.message, places);
}

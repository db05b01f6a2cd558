import {
  ApplyChangeset,
  type ApplyChangesetMutationVariables,
  ReturnTo,
  type ReturnToMutationVariables,
  RevertChangeset,
  type RevertChangesetMutationVariables,
} from '../graphql/changesets.graphql.ts';
import type { Document } from '../graphql/document.ts';
import { requestGraphql } from '../graphql/request.ts';
import { saved } from '../graphql/saved.ts';
import { isUnanswered, Refused } from '../lib/refused.ts';

export interface AppliedReason {
  readonly message: string;
  readonly externalRef: string;
}

/** Carries many changes out as one, all or nothing; answers the revision that they made. Throws `RefusedWrite`. */
export async function applyChangeset(input: ApplyChangesetMutationVariables['input']): Promise<number> {
  const { applyChangeset: answer } = await carriedOut(ApplyChangeset, { input });
  return saved(answer).appliedChangeset.revision;
}

/** Takes a changeset back; answers the revision that this made. Throws `RefusedWrite`. */
export async function revertChangeset(variables: RevertChangesetMutationVariables): Promise<number> {
  const { revertChangeset: answer } = await carriedOut(RevertChangeset, variables);
  return saved(answer).revertedChangeset.revision;
}

/** Makes something what it was at a revision; answers the revision that this made. Throws `RefusedWrite`. */
export async function returnTo(input: ReturnToMutationVariables['input']): Promise<number> {
  const { revert: answer } = await carriedOut(ReturnTo, { input });
  return saved(answer).revertedChangeset.revision;
}

/** Waits before a write is sent again whose answer did not come. */
const AGAIN_AFTER_MS = [500, 1_500, 4_000];

/** The names of writes whose answer did not come, by what they say. */
const unanswered = new Map<string, string>();

/** Whether nobody knows if a write was carried out; the same one can be sent again, and is not carried out twice. */
export const isUnknown = (error: unknown): boolean => error instanceof Refused && error.code === UNKNOWN;
const UNKNOWN = 'ANSWER_LOST';

/**
 * Sends a write under a name of its own, again and under the same one where no answer comes: the service carries it out once, and
 * answers each time what came of it.
 */
async function carriedOut<Answer, Variables>(
  document: Document<Answer, Variables>,
  variables: Variables,
): Promise<Answer> {
  const said = JSON.stringify([document, variables]);
  const name = unanswered.get(said) ?? newName();
  for (let tries = 0; ; tries += 1) {
    try {
      const answer = await requestGraphql(document, variables, undefined, { 'idempotency-key': name });
      unanswered.delete(said);
      return answer;
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      unanswered.set(said, name);
    }
    const wait = AGAIN_AFTER_MS[tries];
    if (wait === undefined || !navigator.onLine) throw lost();
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

const lost = () =>
  new Refused(
    UNKNOWN,
    'Can’t reach Strata. We don’t know yet whether this was applied. Try again when the connection is back: it won’t be applied twice.',
    null,
  );

const newName = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

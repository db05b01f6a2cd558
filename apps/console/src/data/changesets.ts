import {
  ApplyChangeset,
  type ApplyChangesetMutationVariables,
  ReturnTo,
  type ReturnToMutationVariables,
  RevertChangeset,
  type RevertChangesetMutationVariables,
} from '../graphql/changesets.graphql.ts';
import type { Document } from '../graphql/document.ts';
import { requireSaved } from '../graphql/mutation-result.ts';
import { ImportItems } from '../graphql/present.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { isNoResponse, RequestError } from '../lib/request-error.ts';

export interface AppliedReason {
  readonly message: string;
  readonly externalRef: string;
}

/** Applies operations as one changeset, all or nothing. Returns the new revision. Throws `WriteError` if the core rejects it. */
export async function applyChangeset(input: ApplyChangesetMutationVariables['input']): Promise<number> {
  const { applyChangeset: result } = await carriedOut(ApplyChangeset, { input });
  return requireSaved(result).appliedChangeset.revision;
}

/** Applies operations like `applyChangeset`. Returns the new revision and the ids of the objects, by operation. */
export async function applyWithIds(input: ApplyChangesetMutationVariables['input']) {
  const { applyChangeset: result } = await carriedOut(ImportItems, { input });
  const { revision, operations } = requireSaved(result).appliedChangeset;
  return { revision, ids: operations.map(({ id }) => id) };
}

/** Reverts a changeset. Returns the new revision. Throws `WriteError` if the core rejects it. */
export async function revertChangeset(variables: RevertChangesetMutationVariables): Promise<number> {
  const { revertChangeset: result } = await carriedOut(RevertChangeset, variables);
  return requireSaved(result).revertedChangeset.revision;
}

/** Restores an object to its state at a revision. Returns the new revision. Throws `WriteError` if the core rejects it. */
export async function restoreScope(input: ReturnToMutationVariables['input']): Promise<number> {
  const { revert: result } = await carriedOut(ReturnTo, { input });
  return requireSaved(result).revertedChangeset.revision;
}

/** The delays before a write without a response is repeated. */
const AGAIN_AFTER_MS = [500, 1_500, 4_000];

/** The idempotency keys of writes without a response, by the content of the write. */
const unanswered = new Map<string, string>();

/** Forgets the writes without a response when the user signs out, because their content can contain secrets. */
export const clearUnanswered = (): void => unanswered.clear();

/** Returns whether the outcome of a write is unknown. Such a write can be repeated; the core applies it at most once. */
export const isOutcomeUnknown = (error: unknown): boolean => error instanceof RequestError && error.code === UNKNOWN;
const UNKNOWN = 'ANSWER_LOST';

/**
 * Sends a write with an idempotency key, and repeats it with the same key if there is no response. The core applies it once and returns the
 * same result each time.
 */
async function carriedOut<Answer, Variables>(
  document: Document<Answer, Variables>,
  variables: Variables,
): Promise<Answer> {
  const content = JSON.stringify([document, variables]);
  const name = unanswered.get(content) ?? newName();
  for (let tries = 0; ; tries += 1) {
    try {
      const answer = await requestGraphql(document, variables, undefined, { 'idempotency-key': name });
      unanswered.delete(content);
      return answer;
    } catch (error) {
      if (!isNoResponse(error)) throw error;
      unanswered.set(content, name);
    }
    const wait = AGAIN_AFTER_MS[tries];
    if (wait === undefined || !navigator.onLine) throw lost();
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

const lost = () =>
  new RequestError(
    UNKNOWN,
    'Can’t reach Strata. We don’t know yet whether this was applied. Try again when the connection is back: it won’t be applied twice.',
    null,
  );

const newName = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

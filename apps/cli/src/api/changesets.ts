import type { OperationRequest, OperationResponse } from '@strata/contract';
import type { Client, CodeHints } from '../core/client.ts';

/** A changeset, or the revert of the one with this revision. */
export interface ChangesetWrite {
  readonly body: object;
  readonly reverted?: string;
}

/** The response for a changeset or a revert that was stored. */
export type StoredChangeset = OperationResponse<'changesets_create' | 'changesets_revert_create'>;

/** Stores a changeset or a revert. */
export function storeChangeset(
  client: Client,
  { body, reverted }: ChangesetWrite,
  hints?: CodeHints,
): Promise<StoredChangeset> {
  const options = { isWrite: true, hints };
  // Strata validates the body.
  const request = body as OperationRequest<'changesets_create'>['body'];
  if (reverted === undefined) return client.call('changesets_create', { body: request }, options);
  return client.call('changesets_revert_create', { path: { revision: reverted }, body }, options);
}

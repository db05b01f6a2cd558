import type { AppliedChangeset, ChangesetChange } from '@strata/contract';
import type { Client, CodeHints } from '../core/client.ts';

/** The response for a changeset or a revert that was stored. */
export type StoredChangeset = Pick<AppliedChangeset, 'revision'> &
  Partial<Pick<AppliedChangeset, 'operations'>> & {
    readonly url: string | null;
    readonly changes?: readonly ChangesetChange[];
  };

/** Stores a changeset or a revert. */
export const storeChangeset = (
  client: Client,
  path: string,
  body: object,
  hints?: CodeHints,
): Promise<StoredChangeset> => client.post<StoredChangeset>(path, body, { isWrite: true, hints });

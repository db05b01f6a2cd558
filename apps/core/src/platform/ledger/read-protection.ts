import { Failure, forbiddenScopes, sentence } from '@strata/domain';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import type { Change } from './change.ts';
import type { WriteContext } from './command.ts';
import { findReadsAffectedBy, isProtectedDeletion } from './last-reads.ts';

export interface RecentlyRead {
  readonly change: Change;
  readonly failure: Failure;
}

/**
 * Returns the first deletion among the changes of something that was read within the given minutes. Runs one statement
 * for all deletions, and none if the organization has no protection or nothing is deleted. Call it in the transaction of
 * the write. Reads of scopes that the caller may not read do not count, because the rejection would reveal them.
 */
export async function findRecentlyRead(
  { em, caller }: Pick<WriteContext, 'em' | 'caller'>,
  changes: readonly Change[],
  withinMinutes: number | null,
): Promise<RecentlyRead | null> {
  if (withinMinutes === null || !changes.some(isProtectedDeletion)) return null;
  const options = { withinMinutes, forbidden: forbiddenScopes(caller) };
  const reads = await findReadsAffectedBy(SnapshotReader.within(em), caller.organizationId, changes, options);
  const [[change, read] = []] = reads;
  if (!change || !read) return null;
  const { objectType, object } = change;
  const message = sentence`The service account ${{ service_account: read.by.name }} read the ${{ object: objectType.toLowerCase() }} ${{ name: object.name }} at ${{ time: read.at.slice(0, 16) }}Z, and this organization protects what was read in the last ${{ minutes: withinMinutes }} minutes. Stop the program, or delete it with force=true.`;
  return { change, failure: Failure.invalid('recently_read', message) };
}

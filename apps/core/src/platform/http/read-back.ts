import type { Revision } from '@strata/domain';
import { isDatabaseUnavailable, outcomeUnknown } from '../postgres/constraints.ts';
import type { PointInTime } from '../postgres/versioned-table.ts';

/**
 * The answer to a write, read through the model that GET uses. If somebody wrote in between, it is read again at the
 * write's own revision, so an answer always shows what its request did.
 */
export async function readBack<T extends { readonly revision: Revision }>(
  written: Revision,
  read: (at: PointInTime) => Promise<T>,
): Promise<T> {
  const present = await read('now').catch((error: unknown) => error as Error);
  if (!(present instanceof Error) && present.revision === written) return present;
  return read(written).catch((error: unknown) => {
    // "try again" would be wrong advice here: the write itself is committed
    throw isDatabaseUnavailable(error) ? outcomeUnknown() : error;
  });
}

import type { Revision } from '@strata/domain';
import { isDatabaseUnavailable, outcomeUnknownError } from '../postgres/constraints.ts';
import type { PointInTime } from '../postgres/versioned-table.ts';

/**
 * Returns the response to a write, read with the model of GET. If another write was committed in between, it reads at
 * the write's own revision, so that a response always shows the result of its own request.
 */
export async function readBack<T extends { readonly revision: Revision }>(
  writtenRevision: Revision,
  read: (at: PointInTime) => Promise<T>,
): Promise<T> {
  const currentResult = await read('now').catch((error: unknown) => error as Error);
  if (!(currentResult instanceof Error) && currentResult.revision === writtenRevision) return currentResult;
  return read(writtenRevision).catch((error: unknown) => {
    // a retry would be wrong here, because the write itself is committed
    throw isDatabaseUnavailable(error) ? outcomeUnknownError() : error;
  });
}

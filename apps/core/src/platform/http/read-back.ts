import type { Revision } from '@strata/domain';
import { isDatabaseUnavailable, outcomeUnknown } from '../postgres/constraints.ts';
import type { PointInTime } from '../postgres/versioned-table.ts';

/**
 * Returns the response to a write, read with the model of GET. If another write was committed in between, it reads at
 * the write's own revision, so that a response always shows the result of its own request.
 */
export async function readBack<T extends { readonly revision: Revision }>(
  written: Revision,
  read: (at: PointInTime) => Promise<T>,
): Promise<T> {
  const currentResult = await read('now').catch((error: unknown) => error as Error);
  if (!(currentResult instanceof Error) && currentResult.revision === written) return currentResult;
  return read(written).catch((error: unknown) => {
    // a retry would be wrong here, because the write itself is committed
    throw isDatabaseUnavailable(error) ? outcomeUnknown() : error;
  });
}

import { Failure } from '@strata/domain';
import type { CoreClient, CoreResponse, Query } from './core.ts';

/**
 * A write that may depend on the version that the client saw. Versions travel as ETags in REST, so the object is read
 * first and the write is made conditional on exactly what was read; nothing can slip in between.
 */
export async function writeVersion<Body>(
  core: CoreClient,
  method: 'PATCH' | 'DELETE',
  path: string,
  body: unknown,
  expectedLedgerId: string | null | undefined,
  query?: Query,
): Promise<CoreResponse<Body>> {
  if (!expectedLedgerId) return core.send(method, path, body, { query });
  const { body: seen, etag } = await core.get<{ readonly ledger_id: string }>(path);
  if (seen.ledger_id !== expectedLedgerId || etag === null) {
    throw new Failure(
      'precondition_failed',
      'precondition_failed',
      'The object has changed since you read it. Read it again, and repeat the change on what you find.',
    );
  }
  return core.send(method, path, body, { query, ifMatch: etag });
}

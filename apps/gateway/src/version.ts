import { parseVersion } from '@strata/domain';
import type { CoreClient, CoreResponse, Query } from './core.ts';

/** A write that can require the version that the client read, so that concurrent changes are detected. */
export function writeVersion<Body>(
  core: CoreClient,
  method: 'PATCH' | 'DELETE',
  path: string,
  body: unknown,
  expectedLedgerId: string | null | undefined,
  query?: Query,
): Promise<CoreResponse<Body>> {
  const ifMatch = (expectedLedgerId ?? null) === null ? undefined : entityTag(String(expectedLedgerId));
  return core.send(method, path, body, { query, ifMatch });
}

/** A text that is not a version matches no object. */
function entityTag(ledgerId: string): string {
  return `"${parseVersion(ledgerId) ?? 'none'}"`;
}

import { parseVersion } from '@strata/domain';
import type { CoreClient, CoreResponse, Query } from './core.ts';

/** A write that may depend on the version that the client saw: nothing can slip in between. */
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

/** What is no version is none of any object. */
function entityTag(ledgerId: string): string {
  return `"${parseVersion(ledgerId) ?? 'none'}"`;
}

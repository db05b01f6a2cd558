import { createHash } from 'node:crypto';

/** Credentials are keys of maps for as long as they are used; their hashes do that as well, and open nothing. */
export function keyOfCredential(authorization: string): string {
  return createHash('sha256').update(authorization).digest('base64');
}

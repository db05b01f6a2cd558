import { hash } from 'node:crypto';

/** Maps use the hash of a credential as key, because a leaked hash cannot be used to sign in. */
export function credentialKey(authorization: string): string {
  return hash('sha256', authorization, 'base64');
}

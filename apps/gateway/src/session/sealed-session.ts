import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';

/** The session of a browser: its credential, organization and expiry. */
export interface Session {
  /** The Authorization header for the core, with a token or an API key. */
  readonly authorization: string;
  readonly organizationId: string;
  /** The end of the session in seconds since 1970. */
  readonly endsAt: number;
}

/** A working day. The core uses the same limit for tokens of one sign-in. */
export const SESSION_SECONDS = 12 * 3_600;

const SessionContent = z.object({
  authorization: z.string().min(1),
  organizationId: z.string(),
  endsAt: z.number().int(),
});

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/**
 * Encrypts a session with AES-256-GCM, so that the browser can store it but neither read nor change it. `purpose` is
 * authenticated as well: a session that was sealed for one cookie cannot be opened for another.
 */
export function sealSession(key: Buffer, purpose: string, session: Session): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(purpose));
  const { authorization, organizationId, endsAt } = session;
  const sealed = [cipher.update(JSON.stringify({ authorization, organizationId, endsAt })), cipher.final()];
  return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), ...sealed]).toString('base64url');
}

/** Returns null for a text that is not a valid session: altered, expired, or sealed with another key or purpose. */
export function openSession(key: Buffer, purpose: string, sealed: string, nowInSeconds: number): Session | null {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < HEADER_BYTES || bytes[0] !== VERSION) return null;
  const session = contentOf(key, purpose, bytes);
  return session !== null && session.endsAt > nowInSeconds ? session : null;
}

function contentOf(key: Buffer, purpose: string, bytes: Buffer): Session | null {
  const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, HEADER_BYTES));
  try {
    const plain = Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES)), decipher.final()]);
    return SessionContent.parse(JSON.parse(plain.toString()));
  } catch {
    return null;
  }
}

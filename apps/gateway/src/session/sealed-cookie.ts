import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';

/** A cookie whose content the browser stores but can neither read nor change. */
export interface SealedCookie<Content extends Expiring> {
  readonly name: string;
  /** Strict: browsers do not send the cookie with a request that a page of another site caused, even a navigation. */
  readonly sameSite: 'Strict' | 'Lax';
  readonly content: z.ZodType<Content>;
}

interface Expiring {
  /** The end of the content in seconds since 1970. */
  readonly endsAt: number;
}

/** A working day. The core uses the same limit for the token of one sign-in. */
export const SESSION_SECONDS = 12 * 3_600;

const endsAt = z.number().int();

const SessionContent = z.object({
  /** The Authorization header for the core. */
  authorization: z.string().min(1),
  organizationId: z.string(),
  endsAt,
});
/** The session of a browser: its credential, organization and expiry. */
export type BrowserSession = Readonly<z.infer<typeof SessionContent>>;

export const SESSION: SealedCookie<BrowserSession> = {
  name: 'strata_session',
  sameSite: 'Strict',
  content: SessionContent,
};

const FlowContent = z.object({
  provider: z.string(),
  state: z.string().min(1),
  nonce: z.string().min(1),
  codeVerifier: z.string().min(1),
  /** The path of the page that the user then sees. */
  returnTo: z.string(),
  /** The id of the organization to open, if the user belongs to it. */
  organization: z.string().optional(),
  endsAt,
});
/** A sign-in with an identity provider that a browser has started and not completed. */
export type SignInFlow = Readonly<z.infer<typeof FlowContent>>;

/** The response of the provider is a navigation from another site. */
export const SIGN_IN_FLOW: SealedCookie<SignInFlow> = { name: 'strata_sign_in', sameSite: 'Lax', content: FlowContent };

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/**
 * Encrypts the content with AES-256-GCM. `purpose` is authenticated as well: content that was sealed for one cookie
 * cannot be opened for another.
 */
export function seal<Content extends Expiring>(key: Buffer, purpose: string, content: Content): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(purpose));
  const sealedParts = [cipher.update(JSON.stringify(content)), cipher.final()];
  return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), ...sealedParts]).toString('base64url');
}

/** Returns null for a text that is not valid content: altered, expired, or sealed with another key or purpose. */
export function unseal<Content extends Expiring>(
  key: Buffer,
  purpose: string,
  shape: z.ZodType<Content>,
  sealedText: string,
  nowInSeconds: number,
): Content | null {
  const bytes = Buffer.from(sealedText, 'base64url');
  if (bytes.length < HEADER_BYTES || bytes[0] !== VERSION) return null;
  const { data } = shape.safeParse(decryptContent(key, purpose, bytes));
  return data !== undefined && data.endsAt > nowInSeconds ? data : null;
}

function decryptContent(key: Buffer, purpose: string, bytes: Buffer): unknown {
  const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, HEADER_BYTES));
  try {
    const plainBytes = Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES)), decipher.final()]);
    return JSON.parse(plainBytes.toString());
  } catch {
    return null;
  }
}

import { randomBytes } from 'node:crypto';
import type { OrganizationId, Uuid } from '@strata/domain';

/**
 * The token of a session: which session, for which organization, and the secret that proves it. The organization is not
 * secret. It is part of the token, so that a request cannot act on another organization because another tab switched.
 */
export interface SessionToken {
  /** The whole text. */
  readonly text: string;
  readonly id: Uuid;
  readonly organizationId: OrganizationId;
  readonly secret: string;
}

const PREFIX = 'ses_';
const SECRET_BYTES = 32;
const TOKEN = /^ses_([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

export const newSessionSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

export function sessionToken(id: Uuid, organizationId: OrganizationId, secret: string): SessionToken {
  const text = `${PREFIX}${short(id)}.${short(organizationId)}.${secret}`;
  return { text, id, organizationId, secret };
}

/** Returns null for a text that is not the token of a session. */
export function parseSessionToken(text: string): SessionToken | null {
  const [, id, organizationId, secret] = TOKEN.exec(text) ?? [];
  if (!id || !organizationId || !secret) return null;
  return { text, id: long(id), organizationId: long(organizationId), secret };
}

const short = (id: Uuid): string => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');

const long = (text: string): Uuid =>
  Buffer.from(text, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

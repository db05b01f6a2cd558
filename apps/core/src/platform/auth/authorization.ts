import { headerValues } from '@strata/domain';
import { parseSessionToken, type SessionToken } from './session-token.ts';

/** The only parser of the Authorization header, for every interface. */
export type Credential =
  | { readonly scheme: 'api-key'; readonly prefix: string; readonly key: string }
  | { readonly scheme: 'bearer'; readonly token: string }
  | { readonly scheme: 'session'; readonly session: SessionToken };

export type ParsedAuthorization =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'credential'; readonly credential: Credential };

const API_KEY = /^([A-Za-z0-9]{1,32})\.([A-Za-z0-9_-]{16,256})$/;
const JWT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
/** A longer header is an attack on the parser, not a token. */
const LENGTH_MAX = 8_192;

/**
 * `Api-Key <prefix>.<secret>` or `Bearer <token>`, the scheme word in any case, one space. The token is a JWT or that of
 * a session. Exactly one header and one credential; anything else is malformed and never falls through to another
 * scheme.
 */
export function parseAuthorization(rawHeaders: readonly string[]): ParsedAuthorization {
  const values = headerValues('authorization', rawHeaders);
  if (values.length === 0) return { kind: 'none' };
  const [header = ''] = values;
  if (values.length > 1 || header.length > LENGTH_MAX) return { kind: 'malformed' };
  const match = /^([A-Za-z-]+) ([^\s,]+)$/.exec(header);
  if (!match) return { kind: 'malformed' };
  const [, scheme = '', text = ''] = match;
  switch (scheme.toLowerCase()) {
    case 'api-key': {
      const prefix = API_KEY.exec(text)?.[1];
      return prefix
        ? { kind: 'credential', credential: { scheme: 'api-key', prefix, key: text } }
        : { kind: 'malformed' };
    }
    case 'bearer': {
      const session = parseSessionToken(text);
      if (session) return { kind: 'credential', credential: { scheme: 'session', session } };
      return JWT.test(text)
        ? { kind: 'credential', credential: { scheme: 'bearer', token: text } }
        : { kind: 'malformed' };
    }
    default:
      return { kind: 'malformed' };
  }
}

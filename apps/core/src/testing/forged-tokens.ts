import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { signTokenWithRsa } from '@strata/testkit';

export interface ForgeryKeys {
  /** The issuer's real key. If a token is forged only in its claims, its signature is valid. */
  readonly key: KeyObject;
  /** The claims of a token that is accepted. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** An organization that the person is not a member of. */
  readonly foreignOrganization: string;
  /** A service account of the organization. Service accounts have keys, not tokens. */
  readonly serviceAccount: string;
}

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const HEADER = { alg: 'ES256', typ: 'JWT' };

/** Returns a token with any header and claims, signed as ES256 by this key. */
export function signToken(key: KeyObject, claims: unknown, header: object = HEADER): string {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/** Signs with a shared secret: a classic attack uses the public key as the secret. */
export function signTokenWithSecret(secret: string | Buffer, claims: unknown, header: object, hash = 'sha256'): string {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
}

/** Returns forged tokens by name of the defect. Each differs in one respect from a valid token. */
export function forgedTokens(forging: ForgeryKeys): Readonly<Record<string, string>> {
  return { ...wrongClaims(forging), ...wrongAlgorithms(forging), ...wrongSignatures(forging) };
}

function wrongClaims({ key, claims, foreignOrganization, serviceAccount }: ForgeryKeys) {
  const now = Math.floor(Date.now() / 1_000);
  const with_ = (otherClaims: Record<string, unknown>) => signToken(key, { ...claims, ...otherClaims });
  return {
    'another issuer': with_({ iss: 'https://evil.example' }),
    'an issuer with a trailing space': with_({ iss: 'strata ' }),
    'no issuer': with_({ iss: undefined }),
    'another audience': with_({ aud: 'other' }),
    'no audience': with_({ aud: undefined }),
    'audiences without ours': with_({ aud: ['a', 'b'] }),
    'an empty list of audiences': with_({ aud: [] }),
    'an expiry that has passed': with_({ exp: now - 1 }),
    'an expiry of 1970': with_({ exp: 0 }),
    'no expiry': with_({ exp: undefined }),
    'an expiry as text': with_({ exp: String(now + 600) }),
    'a lifetime of more than a day': with_({ exp: now + 86_400 + 600 }),
    'a lifetime of more than a day, issued in the future': with_({ iat: now + 86_400, exp: now + 2 * 86_400 }),
    'a lifetime of more than a day and no time of issue': with_({ iat: undefined, exp: now + 86_400 + 600 }),
    'a start in the future': with_({ nbf: now + 600 }),
    'an organization of other people': with_({ organization: foreignOrganization }),
    'an organization that is not an id': with_({ organization: 'strata' }),
    'a list of organizations': with_({ organization: [claims.organization, foreignOrganization] }),
    'an older version': with_({ token_version: 0 }),
    'a newer version': with_({ token_version: 2 }),
    'no version': with_({ token_version: undefined }),
    'a version as text': with_({ token_version: '1' }),
    'no subject': with_({ sub: undefined }),
    'an unknown subject': with_({ sub: '7d0ff6c2-6ad2-4e43-a1b0-3a8d8b6b3f58' }),
    'a subject with a wildcard': with_({ sub: '%' }),
    'a subject with a null character': with_({ sub: `${String(claims.sub)}\u0000` }),
    'a list of subjects': with_({ sub: [claims.sub] }),
    'a service account as subject': with_({ sub: serviceAccount }),
    'a list as claims': signToken(key, [claims]),
    'a text as claims': signToken(key, '"claims"'),
    'claims that are not JSON': signToken(key, '{'),
    'null as claims': signToken(key, 'null'),
  };
}

function wrongAlgorithms({ key, claims }: ForgeryKeys) {
  const spki = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const jwk = createPublicKey(key).export({ format: 'jwk' });
  const none = (alg: string) => `${part({ alg, typ: 'JWT' })}.${part(claims)}.${part('x')}`;
  const hmac = (secret: string | Buffer, alg = 'HS256', extra = {}) =>
    signTokenWithSecret(secret, claims, { alg, typ: 'JWT', ...extra }, `sha${alg.slice(2)}`);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
  return {
    'alg none': none('none'),
    'alg None': none('None'),
    'alg NONE': none('NONE'),
    'alg none and no signature': none('none').replace(/[^.]*$/, ''),
    'an empty alg': none(''),
    'no alg': `${part({ typ: 'JWT' })}.${part(claims)}.${part('x')}`,
    'HS256 with the public key': hmac(spki),
    'HS256 with the public key without its last line break': hmac(spki.trim()),
    'HS256 with the bytes of the public key': hmac(der),
    'HS256 with the public key as JSON': hmac(JSON.stringify(jwk)),
    'HS384 with the public key': hmac(spki, 'HS384'),
    'HS512 with the public key': hmac(spki, 'HS512'),
    'HS256 with an empty secret': hmac(''),
    'HS256 with a kid that is a path': hmac('', 'HS256', { kid: '../../../../dev/null' }),
    'HS256 with a kid that is SQL': hmac('x', 'HS256', { kid: "' union select 'x" }),
    RS256: signTokenWithRsa(rsa, claims, { alg: 'RS256', typ: 'JWT' }),
    'RS256 in the header and a valid ES256 signature': signToken(key, claims, { alg: 'RS256', typ: 'JWT' }),
    'ES384 in the header and a valid ES256 signature': signToken(key, claims, { alg: 'ES384', typ: 'JWT' }),
    EdDSA: signToken(key, claims, { alg: 'EdDSA', typ: 'JWT' }),
  };
}

function wrongSignatures({ key, claims }: ForgeryKeys) {
  const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const otherJwk = createPublicKey(otherKey).export({ format: 'jwk' });
  const good = signToken(key, claims);
  const [header = '', payload = '', signature = ''] = good.split('.');
  const raw = Buffer.from(signature, 'base64url');
  return {
    'the signature of another key': signToken(otherKey, claims),
    'another key and its jwk in the header': signToken(otherKey, claims, { ...HEADER, jwk: otherJwk }),
    'another key and its jku in the header': signToken(otherKey, claims, {
      ...HEADER,
      jku: 'http://127.0.0.1:9/keys',
      kid: '1',
    }),
    'another key and its x5u in the header': signToken(otherKey, claims, { ...HEADER, x5u: 'http://127.0.0.1:9/cert' }),
    'another key and its x5c in the header': signToken(otherKey, claims, { ...HEADER, x5c: [part('certificate')] }),
    'a valid signature of other claims': `${header}.${part({ ...claims, token_version: 1, x: 1 })}.${signature}`,
    'an unknown critical extension': signToken(key, claims, { ...HEADER, crit: ['exp'], exp: 1 }),
    'an empty list of critical extensions': signToken(key, claims, { ...HEADER, crit: [] }),
    'the type of a logout token': signToken(key, claims, { ...HEADER, typ: 'logout+jwt' }),
    'a type that is not text': signToken(key, claims, { ...HEADER, typ: ['JWT'] }),
    'a valid signature of another header': `${part({ ...HEADER, x: 1 })}.${payload}.${signature}`,
    'a signature of zeros': `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
    'a signature that is one byte too short': `${header}.${payload}.${raw.subarray(0, 63).toString('base64url')}`,
    'a signature that is one byte too long': `${header}.${payload}.${Buffer.concat([raw, Buffer.alloc(1)]).toString('base64url')}`,
    'a signature in DER': `${header}.${payload}.${sign('sha256', Buffer.from(`${header}.${payload}`), key).toString('base64url')}`,
    'a signature with exchanged halves': `${header}.${payload}.${Buffer.concat([raw.subarray(32), raw.subarray(0, 32)]).toString('base64url')}`,
    'a header that is not JSON': `${part('{')}.${payload}.${signature}`,
    'a header that is null': `${part('null')}.${payload}.${signature}`,
    'header and payload exchanged': `${payload}.${header}.${signature}`,
  };
}

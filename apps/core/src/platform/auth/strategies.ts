import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { isUuid, LruCache, textProblem } from '@strata/domain';
import type { FastifyRequest } from 'fastify';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';
import {
  ExtractJwt,
  type JwtFromRequestFunction,
  Strategy as JwtStrategy,
  type SecretOrKeyProvider,
} from 'passport-jwt';
import type { Env } from '../env.ts';
import { ENV } from '../tokens.ts';
import { badCredentialError } from './bad-credential.ts';
import { Credentials, hashCredential, type Identity } from './credentials.ts';
import { externalKeys } from './external-keys.ts';
import { ExternalPeople } from './external-people.ts';
import { parseSessionToken } from './session-token.ts';
import { claimsOfAccessToken, exceedsLifetime, keyIdOfToken, type TokenClaims } from './token-claims.ts';
import { LOCAL_ISSUER } from './token-issuer.ts';
import { TokenKeys, TokenKeysError } from './token-keys.ts';

/** Receives the whole header, because the library would compare the name of the scheme case-sensitively. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'api-key') {
  constructor(private readonly credentials: Credentials) {
    super({ header: 'Authorization', prefix: '' }, false);
  }

  /** `parseAuthorization` has accepted the header: a scheme, one space, and a key that contains one dot. */
  async validate(header: string): Promise<Identity | false> {
    const key = header.slice(header.indexOf(' ') + 1);
    return (await this.credentials.byApiKey(key.slice(0, key.indexOf('.')), key)) ?? false;
  }
}

/** Like the strategy of API keys, because passport has none for tokens that are looked up. */
@Injectable()
export class SessionStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'session') {
  constructor(private readonly credentials: Credentials) {
    super({ header: 'Authorization', prefix: '' }, false);
  }

  async validate(header: string): Promise<Identity | false> {
    const session = parseSessionToken(header.slice(header.indexOf(' ') + 1));
    return (session && (await this.credentials.bySession(session))) ?? false;
  }
}

const fromHeader = ExtractJwt.fromAuthHeaderAsBearerToken();

const wellFormed: JwtFromRequestFunction = (request) => {
  const token = fromHeader(request);
  return token && claimsOfAccessToken(token) ? token : null;
};

const SUBJECT_MAX = 256;

/** Finds the key that a token names. The library's types lack key objects, which it need not parse for each request. */
const keyProvider =
  (keys: TokenKeys): SecretOrKeyProvider =>
  (_request, token, done) => {
    keys.find(keyIdOfToken(token)).then(
      (key) => done(key ? null : badCredentialError(), key as never),
      (cause: unknown) => done(new TokenKeysError('The keys of tokens cannot be read.', { cause })),
    );
  };

/** A token that was verified is verified again after this time, because the issuer may have replaced its keys. */
const VERIFIED_MS = 60_000;
const VERIFIED_BYTES_MAX = 4_194_304;
/** An estimate of the size of a verified token. */
const TOKEN_BYTES = 1_024;

interface VerifiedToken {
  /** Only the claims that identify the caller. */
  readonly claims: TokenClaims;
  readonly expiresAt: number;
  /** On the clock of `performance.now()`. */
  readonly until: number;
}

@Injectable()
export class BearerStrategy extends PassportStrategy(JwtStrategy, 'bearer') {
  private readonly isLocal: boolean;
  private readonly verified = new LruCache<VerifiedToken>(VERIFIED_BYTES_MAX, () => TOKEN_BYTES);

  constructor(
    private readonly credentials: Credentials,
    private readonly people: ExternalPeople,
    @Inject(ENV) env: Env,
    private readonly tokenKeys: TokenKeys,
  ) {
    const external = env.STRATA_JWKS_URL;
    super({
      jwtFromRequest: wellFormed,
      passReqToCallback: true,
      issuer: env.STRATA_JWT_ISSUER ?? LOCAL_ISSUER,
      audience: env.STRATA_JWT_AUDIENCE,
      // the algorithms are pinned here, never taken from the token
      ...(external
        ? {
            algorithms: ['RS256', 'ES256'],
            secretOrKeyProvider: externalKeys(external),
          }
        : { algorithms: ['ES256'], secretOrKeyProvider: keyProvider(tokenKeys) }),
    });
    this.isLocal = !external;
  }

  /** Returns the identity of a token that was verified and looked up a moment ago, or null. */
  recognize(token: string): Identity | null {
    const verifiedToken = this.verified.get(hashCredential(token));
    if (!verifiedToken || verifiedToken.until <= performance.now() || verifiedToken.expiresAt <= Date.now())
      return null;
    if (this.isLocal && !this.tokenKeys.isKnown(keyIdOfToken(token))) return null;
    const identity = this.credentials.cachedByToken(verifiedToken.claims);
    return identity && withExpiry(identity, verifiedToken.expiresAt);
  }

  async validate(request: FastifyRequest, claims: TokenClaims): Promise<Identity | false> {
    const { sub, organization, token_version: version, iat, exp } = claims;
    // the verifier checks exp only if it is present
    if (typeof exp !== 'number' || exceedsLifetime(claims, exp)) return false;
    if (typeof sub !== 'string' || sub.length > SUBJECT_MAX || textProblem(sub) !== null) return false;
    if (this.isLocal && typeof version !== 'number') return false;
    if (organization !== undefined && (typeof organization !== 'string' || !isUuid(organization))) return false;
    const identity = (await this.credentials.byToken(claims)) ?? (!this.isLocal && (await this.bindOrReject(claims)));
    if (!identity) return false;
    const expiresAt = exp * 1_000;
    const verifiedToken = { claims: { sub, organization, token_version: version, iat }, expiresAt };
    this.verified.put(hashCredential(fromHeader(request) ?? ''), {
      ...verifiedToken,
      until: performance.now() + VERIFIED_MS,
    });
    return withExpiry(identity, expiresAt);
  }

  /** Tries to bind a subject of the issuer that has no membership here to the person with its address. */
  private async bindOrReject(claims: TokenClaims): Promise<Identity> {
    const externalIdentity = this.people.readIdentity(claims);
    const identity =
      externalIdentity && (await this.people.bind(externalIdentity)) ? await this.credentials.byToken(claims) : null;
    if (identity) return identity;
    throw await this.people.failureFor(claims);
  }
}

function withExpiry(identity: Identity, expiresAt: number): Identity {
  return { ...identity, credential: { ...identity.credential, expiresAt } };
}

import { Inject, Injectable } from '@nestjs/common';
import { Failure } from '@strata/domain';
import { createIssuerFetch, type IssuerFetch, issuerUrlProblem } from '@strata/issuers';
import {
  createRemoteJWKSet,
  customFetch,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { z } from 'zod';
import type { Env } from '../env.ts';
import { ENV } from '../tokens.ts';

/** Pinned here, never taken from the token or the issuer. They have no secret keys that a public key could stand for. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];
const CLOCK_SECONDS = 60;
/** No issuer gives out tokens for longer, and the number of tokens that can be replayed stays small. */
const LIFETIME_SECONDS_MAX = 86_400;
const TIMEOUT_MS = 5_000;
/** A flood of tokens with unknown key ids must not become a flood of requests to the issuer. */
const COOLDOWN_MS = 30_000;
const CACHE_MS = 600_000;
/** An issuer that does not respond is contacted again after this time. */
const RETRY_MS = 1_000;

/** The type of a token for another purpose, such as a logout token, differs. */
const TYPES: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

const Metadata = z.object({
  issuer: z.string(),
  jwks_uri: z.string().refine((url) => issuerUrlProblem(url) === null),
});

interface KnownKeys {
  readonly keys: Promise<JWTVerifyGetKey>;
  /** On the clock of `performance.now()`. */
  until: number;
}

export interface ExpectedToken {
  /** The exact text of `iss`. It must come from the settings, because its keys are fetched. */
  readonly issuer: string;
  readonly audience: string;
}

/** Verifies tokens of the issuers in the settings, with the keys that their metadata names. */
@Injectable()
export class IssuerTokens {
  private readonly fetch: IssuerFetch;
  private readonly known = new Map<string, KnownKeys>();

  constructor(@Inject(ENV) env: Env) {
    this.fetch = createIssuerFetch({ allowPrivate: env.STRATA_PRIVATE_ISSUERS });
  }

  /**
   * Returns the claims of a token that is signed by the issuer, for the audience and valid now; otherwise null. Throws
   * `issuer_unavailable` if the keys cannot be fetched.
   */
  async verified(token: string, { issuer, audience }: ExpectedToken): Promise<JWTPayload | null> {
    if (!isTokenType(token)) return null;
    const keys = await this.keysOf(issuer);
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_SECONDS,
        requiredClaims: ['iss', 'aud', 'sub', 'exp', 'iat'],
      });
      return isPlausible(payload) ? payload : null;
    } catch (error) {
      if (isFaultOfToken(error)) return null;
      throw issuerUnavailable();
    }
  }

  /** Concurrent requests share one fetch. */
  private keysOf(issuer: string): Promise<JWTVerifyGetKey> {
    const known = this.known.get(issuer);
    if (known && known.until > performance.now()) return known.keys;
    const entry: KnownKeys = { keys: this.discover(issuer), until: performance.now() + CACHE_MS };
    entry.keys.catch(() => {
      entry.until = performance.now() + RETRY_MS;
    });
    this.known.set(issuer, entry);
    return entry.keys;
  }

  private async discover(issuer: string): Promise<JWTVerifyGetKey> {
    try {
      const response = await this.fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
      if (response.status !== 200) throw new Error(`status ${response.status}`);
      const metadata = Metadata.parse(await response.json());
      if (metadata.issuer !== issuer) throw new Error('The metadata belongs to another issuer.');
      return createRemoteJWKSet(new URL(metadata.jwks_uri), {
        timeoutDuration: TIMEOUT_MS,
        cooldownDuration: COOLDOWN_MS,
        cacheMaxAge: CACHE_MS,
        [customFetch]: (url, init) => this.fetch(url, init as RequestInit),
      });
    } catch {
      throw issuerUnavailable();
    }
  }
}

function isTokenType(token: string): boolean {
  try {
    const { typ } = decodeProtectedHeader(token);
    return TYPES.includes(typeof typ === 'string' ? typ.toLowerCase() : typ);
  } catch {
    return false;
  }
}

function isPlausible({ iat = 0, exp = 0, sub }: JWTPayload): boolean {
  const isIssued = iat <= Date.now() / 1_000 + CLOCK_SECONDS;
  return isIssued && exp - iat <= LIFETIME_SECONDS_MAX && typeof sub === 'string' && sub !== '';
}

/** Every other error means that the keys could not be fetched. Valid tokens must not be rejected as invalid then. */
const FAULTS_OF_TOKEN = [
  errors.JWTClaimValidationFailed,
  errors.JWTExpired,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
];

export const isFaultOfToken = (error: unknown): boolean => FAULTS_OF_TOKEN.some((kind) => error instanceof kind);

/** The error if the issuer's keys cannot be fetched. */
export function issuerUnavailable(): Failure {
  const message = 'The keys of the token issuer cannot be fetched right now. Try again in a moment.';
  return new Failure({ kind: 'unavailable', code: 'issuer_unavailable', message, retryAfterSeconds: 1 });
}

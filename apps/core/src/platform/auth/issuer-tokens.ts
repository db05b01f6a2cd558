import { Inject, Injectable, Logger } from '@nestjs/common';
import { createIssuerFetch, type IssuerFetch, secureUrlProblem } from '@strata/issuers';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import type { Env } from '../env.ts';
import { ENV } from '../tokens.ts';
import { issuerUnavailable, type KeySet, remoteKeySet } from './issuer-keys.ts';
import { unverifiedClaims } from './token-claims.ts';

/** Pinned here, never taken from the token or the issuer. They have no secret keys that a public key could stand for. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];
const CLOCK_SECONDS = 60;
/** No issuer gives out tokens for longer, and the number of tokens that can be replayed stays small. */
const LIFETIME_SECONDS_MAX = 86_400;
/** After this time the metadata is fetched again, because the address of the keys may have changed. */
const METADATA_MS = 600_000;
/** An issuer that does not respond is contacted again after this time. */
const RETRY_MS = 1_000;

const Metadata = z.object({
  issuer: z.string(),
  jwks_uri: z.string().refine((url) => secureUrlProblem(url) === null, 'The URL of the keys is not secure.'),
});

interface KnownKeys {
  readonly keys: Promise<KeySet>;
  /** On the clock of `performance.now()`. */
  until: number;
}

export interface ExpectedToken {
  /** The exact text of `iss`. It must come from the settings, because its keys are fetched. */
  readonly issuer: string;
  /** Absent if the caller checks the audiences. */
  readonly audience?: string;
}

/** Verifies tokens of the issuers in the settings, with the keys that their metadata names. */
@Injectable()
export class IssuerTokens {
  private readonly fetch: IssuerFetch;
  private readonly known = new Map<string, KnownKeys>();
  private readonly logger = new Logger('issuers');

  constructor(@Inject(ENV) env: Env) {
    this.fetch = createIssuerFetch({ allowPrivate: env.STRATA_PRIVATE_ISSUERS });
  }

  /**
   * Returns the claims of a token that is signed by the issuer, for the audience and valid now; otherwise null. Throws
   * `issuer_unavailable` if the keys cannot be fetched.
   */
  async verified(token: string, { issuer, audience }: ExpectedToken): Promise<JWTPayload | null> {
    if (unverifiedClaims(token)?.iss !== issuer) return null;
    const keys = await this.keysOf(issuer);
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        ...(audience !== undefined && { audience }),
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
  private keysOf(issuer: string): Promise<KeySet> {
    const known = this.known.get(issuer);
    if (known && known.until > performance.now()) return known.keys;
    const entry: KnownKeys = { keys: this.discover(issuer), until: performance.now() + METADATA_MS };
    entry.keys.catch(() => {
      entry.until = performance.now() + RETRY_MS;
    });
    this.known.set(issuer, entry);
    return entry.keys;
  }

  private async discover(issuer: string): Promise<KeySet> {
    try {
      const response = await this.fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
      if (response.status !== 200) throw new Error(`status ${response.status}`);
      const metadata = Metadata.parse(await response.json());
      if (metadata.issuer !== issuer) throw new Error('The metadata belongs to another issuer.');
      return remoteKeySet(metadata.jwks_uri, this.fetch);
    } catch (error) {
      this.logger.warn(`The metadata of ${issuer} cannot be used: ${reasonOf(error)}`);
      throw issuerUnavailable();
    }
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

const isFaultOfToken = (error: unknown): boolean => FAULTS_OF_TOKEN.some((kind) => error instanceof kind);

/** Tells an operator whether an address is forbidden or unreachable, which only the cause of an error of fetch says. */
function reasonOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error ? cause.message : message;
}

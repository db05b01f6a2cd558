import { Inject, Injectable, Logger } from '@nestjs/common';
import { Failure } from '@strata/domain';
import { createIssuerFetch, type IssuerFetch, secureUrlProblem } from '@strata/issuers';
import { type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import type { Env } from '../env.ts';
import { ENV } from '../tokens.ts';
import { badCredentialError } from './bad-credential.ts';
import { issuerUnavailableError, type KeySet, remoteKeySet } from './issuer-keys.ts';
import { decodeClaims, exceedsLifetime } from './token-claims.ts';

/** After this time the metadata of an issuer is fetched again, because the address of its keys may have changed. */
const METADATA_MS = 3_600_000;
const CLOCK_DIFFERENCE_SECONDS = 60;
/** The signatures of known issuers. The algorithm is never taken from the token alone. */
const ALGORITHMS = ['RS256', 'ES256', 'ES384'];

const Metadata = z.object({
  issuer: z.string(),
  jwks_uri: z.string().refine((url) => secureUrlProblem(url) === null, 'The address of the keys is not secure.'),
});

export type VerifiedClaims = JWTPayload & { readonly exp: number };

/** Verifies tokens of issuers with the keys that their metadata (OpenID Connect Discovery) points to. */
@Injectable()
export class IssuerTokens {
  private readonly fetch: IssuerFetch;
  private readonly keySets = new Map<string, { readonly keys: Promise<KeySet>; readonly until: number }>();
  private readonly logger = new Logger('issuers');

  constructor(@Inject(ENV) env: Env) {
    this.fetch = createIssuerFetch({ allowPrivate: env.STRATA_PRIVATE_ISSUERS });
  }

  /**
   * Returns the claims of a token that this issuer has signed and that is valid now. Throws `bad_credential`, or
   * `issuer_unavailable` if the keys cannot be fetched. Call it only with issuers from the settings, and check the
   * audience.
   */
  async verify(token: string, issuer: string): Promise<VerifiedClaims> {
    if (decodeClaims(token)?.iss !== issuer) throw badCredentialError();
    const { payload } = await jwtVerify(token, async (header) => (await this.findKeySet(issuer))(header), {
      algorithms: ALGORITHMS,
      issuer,
      requiredClaims: ['exp'],
      clockTolerance: CLOCK_DIFFERENCE_SECONDS,
    }).catch((error: unknown) => {
      throw error instanceof Failure ? error : badCredentialError();
    });
    const { exp = 0, iat = 0 } = payload;
    const now = Date.now() / 1_000;
    const isCurrent = exp > now && iat <= now + CLOCK_DIFFERENCE_SECONDS;
    if (!isCurrent || exceedsLifetime(payload, exp)) throw badCredentialError();
    return { ...payload, exp };
  }

  private async findKeySet(issuer: string): Promise<KeySet> {
    const cachedKeySet = this.keySets.get(issuer);
    const keys = cachedKeySet && cachedKeySet.until > performance.now() ? cachedKeySet.keys : this.discover(issuer);
    try {
      return await keys;
    } catch {
      throw issuerUnavailableError();
    }
  }

  /** Concurrent requests share the metadata. If it cannot be fetched, the next request tries again. */
  private discover(issuer: string): Promise<KeySet> {
    const keys = this.fetchKeySet(issuer);
    this.keySets.set(issuer, { keys, until: performance.now() + METADATA_MS });
    keys.catch((error: unknown) => {
      this.keySets.delete(issuer);
      this.logger.warn(`The metadata of ${issuer} cannot be used: ${describeReason(error)}`);
    });
    return keys;
  }

  private async fetchKeySet(issuer: string): Promise<KeySet> {
    const response = await this.fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    if (!response.ok) throw new Error(`The response has the status ${response.status}.`);
    const metadata = Metadata.parse(await response.json());
    if (metadata.issuer !== issuer) throw new Error('It is the metadata of another issuer.');
    return remoteKeySet(metadata.jwks_uri, this.fetch);
  }
}

/** An operator must see whether an address is forbidden or unreachable, which only the cause of the error says. */
function describeReason(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error ? cause.message : message;
}

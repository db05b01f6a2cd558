import { Inject, Injectable } from '@nestjs/common';
import type { OrganizationId, UserId } from '@strata/domain';
import { SignJWT } from 'jose';
import type { Env } from '../env.ts';
import { ENV } from '../tokens.ts';
import { TokenKeys } from './token-keys.ts';

export const LOCAL_ISSUER = 'strata';
/** The default lifetime. It is short, because a single token cannot be revoked, only all tokens of a person. */
export const TOKEN_LIFETIME_SECONDS = 900;

export interface TokenSubject {
  readonly personId: UserId;
  readonly organizationId: OrganizationId;
  readonly tokenVersion: number;
  /** The time of the sign-in with a password, in seconds since 1970. */
  readonly signedInAt: number;
  readonly lifetimeSeconds: number;
}

/** Signs the tokens of people who sign in here, if no external issuer is configured. */
@Injectable()
export class TokenIssuer {
  constructor(
    private readonly keys: TokenKeys,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** A renewed token keeps `signedInAt`, so that renewing does not prolong a session for ever. */
  async issue({ personId, organizationId, tokenVersion, signedInAt, lifetimeSeconds }: TokenSubject): Promise<string> {
    const { id, privateKey } = await this.keys.signing();
    const claims = { organization: organizationId, token_version: tokenVersion, auth_time: signedInAt };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: id })
      .setSubject(personId)
      .setIssuer(this.env.STRATA_JWT_ISSUER ?? LOCAL_ISSUER)
      .setAudience(this.env.STRATA_JWT_AUDIENCE)
      .setIssuedAt()
      .setExpirationTime(`${lifetimeSeconds}s`)
      .sign(privateKey);
  }
}

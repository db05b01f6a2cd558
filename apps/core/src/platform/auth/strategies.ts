import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';

import { HeaderAPIKeyStrategy } from 'passport-headerapikey';
import { ExtractJwt, Strategy as JwtStrategy } from 'passport-jwt';
import type { Env } from '../env.ts';
import { ENV } from '../tokens.ts';
import { Credentials, type Identity } from './credentials.ts';
import { externalKeys } from './external-keys.ts';
import { LOCAL_ISSUER, TokenIssuer } from './token-issuer.ts';

@Injectable()
export class ApiKeyStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'api-key') {
  constructor(private readonly credentials: Credentials) {
    // the guard parsed Authorization strictly and hands the key over here, replacing whatever the client sent
    super({ header: 'x-strata-api-key', prefix: '' }, false);
  }

  async validate(key: string): Promise<Identity | false> {
    return (await this.credentials.byApiKey(key.slice(0, key.indexOf('.')), key)) ?? false;
  }
}

interface TokenClaims {
  readonly sub?: unknown;
  readonly organization?: unknown;
  readonly token_version?: unknown;
}

@Injectable()
export class BearerStrategy extends PassportStrategy(JwtStrategy, 'bearer') {
  private readonly isLocal: boolean;

  constructor(
    private readonly credentials: Credentials,
    @Inject(ENV) env: Env,
    issuer: TokenIssuer,
  ) {
    const external = env.STRATA_JWKS_URL;
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      issuer: env.STRATA_JWT_ISSUER ?? LOCAL_ISSUER,
      audience: env.STRATA_JWT_AUDIENCE,
      // the algorithms are pinned here, never taken from the token
      ...(external
        ? {
            algorithms: ['RS256', 'ES256'],
            secretOrKeyProvider: externalKeys(external),
          }
        : { algorithms: ['ES256'], secretOrKey: issuer.publicKeyPem() }),
    });
    this.isLocal = !external;
  }

  async validate({ sub, organization, token_version: version }: TokenClaims): Promise<Identity | false> {
    if (typeof sub !== 'string') return false;
    if (this.isLocal && typeof version !== 'number') return false;
    const organizationId = typeof organization === 'string' ? organization : null;
    return (await this.credentials.byToken(sub, organizationId, typeof version === 'number' ? version : null)) ?? false;
  }
}

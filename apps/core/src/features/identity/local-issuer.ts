import { Failure } from '@strata/domain';
import type { Env } from '../../platform/env.ts';

/** Throws if an external issuer manages the passwords, so that none can be checked or changed here. */
export function assertLocal(env: Pick<Env, 'STRATA_JWKS_URL' | 'STRATA_JWT_ISSUER'>): void {
  if (!env.STRATA_JWKS_URL) return;
  throw new Failure('forbidden', 'external_issuer', `Sign in with ${env.STRATA_JWT_ISSUER}; it issues the tokens.`);
}

import { Failure } from '@strata/domain';
import type { Env } from '../../platform/env.ts';

/** Throws where an external issuer knows the passwords: here there are none to ask for or to change. */
export function assertLocal(env: Pick<Env, 'STRATA_JWKS_URL' | 'STRATA_JWT_ISSUER'>): void {
  if (!env.STRATA_JWKS_URL) return;
  throw new Failure('forbidden', 'external_issuer', `Sign in with ${env.STRATA_JWT_ISSUER}; it issues the tokens.`);
}

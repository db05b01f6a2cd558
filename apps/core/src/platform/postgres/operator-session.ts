import type pg from 'pg';
import { RootKey } from '../vault/root-key.ts';
import { OWNER_ROLE, type SessionSettings, withSession } from './session.ts';
import { SET_TOKEN, TenantTokens } from './tenants.ts';

interface OperatorEnv {
  readonly STRATA_OWNER_DATABASE_URL: string;
  readonly STRATA_ROOT_KEY: string;
}

/**
 * Runs work of an operator, as the owner of the schema if that account is set. With the account of the core, it can read the
 * rows of all organizations, and lacks the permissions of the owner.
 */
export function withOperatorSession<Result>(
  { STRATA_OWNER_DATABASE_URL: url, STRATA_ROOT_KEY: rootKey }: OperatorEnv,
  settings: SessionSettings,
  run: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  return withSession(url, OWNER_ROLE, settings, async (client) => {
    const tokens = new TenantTokens(new RootKey(Buffer.from(rootKey, 'base64')));
    await client.query(SET_TOKEN, [tokens.current()]);
    return run(client);
  });
}

import type pg from 'pg';
import { type RootKeySettings, readRootKeys } from '../vault/root-key.ts';
import { loadServiceKeys, ServiceKeys } from '../vault/service-keys.ts';
import { OWNER_ROLE, type SessionSettings, withSession } from './session.ts';
import { SET_TOKEN, TenantTokens } from './tenants.ts';

interface OperatorEnv extends RootKeySettings {
  readonly STRATA_OWNER_DATABASE_URL: string;
}

/**
 * Runs work of an operator, as the owner of the schema if that account is set. With the account of the core, it can read the
 * rows of all organizations, and lacks the permissions of the owner.
 */
export function withOperatorSession<Result>(
  { STRATA_OWNER_DATABASE_URL: url, ...env }: OperatorEnv,
  settings: SessionSettings,
  run: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  return withSession(url, OWNER_ROLE, settings, async (client) => {
    const rootKeys = readRootKeys(env);
    const storedKeys = await loadServiceKeys((sql) => client.query(sql).then(({ rows }) => rows), rootKeys);
    // With another root key, the command reports that, or PostgreSQL rejects the token.
    const tokens = new TenantTokens(storedKeys ?? ServiceKeys.derive(rootKeys.current));
    await client.query(SET_TOKEN, [tokens.current()]);
    return run(client);
  });
}

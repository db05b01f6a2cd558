import { generateKeyPairSync } from 'node:crypto';
import { SIGN_IN_SECONDS } from '@strata/contract';
import type { JWK } from 'jose';
import type pg from 'pg';
import { StartError } from '../start-errors.ts';
import type { RootKeys } from '../vault/root-key.ts';
import { requireServiceKeys, type ServiceKeys } from '../vault/service-keys.ts';
import { readTokenKey, type TokenKey } from './token-keys.ts';

/** Programs may keep the published keys for five minutes, and cores for ten seconds. */
const PUBLISHED_BEFORE_SECONDS = 600;
/** A token is valid for at most twelve hours. The rest allows for clocks that differ. */
const VERIFIES_SECONDS = SIGN_IN_SECONDS + 300;
/** The first schema whose database sends no tokens of cores that know only one key: it is enforced. */
const ENFORCED_FROM = 61;

const INSERT = `
insert into token_signing_key (id, sealed_key, signs_from)
values ($1, $2, clock_timestamp() + make_interval(secs => $3)) on conflict (id) do nothing`;

const END = `
update token_signing_key set verifies_until = clock_timestamp() + make_interval(secs => $2)
 where id <> $1 and (verifies_until is null or verifies_until > clock_timestamp() + make_interval(secs => $2))`;

/**
 * Creates a key with which the built-in issuer signs tokens, and returns a report. It is published at once and signs after
 * ten minutes; the previous one verifies until its tokens have expired. With `isRevocation`, the new key signs at once, and
 * no token of a previous key is valid any more.
 */
export async function rotateTokenKey(client: pg.Client, rootKeys: RootKeys, isRevocation: boolean): Promise<string> {
  const serviceKeys = await requireServiceKeys((sql) => client.query(sql).then(({ rows }) => rows), rootKeys);
  await client.query('begin');
  await client.query('lock table token_signing_key in exclusive mode');
  await assertEnforced(client);
  await client.query('delete from token_signing_key where verifies_until < clock_timestamp()');
  const { rows } = await client.query<{ pending: boolean }>(
    'select bool_or(signs_from > clock_timestamp()) as pending, count(*) as keys from token_signing_key having count(*) > 0',
  );
  if (rows[0]?.pending && !isRevocation)
    throw new StartError('The last rotation is not complete: its key signs in a few minutes. Try again later.');
  if (rows.length === 0) await insert(client, serviceKeys, await readTokenKey(serviceKeys.tokenKey() as JWK), 0);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = await readTokenKey(privateKey.export({ format: 'jwk' }) as JWK);
  const delaySeconds = isRevocation ? 0 : PUBLISHED_BEFORE_SECONDS;
  await insert(client, serviceKeys, key, delaySeconds);
  await client.query(END, [key.id, isRevocation ? 0 : delaySeconds + VERIFIES_SECONDS]);
  await client.query('commit');
  return isRevocation
    ? `The key ${key.id} signs tokens now. Tokens of previous keys are rejected within 10 seconds.\n`
    : `The key ${key.id} is published now and signs tokens in 10 minutes. Tokens of previous keys remain valid until they expire.\n`;
}

async function insert(
  client: pg.Client,
  serviceKeys: ServiceKeys,
  { id, privateKey }: TokenKey,
  delay: number,
): Promise<void> {
  await client.query(INSERT, [id, serviceKeys.sealTokenKey(id, privateKey.export({ format: 'jwk' })), delay]);
}

/** Cores of the release before know only one key, and would reject tokens of another one. */
async function assertEnforced(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ serves_cores_from: number }>(
    'select serves_cores_from from schema_compatibility',
  );
  if ((rows[0]?.serves_cores_from ?? 0) >= ENFORCED_FROM) return;
  throw new StartError(
    'Cores of the release before may still run, and know only the present key. Complete the upgrade with `strata migrate --enforce` first.',
  );
}

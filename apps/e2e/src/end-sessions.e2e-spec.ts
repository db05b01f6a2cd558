import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { AuditTrail, AuthToken, Page } from '@strata/contract';
import { type OwnCore, RawClient, startCore, testCredentials } from '@strata/testkit';
import { buildMissingApps, eventually } from './processes.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../cli/dist/main.js');

let core: OwnCore;
beforeAll(async () => {
  await buildMissingApps('core', 'cli');
  core = await startCore();
});
afterAll(() => core?.close());

/** Runs a command of operators and returns what it prints. */
async function operate(...commandLine: readonly string[]): Promise<string> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const { rootKey } = testCredentials();
  const env = { PATH, NODE_COMPILE_CACHE, STRATA_ROOT_KEY: rootKey, DATABASE_URL: core.database.url };
  return (await promisify(execFile)(process.execPath, [PROGRAM, ...commandLine], { env })).stdout;
}

const endSessions = (...options: readonly string[]) => operate('end-sessions', ...options);

const { ownerEmail: email, ownerPassword: password, apiKey } = testCredentials();

const fetchStatus = async (authorization: string) =>
  (await new RawClient(core.origin, authorization).get('users/current/')).status;

async function signIn(route: 'auth/session/' | 'auth/token/', credential: object = { email, password }, by = '') {
  const { body } = await new RawClient(core.origin, by || null).post<AuthToken>(route, credential);
  return `Bearer ${body.access_token}`;
}

const isEnded = (authorization: string) => async () => (await fetchStatus(authorization)) === 403;

test('ends sessions, tokens and event streams at a running core, but no API keys', async () => {
  const key = `Api-Key ${apiKey}`;
  const session = await signIn('auth/session/');
  const token = await signIn('auth/token/');
  const ofKey = await signIn('auth/session/', {}, key);
  const stream = await fetch(`${core.origin}/api/v1/events/stream/`, { headers: { authorization: session } });
  const all = [session, token, ofKey, key];
  expect(await Promise.all(all.map(fetchStatus))).toEqual([200, 200, 200, 200]);

  expect(await endSessions('--yes')).toBe(
    'Ended 2 sessions, and all tokens of 1 person.\nAPI keys remain valid. Rotate the ones that may have leaked.\n',
  );

  expect(await stream.text()).toContain('credential_revoked');
  for (const endedCredential of [session, token, ofKey])
    await eventually('the credential is rejected', isEnded(endedCredential));
  expect(await fetchStatus(key)).toBe(200);
  expect(await fetchStatus(await signIn('auth/session/'))).toBe(200);
  const { body } = await new RawClient(core.origin, key).get<Page<AuditTrail>>('audit/?action=sign_out_everywhere');
  const user = expect.objectContaining({ id: 'operator', name: 'Operator' });
  expect(body.results).toEqual([expect.objectContaining({ object_type: 'Membership', user })]);
});

test('requires --yes, and changes nothing without it', async () => {
  const session = await signIn('auth/session/');

  await expect(endSessions()).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('Add --yes') });

  expect(await fetchStatus(session)).toBe(200);
});

test('strata rotate-signing-key publishes the next key, and with --revoke rejects the tokens of previous ones', async () => {
  const token = await signIn('auth/token/');
  const keyCount = async () =>
    ((await (await fetch(`${core.origin}/.well-known/jwks.json`)).json()) as { keys: readonly object[] }).keys.length;
  await expect(operate('rotate-signing-key')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes'),
  });
  expect(await keyCount()).toBe(1);

  expect(await operate('rotate-signing-key', '--yes')).toMatch(/^The key \S+ is published now/);
  await eventually('the next key is published', async () => (await keyCount()) === 2);
  expect(await fetchStatus(token)).toBe(200);
  await expect(operate('rotate-signing-key', '--yes')).rejects.toMatchObject({
    stderr: expect.stringContaining('The last rotation is not complete'),
  });

  expect(await operate('rotate-signing-key', '--yes', '--revoke')).toMatch(/signs tokens now/);
  await eventually('the token is rejected', isEnded(token));
  expect(await fetchStatus(await signIn('auth/token/'))).toBe(200);
});

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import type { ServiceAccountCreated, TrustRule, Value } from '@strata/contract';
import { LocalIssuer, type OwnCore, startCore, type TestOrganization } from '@strata/testkit';
import { CommandLine } from './command-line.ts';
import { eventually } from './processes.ts';

const CLAIMS = { aud: 'https://strata.example', sub: 'project_path:octo/app:ref_type:branch:ref:main' };
const CANARY = 'canary-7be210';

let issuer: LocalIssuer;
let core: OwnCore;
let organization: TestOrganization;
let strata: CommandLine;
let account: string;
let rules: string;
let rule: string;
let value: Value;

beforeAll(async () => {
  issuer = await LocalIssuer.start();
  core = await startCore({ STRATA_WORKLOAD_ISSUERS: issuer.url, STRATA_PRIVATE_ISSUERS: 'true' });
});
afterAll(async () => {
  await core.close();
  await issuer.close();
});
beforeEach(async () => {
  organization = await core.organization();
  const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
    ...{ name: 'deploy', role: 'CONTRIB' },
  });
  account = body.id;
  rules = `${body.url}trust-rules/`;
  const trustRule = { issuer: issuer.url, audience: CLAIMS.aud, subject: CLAIMS.sub };
  const createResponse = await organization.owner.post<TrustRule>(rules, trustRule);
  rule = `${rules}${createResponse.body.id}/`;
  const project = await organization.project({ name: 'shop' });
  const parameter = await organization.parameter({ project, name: 'PASSWORD', secret: true });
  value = await organization.value({ parameter, internal_value: CANARY });
  strata = await CommandLine.create({
    ...{ STRATA_URL: core.origin, STRATA_PROJECT: 'shop', STRATA_ENVIRONMENT: 'default' },
    ...{ STRATA_ID_TOKEN: issuer.token(CLAIMS), STRATA_SERVICE_ACCOUNT: account },
  });
});
/** A program that a test has started. */
let child: ChildProcess | null = null;
afterEach(async () => {
  if (child?.kill()) await once(child, 'close');
  child = null;
  strata.remove();
});

const print = (name: string) => ['--', process.execPath, '-e', `console.log(process.env.${name})`];

test('a job uses the service account that trusts its token, without an API key', async () => {
  expect(await strata.json(['whoami'])).toMatchObject({ account: 'deploy', role: 'CONTRIB' });
  expect((await strata.run(['run', ...print('PASSWORD')])).stdout).toBe(`${CANARY}\n`);
  expect((await strata.run(['run', ...print('STRATA_ID_TOKEN')])).stdout).toBe('undefined\n');
});

test('a pod uses the token of a file, and the program does not receive its name', async () => {
  const file = path.join(strata.home, 'token');
  fs.writeFileSync(file, `${issuer.token(CLAIMS)}\n`);
  const env = { STRATA_ID_TOKEN: '', STRATA_ID_TOKEN_FILE: file };
  expect((await strata.run(['run', ...print('PASSWORD')], { env })).stdout).toBe(`${CANARY}\n`);
  expect((await strata.run(['run', ...print('STRATA_ID_TOKEN_FILE')], { env })).stdout).toBe('undefined\n');
});

test('run --watch of a pod reads the renewed token when its session has ended', async () => {
  const file = path.join(strata.home, 'token');
  fs.writeFileSync(file, issuer.token(CLAIMS));
  const env = { STRATA_ID_TOKEN: '', STRATA_ID_TOKEN_FILE: file };
  const code = 'console.log(process.env.PASSWORD); setInterval(() => undefined, 1_000)';
  child = strata.start(['run', '--watch', '--', process.execPath, '-e', code], { env });
  let output = '';
  child.stdout?.on('data', (part) => (output += part));
  await eventually('the program runs', () => output === `${CANARY}\n`);

  const renewed = { ...CLAIMS, sub: `${CLAIMS.sub}-renewed` };
  fs.writeFileSync(file, issuer.token(renewed));
  await organization.owner.post(rules, { issuer: issuer.url, audience: CLAIMS.aud, subject: renewed.sub });
  await organization.owner.delete(rule);
  await organization.owner.patch(value.url, { internal_value: 'canary-renewed' });
  await eventually('the program runs with the new value', () => output === `${CANARY}\ncanary-renewed\n`);
});

test('bisect of a pod reads the renewed token when its session has ended', async () => {
  const [file, started, go] = ['token', 'started', 'go'].map((name) => path.join(strata.home, name)) as [
    string,
    string,
    string,
  ];
  fs.writeFileSync(file, issuer.token(CLAIMS));
  const env = { STRATA_ID_TOKEN: '', STRATA_ID_TOKEN_FILE: file };
  const revisionNow = async () => Number((await organization.owner.get('users/current/')).headers['x-revision']);
  const good = await revisionNow();
  await organization.owner.patch(value.url, { internal_value: 'one' });
  const culprit = await revisionNow();
  await organization.owner.patch(value.url, { internal_value: 'two' });
  const code = `const fs = require('node:fs'); fs.writeFileSync('${started}', '');
    const ready = () => fs.existsSync('${go}') ? process.exit(process.env.PASSWORD === '${CANARY}' ? 0 : 1) : setTimeout(ready, 20);
    ready();`;
  const child = strata.start(['bisect', '--good', String(good), '--', process.execPath, '-e', code], { env });
  let output = '';
  child.stdout?.on('data', (part) => (output += part));
  const whenEnded = once(child, 'close');
  await eventually('the first check runs', () => fs.existsSync(started));

  const renewed = { ...CLAIMS, sub: `${CLAIMS.sub}-renewed` };
  fs.writeFileSync(file, issuer.token(renewed));
  await organization.owner.post(rules, { issuer: issuer.url, audience: CLAIMS.aud, subject: renewed.sub });
  await organization.owner.delete(rule);
  fs.writeFileSync(go, '');
  expect([(await whenEnded)[0], output]).toEqual([0, expect.stringContaining(`Revision ${culprit} `)]);
});

test('a token that no rule accepts ends with 3, and the error does not contain it', async () => {
  const token = issuer.token({ ...CLAIMS, sub: 'project_path:octo/app:ref_type:branch:ref:other' });
  const { code, stderr } = await strata.run(['whoami'], { env: { STRATA_ID_TOKEN: token } });

  expect([code, stderr]).toEqual([3, expect.stringContaining('no trust rule of the service account accepts it')]);
  expect(stderr).not.toContain(token.split('.')[1]);
});

test('a token requires the id of the service account, and an address that no file selects', async () => {
  const without = await strata.run(['whoami'], { env: { STRATA_SERVICE_ACCOUNT: '' } });
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('STRATA_SERVICE_ACCOUNT is not')]);
  const nowhere = await strata.run(['whoami'], { env: { STRATA_URL: '' } });
  expect(nowhere.code).toBe(2);
});

test('the cache of run requires a credential that stays the same', async () => {
  const { code, stderr } = await strata.run(['run', '--cache-max-age', '1h', ...print('PASSWORD')]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('require an API key or a sign-in')]);
});

import fs from 'node:fs';
import path from 'node:path';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { CommandLine } from './command-line.ts';

let core: RunningCore;
let organization: TestOrganization;
let strata: CommandLine;
let key: string;

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
  await organization.project({ name: 'shop' });
  key = (await organization.authorization('VIEWER')).replace('Api-Key ', '');
  strata = await CommandLine.create({});
});
afterEach(() => strata.remove());

const login = (...options: readonly string[]) => strata.run(['login', ...options], { input: key });
const read = (name: string) => JSON.parse(fs.readFileSync(path.join(strata.home, name), 'utf8'));

test('setup writes the project and the environment into strata.json, and keeps its other members', async () => {
  await login('--url', core.origin);
  fs.writeFileSync(path.join(strata.home, 'strata.json'), '{"acceptNames": ["JAVA_OPTS"], "project": "old"}');
  const { code, stdout } = await strata.run(['setup', '--project', 'shop', '--environment', 'staging']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('project "shop", environment "staging"')]);
  expect(read('strata.json')).toEqual({
    ...{ url: core.origin, project: 'shop', environment: 'staging', acceptNames: ['JAVA_OPTS'] },
  });
  expect(await strata.json(['whoami'])).toMatchObject({ project: 'shop', environment: 'staging' });
});

test('setup writes into the .strata.json of the folder', async () => {
  await login('--url', core.origin);
  fs.writeFileSync(path.join(strata.home, '.strata.json'), '{"acceptOnly": true}');
  expect((await strata.run(['setup', '--project', 'shop', '--environment', 'staging'])).code).toBe(0);
  expect(read('.strata.json')).toEqual({
    ...{ url: core.origin, project: 'shop', environment: 'staging', acceptOnly: true },
  });
  expect(fs.existsSync(path.join(strata.home, 'strata.json'))).toBe(false);
});

test('setup writes no file that would replace protected names of a folder above', async () => {
  await login('--url', core.origin);
  const folder = path.join(strata.home, 'service');
  fs.mkdirSync(folder);
  const setup = () => strata.run(['setup', '--project', 'shop', '--environment', 'staging'], { folder });
  fs.writeFileSync(path.join(strata.home, '.strata.json'), '{"acceptNames": ["JAVA_OPTS"]}');
  const { code, stderr } = await setup();
  expect([code, stderr]).toEqual([2, expect.stringMatching(/would replace .*\.strata\.json/)]);
  expect(fs.readdirSync(folder)).toEqual([]);
  fs.writeFileSync(path.join(strata.home, '.strata.json'), '{"project": "other"}');
  expect((await setup()).code).toBe(0);
  expect(read('service/strata.json')).toMatchObject({ project: 'shop' });
});

test('a profile has a name', async () => {
  await login('--url', core.origin);
  for (const args of [
    ['login', '--url', core.origin, '--profile', ''],
    ['profile', 'use', ''],
    ['whoami', '--profile', ''],
  ]) {
    const { code, stderr } = await strata.run(args, { input: key });
    expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining('must not be empty')]);
  }
  expect(await strata.json(['profile', 'list'])).toEqual([]);
});

test('setup writes nothing for a name that does not exist, or without a choice', async () => {
  await login('--url', core.origin);
  const unknown = await strata.run(['setup', '--project', 'shpo', '--environment', 'staging']);
  expect([unknown.code, unknown.stderr]).toEqual([4, expect.stringContaining('Existing projects: shop')]);
  const missing = await strata.run(['setup', '--project', 'shop']);
  expect([missing.code, missing.stderr]).toEqual([
    2,
    expect.stringMatching(/Add --environment\. Existing environments/),
  ]);
  expect(fs.existsSync(path.join(strata.home, 'strata.json'))).toBe(false);
});

test('a profile selects the address of a server, and survives logout', async () => {
  const second = core.origin.replace('127.0.0.1', 'localhost');
  expect((await login('--url', core.origin, '--profile', 'work')).code).toBe(0);
  expect((await login('--url', second, '--profile', 'test')).code).toBe(0);
  const readUrl = async (options: readonly string[] = [], env = {}) =>
    (await strata.json<{ readonly url: string }>(['whoami', ...options], { env })).url;
  expect([
    await readUrl(),
    await readUrl(['--profile', 'work']),
    await readUrl([], { STRATA_PROFILE: 'work' }),
  ]).toEqual([second, core.origin, core.origin]);
  expect((await strata.run(['profile', 'use', 'work'])).code).toBe(0);
  expect(await readUrl()).toBe(core.origin);
  expect(await strata.json(['profile', 'list'])).toEqual([
    { name: 'work', url: core.origin, is_default: true },
    { name: 'test', url: second, is_default: false },
  ]);
  await strata.run(['logout', '--profile', 'work']);
  await strata.run(['profile', 'use', 'work']);
  expect((await login()).code).toBe(0);
  expect((await strata.run(['profile', 'delete', 'test'])).stdout).toContain(`You are still signed in at ${second}.`);
  const { code, stderr } = await strata.run(['whoami', '--profile', 'test']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Profiles: work.')]);
});

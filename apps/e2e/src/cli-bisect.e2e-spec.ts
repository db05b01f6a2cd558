import fs from 'node:fs';
import path from 'node:path';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { type CommandLine, CommandLineShop } from './command-line.ts';
import { eventually } from './processes.ts';

const CANARY = 'canary-b15ec7';

let core: RunningCore;
let shop: CommandLineShop;
let organization: TestOrganization;
let strata: CommandLine;

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  shop = await CommandLineShop.create(core, 'VIEWER', 'production');
  ({ organization, strata } = shop);
  await shop.set('PORT', '1');
});
afterEach(() => strata.remove());

const check = (code: string) => ['--', process.execPath, '-e', code];
/** Fails from the port 5 on. */
const PORT_CHECK = check('console.log("checked"); process.exit(process.env.PORT < 5 ? 0 : 1)');

/** Applies a changeset, and returns its revision. */
async function change(values: Readonly<Record<string, string>>, message = ''): Promise<number> {
  const set = { project: 'shop', environment: 'default', values, create_missing: true };
  const { body } = await organization.owner.post<{ revision: number }>('changesets/', {
    message,
    operations: [{ set }],
  });
  return body.revision;
}

async function ports(...texts: readonly number[]): Promise<readonly number[]> {
  const revisions: number[] = [];
  for (const text of texts) revisions.push(await change({ PORT: String(text) }, `Port ${text}`));
  return revisions;
}

test('bisect finds the changeset that makes the check fail, and checks only revisions that changed the values', async () => {
  const otherParameter = await organization.parameter();
  const [first = 0] = await ports(2, 3);
  for (let index = 0; index < 10; index++)
    await organization.owner.post(`${otherParameter.project}parameters/`, { name: `p${index}` });
  const [culprit = 0] = await ports(5, 6);

  const { code, stdout, stderr } = await strata.run(['bisect', '--good', String(first), ...PORT_CHECK]);
  expect([code, stdout, stderr]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(
        `^Revision ${culprit} .* Owner\n +Port 5\n +update Value PORT in shop / default\n.*\n +PORT: 3 → 5\n$`,
      ),
    ),
    expect.stringContaining(`Next: strata revert ${culprit}`),
  ]);
  expect(stderr.match(/^checked$/gm)).toHaveLength(4);
});

test('bisect prints JSON, and nothing else on standard output', async () => {
  const [good = 0, culprit = 0] = await ports(4, 7);
  const { code, stdout } = await strata.run(['bisect', '--json', '--good', String(good), ...PORT_CHECK]);
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    {
      first_bad: culprit,
      changesets: [
        expect.objectContaining({
          ...{ revision: culprit, actor_name: 'Owner', message: 'Port 7' },
          values: [{ name: 'PORT', secret: false, before: '4', after: '7' }],
        }),
      ],
    },
  ]);
});

test('bisect accepts times and tags', async () => {
  const { url } = await organization.environmentNamed('production');
  await organization.owner.post(`${url}tags/`, { name: 'v1' });
  const [good = 0, culprit] = await ports(2, 5, 6);
  const { at } = (await organization.owner.get<{ at: string }>(`changesets/${good}/`)).body;
  for (const name of ['v1', at]) {
    const { stdout } = await strata.run(['bisect', '--good', name, '--bad', String(good + 2), ...PORT_CHECK]);
    expect(stdout).toContain(`Revision ${culprit} `);
  }
});

test('bisect lists all changesets that are possible if the check was skipped', async () => {
  const [good = 0, ...possible] = await ports(1, 3, 4, 7);
  const code = 'process.exit({ 1: 0, 3: 125, 4: 125, 7: 9 }[process.env.PORT])';
  const result = await strata.run(['bisect', '--good', String(good), ...check(code)]);
  expect([result.code, result.stderr]).toEqual([
    1,
    expect.stringContaining(`made the check fail: ${possible.join(', ')}.`),
  ]);
  for (const revision of possible) expect(result.stdout).toContain(`Revision ${revision} `);
});

test('bisect passes over a skipped revision', async () => {
  const [good = 0, , , culprit] = await ports(1, 2, 3, 4, 5);
  const code = 'process.exit({ 1: 0, 2: 0, 3: 125, 4: 1, 5: 1 }[process.env.PORT])';
  expect((await strata.run(['bisect', '--good', String(good), ...check(code)])).stdout).toContain(
    `Revision ${culprit} `,
  );
});

test('bisect passes over revisions at which a text cannot be evaluated', async () => {
  const [good] = await ports(1);
  const { value } = await shop.set('LONG', 'x');
  const parameter = await organization.parameter({ project: shop.project, name: 'BROKEN' });
  await organization.value({ parameter, internal_value: '{{ LONG }}'.repeat(17), interpolated: true });
  await organization.owner.patch(value.url, { internal_value: 'x'.repeat(65_000) });
  for (const text of [2, 3, 4]) await ports(text);
  await organization.owner.patch(value.url, { internal_value: 'y' });
  const [culprit] = await ports(5);
  const { code, stdout, stderr } = await strata.run(['bisect', '--good', String(good), ...PORT_CHECK]);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`Revision ${culprit} `)]);
  expect(stderr).toMatch(/^Revision \d+: skipped\. .*BROKEN$/m);
});

test.each([
  ['the check fails at the good revision', 'process.exit(1)', 'The check fails at revision'],
  ['the check succeeds at the bad revision', 'process.exit(0)', 'The check succeeds at revision'],
  ['the check is skipped at the good revision', 'process.exit(125)', 'The check is skipped at revision'],
])('bisect reports that %s', async (_, code, message) => {
  const [good] = await ports(1, 5);
  const result = await strata.run(['bisect', '--good', String(good), ...check(code)]);
  expect([result.code, result.stdout, result.stderr]).toEqual([1, '', expect.stringContaining(message)]);
});

test('bisect rejects revisions that it cannot search', async () => {
  const [first = 0, second = 0] = await ports(1, 5);
  await organization.parameter();
  const run = (...args: string[]) => strata.run(['bisect', ...args, ...PORT_CHECK]);
  expect((await run('--good', String(second), '--bad', String(first))).stderr).toContain('must be earlier');
  expect((await run('--good', String(second))).stderr).toContain('The values are the same');
  expect(await run('--good', '9999')).toMatchObject({ code: 4, stderr: expect.stringContaining('the latest is') });
  expect(await run('--good', 'v9')).toMatchObject({ code: 4, stderr: expect.stringContaining('no tag v9') });
  expect((await strata.run(['bisect', '--good', String(first), '--', '/none'])).code).toBe(127);
  expect((await run('--good', '0')).code).toBe(4);
});

test('bisect passes secrets only in the environment of the check, and not the API key', async () => {
  const good = await change({ PORT: '2' });
  const parameter = await organization.parameter({ project: shop.project, name: 'PASSWORD', secret: true });
  await organization.value({ parameter, internal_value: CANARY });
  const code = `process.exit(process.env.STRATA_API_KEY || process.env.PASSWORD !== '${CANARY.slice(0, 6)}' + '${CANARY.slice(6)}' ? 0 : 1)`;
  const result = await strata.run(['bisect', '--good', String(good), ...check(code)]);
  expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('PASSWORD: changed (secret)') });
  expect(`${result.stdout}${result.stderr}`).not.toContain(CANARY);
  const json = await strata.run(['bisect', '--json', '--good', String(good), ...check(code)]);
  expect(json.stdout).toContain('"secret": true');
  expect(`${json.stdout}${json.stderr}`).not.toContain(CANARY);
});

test('bisect sets variables that make programs run other code only with --allow-name', async () => {
  const [good] = await ports(1, 2);
  await shop.set('NODE_OPTIONS', '');
  await change({ PORT: '5' });
  const args = ['bisect', '--good', String(good)];
  expect(await strata.run([...args, ...PORT_CHECK])).toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining('--allow-name NODE_OPTIONS') },
  });
  expect(await strata.run([...args, '--allow-name', 'NODE_OPTIONS', ...PORT_CHECK])).toMatchObject({ code: 0 });
});

test('bisect stops with the check when it receives a signal', async () => {
  const [good] = await ports(1, 2, 5);
  const file = path.join(strata.home, 'started');
  const code = `require('fs').appendFileSync(${JSON.stringify(file)}, 'x'); setInterval(() => 0, 1000)`;
  const child = strata.start(['bisect', '--good', String(good), ...check(code)]);
  await eventually('the check runs', () => fs.existsSync(file));
  child.kill('SIGINT');
  expect(await new Promise((resolve) => child.once('close', (_, signal) => resolve(signal)))).toBe('SIGINT');
  expect(fs.readFileSync(file, 'utf8')).toBe('x');
});

test('bisect follows a project and an environment that were renamed', async () => {
  const [good, culprit] = await ports(1, 5);
  await organization.owner.patch(shop.project.url, { name: 'store' });
  const { url } = await organization.environmentNamed('production');
  await organization.owner.patch(url, { name: 'live' });
  const args = ['bisect', '-p', 'store', '-e', 'live', '--good', String(good), ...PORT_CHECK];
  expect(await strata.run(args)).toMatchObject({ code: 0, stdout: expect.stringContaining(`Revision ${culprit} `) });
});

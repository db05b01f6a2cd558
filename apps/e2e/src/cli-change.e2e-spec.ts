import fs from 'node:fs';
import path from 'node:path';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { CommandLine, CommandLineShop } from './command-line.ts';

const CANARY = 'canary-e0d9a1';

let core: RunningCore;
let shop: CommandLineShop;
let organization: TestOrganization;
let strata: CommandLine;

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  shop = await CommandLineShop.create(core, 'CONTRIB', 'production');
  ({ organization, strata } = shop);
  await shop.set('PORT', '8080');
});
afterEach(() => strata.remove());

const port = async () => (await strata.run(['get', 'PORT'])).stdout;
const file = (name: string, content: string) => fs.writeFileSync(path.join(strata.home, name), content);

test('set and unset change values of the selected environment, each as one changeset', async () => {
  const { code, stdout } = await strata.run(['set', 'PORT=8081', '--message', 'Move']);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^Revision \d+: 1 change\n {2}create Value PORT in shop \/ production\n$/),
  ]);
  expect(await port()).toBe('8081\n');
  expect(await strata.json(['set', 'PORT=8081'])).toMatchObject({ changed: false, changes: [] });

  expect((await strata.run(['unset', 'PORT'])).code).toBe(0);
  expect(await port()).toBe('8080\n');
  expect(await strata.json(['history', '--query', 'Move'])).toMatchObject([{ message: 'Move' }]);
});

test('set of an unknown name changes nothing, and suggests --create', async () => {
  const { code, stderr } = await strata.run(['set', 'PORT=1', 'HOST=localhost']);
  expect([code, stderr]).toEqual([
    4,
    expect.stringMatching(/HOST: There is no parameter[\s\S]*add --create[\s\S]*Request id/),
  ]);
  expect(await port()).toBe('8080\n');
  expect((await strata.run(['set', 'HOST=localhost', '--create'])).code).toBe(0);
});

test('set reads a secret from standard input, rejects it as an argument, and shows it nowhere', async () => {
  const createdRun = await strata.run(['set', 'PASSWORD', '--create', '--secret'], { input: `${CANARY}\n` });
  expect([createdRun.code, createdRun.stderr]).toEqual([0, '']);
  expect((await strata.run(['get', 'PASSWORD', '--reveal'])).stdout).toBe(`${CANARY}\n`);
  const argument = await strata.run(['set', `TOKEN=${CANARY}`, '--create', '--secret']);
  expect([argument.code, argument.stderr]).toEqual([2, expect.stringContaining('must not be an argument')]);
  for (const command of [['set'], ['set', '--create'], ['apply', '--yes']]) {
    const existing = await strata.run([...command, 'PASSWORD=a secret as an argument']);
    expect([existing.code, existing.stderr]).toEqual([1, expect.stringContaining('For a secret, give only the name')]);
  }
  for (const json of [[], ['--json']]) {
    const planned = await strata.run(['plan', 'PASSWORD=1', ...json]);
    expect([planned.code, planned.stderr]).toEqual([7, expect.stringContaining('For a secret, give only the name')]);
  }
  expect((await strata.run(['get', 'PASSWORD', '--reveal'])).stdout).toBe(`${CANARY}\n`);

  for (const args of [
    ['list'],
    ['explain', 'PASSWORD'],
    ['history', 'PASSWORD'],
    ['compare', 'default', 'production'],
    ['search', 'PASSWORD'],
    ['plan', 'PASSWORD=1'],
  ])
    for (const json of [[], ['--json']]) {
      const { stdout, stderr } = await strata.run([...args, ...json]);
      expect(`${createdRun.stdout}${argument.stderr}${stdout}${stderr}`).not.toContain(CANARY);
    }
});

test('set changes an existing secret from standard input', async () => {
  await shop.set('PASSWORD', CANARY, true);
  expect((await strata.run(['set', 'PASSWORD', '--create'], { input: 'another\n' })).code).toBe(0);
  expect((await strata.run(['get', 'PASSWORD', '--reveal'])).stdout).toBe('another\n');
});

test('set without permission exits with 6', async () => {
  const viewer = await CommandLine.signedIn(
    core.origin,
    await organization.authorization('VIEWER'),
    'shop',
    'production',
  );
  const { code, stderr } = await viewer.run(['set', 'PORT=1']);
  expect([code, stderr]).toEqual([6, expect.stringContaining('strata whoami')]);
  const planned = await viewer.run(['plan', 'PORT=1']);
  expect([planned.code, planned.stderr]).toEqual([7, expect.stringContaining('add --assume-write')]);
  expect((await viewer.run(['plan', 'PORT=1', '--assume-write'])).code).toBe(0);
  viewer.remove();
});

test('apply does what was planned from a file, or nothing if the effects have changed since', async () => {
  file('release.yaml', 'operations:\n- set:\n    values: { PORT: "8082" }\n');
  const planned = await strata.run(['plan', '--file', 'release.yaml']);
  expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining('~ PORT: "8080" -> "8082"')]);
  const hash = /^Plan hash (.+)$/m.exec(planned.stdout)?.[1] ?? '';
  expect(await port()).toBe('8080\n');

  await strata.run(['set', 'PORT=9000']);
  const outdated = await strata.run(['apply', '--file', 'release.yaml', '--plan', hash]);
  expect([outdated.code, outdated.stderr, await port()]).toEqual([8, expect.stringContaining('strata plan'), '9000\n']);

  await strata.run(['unset', 'PORT']);
  const { plan_hash: secondResult } = await strata.json<{ readonly plan_hash: string }>([
    'plan',
    '--file',
    'release.yaml',
  ]);
  expect((await strata.run(['apply', '--file', 'release.yaml', '--plan', secondResult])).code).toBe(0);
  expect(await port()).toBe('8082\n');
});

test('several files are one changeset, and each member can be in only one of them', async () => {
  file('first.yaml', 'message: Release 12\noperations:\n- set: { values: { PORT: "8082" } }\n');
  file('second.json', JSON.stringify({ operations: [{ unset: { names: ['PORT'] } }] }));
  const files = ['--file', 'first.yaml', '--file', 'second.json'];
  expect(await strata.json(['apply', ...files, '--yes'])).toMatchObject({ changed: false });

  file('second.json', JSON.stringify({ message: 'Release 13', operations: [] }));
  const { code, stderr } = await strata.run(['apply', ...files, '--yes']);
  expect([code, stderr, await port()]).toEqual([2, expect.stringContaining('each member into one file'), '8080\n']);
});

test('apply without a plan, a terminal and --yes changes nothing', async () => {
  const { code, stderr } = await strata.run(['apply', 'PORT=8083']);
  expect([code, stderr, await port()]).toEqual([2, expect.stringContaining('not a terminal'), '8080\n']);
  expect((await strata.run(['apply', 'PORT=8083', '--yes'])).code).toBe(0);
  expect(await port()).toBe('8083\n');
});

test('plan exits with 7 if Strata would reject an operation', async () => {
  const { code, stdout } = await strata.run(['plan', 'HOST=1']);
  expect([code, stdout]).toEqual([7, expect.stringContaining('Rejected operations: 1')]);
});

test('revert plans with --dry-run and restores the state before a changeset', async () => {
  const { revision } = await strata.json<{ readonly revision: number }>(['set', 'PORT=8081']);
  const planned = await strata.run(['revert', String(revision), '--dry-run']);
  expect([planned.code, planned.stdout, await port()]).toEqual([
    0,
    expect.stringContaining('"8081" -> "8080"'),
    '8081\n',
  ]);
  expect((await strata.run(['revert', String(revision), '--yes'])).code).toBe(0);
  expect(await port()).toBe('8080\n');
});

test.each([['--dry-run'], ['--yes']])(
  'revert %s of a changeset with later changes names them and the option',
  async (option) => {
    const { revision } = await strata.json<{ readonly revision: number }>(['set', 'PORT=8081']);
    await strata.run(['set', 'PORT=8082']);
    const { stdout, stderr } = await strata.run(['revert', String(revision), option]);
    expect(`${stdout}${stderr}`).toMatch(/Value PORT of shop in production/);
    expect(stderr).toContain('--on-conflict skip');
    const message = `${stdout}${stderr}`.replace(/Request id: \S+/, '');
    expect(message).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|object_type|conflicts\.0/);
    const arguments_ = ['revert', String(revision), '--on-conflict', 'overwrite', '--yes', '--external-ref', 'OPS-1'];
    expect((await strata.run(arguments_)).code).toBe(0);
    expect(await port()).toBe('8080\n');
    expect(await strata.json(['history', '--query', 'OPS-1'])).toHaveLength(1);
  },
);

test('history of a parameter in one environment counts only changes there', async () => {
  await strata.run(['set', 'PORT=8081']);
  await strata.run(['set', 'PORT=8082', '--environment', 'staging']);
  const { stdout } = await strata.run(['history', 'PORT', '--environment', 'production', '--limit', '1']);
  expect(stdout).toMatch(/^Revision \d+ .* not set → 8081\n$/);
});

test('--limit must be a whole number', async () => {
  expect(await strata.run(['history', '--limit', '0'])).toMatchObject({
    ...{ code: 2, stdout: '', stderr: expect.stringContaining('whole number from 1 to 2500') },
  });
});

test('--json shows values that are links of other services', async () => {
  const link = 'https://shop.example.com/api/v1/orders/';
  await strata.run(['set', `PORT=${link}`]);
  expect(await strata.json(['explain', 'PORT'])).toMatchObject({ winner: { value: link } });
});

test('explain prints where a value is set, and why there is none', async () => {
  expect(await strata.run(['explain', 'PORT'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Set in    shop / default'),
  });
  const missing = await strata.run(['explain', 'PORTT']);
  expect([missing.code, missing.stdout]).toEqual([4, expect.stringContaining('Similar   PORT')]);
});

test('compare lists differences, and --exit-code reports them', async () => {
  expect(await strata.run(['compare', 'default', 'production', '--exit-code'])).toMatchObject({ code: 0, stdout: '' });
  await strata.run(['set', 'PORT=8081']);
  const { code, stdout } = await strata.run(['compare', 'default', 'production', '--exit-code']);
  expect([code, stdout.split('\n').map((line) => line.split(/ {2,}/))]).toEqual([
    7,
    [['NAME', 'default', 'production'], ['PORT', '8080', '8081'], ['']],
  ]);
});

test('search finds values with their environments', async () => {
  await strata.run(['set', 'PORT=8081']);
  const { stdout } = await strata.run(['search', '8081', '--in', 'value']);
  expect(stdout.split('\n')[1]?.split(/ {2,}/)).toEqual(['shop', 'PORT', '8081', 'production']);
  expect(await strata.run(['search', 'nothing like this'])).toMatchObject({ code: 0, stdout: '' });
});

test('lint exits with 7, and --fix removes a redundant value', async () => {
  await strata.run(['set', 'PORT=8080']);
  const kinds = ['--kind', 'redundant_override'];
  const listed = await strata.run(['lint', ...kinds]);
  expect([listed.code, listed.stdout]).toEqual([7, expect.stringContaining('redundant_override')]);
  const unconfirmed = await strata.run(['lint', ...kinds, '--fix']);
  expect([unconfirmed.code, unconfirmed.stderr]).toEqual([2, expect.not.stringContaining('--plan')]);
  expect((await strata.run(['lint', ...kinds, '--fix', '--yes'])).code).toBe(0);
  expect(await strata.run(['lint', ...kinds])).toMatchObject({ code: 0 });
});

test('lint --fix exits with 7 if findings remain that have no fix', async () => {
  await organization.parameter({ project: shop.project, name: 'HOST' });
  const { code, stderr } = await strata.run(['lint', '--kind', 'missing_value', '--fix', '--yes']);
  expect([code, stderr]).toEqual([7, expect.stringMatching(/finding.* cannot be fixed automatically/)]);
});

test('open prints the address of the console without ids', async () => {
  const page = await strata.run(['open', '--print', '--console', 'https://strata.example.com']);
  expect(page.stdout).toBe('https://strata.example.com/projects/shop?envs=production\n');
  const parameter = await strata.run(['open', 'PORT', '--print', '--console', 'https://strata.example.com']);
  expect(parameter.stdout).toBe('https://strata.example.com/projects/shop/parameters/PORT\n');
});

test('no command shows an id', async () => {
  await shop.set('REDUNDANT_PORT', '1');
  await strata.run(['set', 'PORT=8081', 'REDUNDANT_PORT=1']);
  for (const args of [
    ['list'],
    ['explain', 'PORT'],
    ['history'],
    ['history', 'PORT'],
    ['compare', 'default', 'production'],
    ['search', 'PORT'],
    ['lint', '--all', '--kind', 'unreferenced_parameter,redundant_override'],
    ['plan', 'PORT=1'],
  ]) {
    const { stdout } = await strata.run([...args, '--json']);
    expect([args, stdout]).toEqual([args, expect.not.stringMatching(/[0-9a-f]{8}-[0-9a-f]{4}-|\/api\/v1\//)]);
    expect(stdout).toContain('PORT');
  }
});

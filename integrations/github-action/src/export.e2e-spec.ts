import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { push } from './testing/job.ts';
import { ShopRepository } from './testing/shop-repository.ts';

const CANARY = 'canary-a80d2c';
/** Contains no other secret, which would be masked in any case. */
const LINE = 'line-5e9b17';
const LINES = `-----BEGIN KEY-----\n  ${LINE}-first"%25\r\n{\n${LINE}-second\n-----END KEY-----\n`;

let core: RunningCore;
let shop: ShopRepository;

beforeAll(async () => {
  core = await sharedCore();
});
afterAll(() => ShopRepository.removeAction());
beforeEach(async () => {
  shop = await ShopRepository.create(core);
  await shop.write({ PORT: { value: '8080' }, PASSWORD: { value: CANARY, secret: true } });
});
afterEach(() => shop.close());

const job = () => shop.job('', push());

const exported = (more: Readonly<Record<string, string>> = {}) => job().step('export', { ...shop.inputs, ...more });

test('export sets values as variables of the next steps, and masks secrets before it prints anything', async () => {
  const running = job();
  const { code, log } = await running.step('export', shop.inputs);

  expect([code, running.variables]).toEqual([0, { PORT: '8080', PASSWORD: CANARY }]);
  expect(log).toBe('2 values, 1 of them secret, are set as variables of the next steps.');
  expect(running.masked(`PORT ${running.variables.PORT}, PASSWORD ${CANARY}`)).toBe('PORT 8080, PASSWORD ***');
});

test('a secret of several lines keeps its text, and is masked as a whole, by line and encoded', async () => {
  await shop.write({ KEY: { value: LINES, secret: true }, EMPTY: { value: '', secret: true } });
  const running = job();
  await running.step('export', shop.inputs);

  expect(running.variables).toMatchObject({ KEY: LINES, EMPTY: '' });
  const shown = [LINES, ...LINES.split('\n'), JSON.stringify(LINES), encodeURIComponent(LINES), btoa(LINES)];
  for (const text of shown) expect(running.masked(text)).not.toMatch(new RegExp(`${LINE}|${btoa(LINES)}`));
  expect(running.masked('{ "an": "object" }')).toBe('{ "an": "object" }');
});

test('a value that depends on a secret is masked', async () => {
  const parameter = await shop.organization.parameter({ project: shop.project, name: 'URL' });
  const text = 'https://user:{{ PASSWORD }}@db';
  await shop.organization.value({ parameter, internal_value: text, interpolated: true });
  const running = job();
  await running.step('export', shop.inputs);
  expect(running.variables.URL).toBe(`https://user:${CANARY}@db`);
  expect(running.masked(String(running.variables.URL))).toBe('***');
});

/** Waits for the access log, which the core writes after the response. */
async function firstReveals(): Promise<readonly object[]> {
  for (;;) {
    const { body } = await shop.organization.owner.get<{ readonly results: readonly object[] }>('audit/?action=reveal');
    if (body.results.length > 0) return body.results;
    await sleep(50);
  }
}

test('names selects the parameters that are read, and prefix changes the names of the variables', async () => {
  const running = job();
  await running.step('export', { ...shop.inputs, names: 'PORT', prefix: 'SHOP_' });
  expect(running.variables).toEqual({ SHOP_PORT: '8080' });

  await shop.write({ TOKEN: { value: 'another secret', secret: true } });
  await exported({ names: 'TOKEN' });
  expect(await firstReveals()).toMatchObject([{ object_name: 'TOKEN' }]);

  const missing = await exported({ names: 'PORT HOST' });
  expect([missing.code, missing.log]).toEqual([4, expect.stringContaining('"HOST" has no value')]);
});

test('names that can make programs run other code, or control the runner, are exported only if allow-names permits it', async () => {
  const names = [
    ...['PATH', 'Path', 'LD_PRELOAD', 'NODE_OPTIONS', 'BASH_ENV', 'GITHUB_TOKEN', 'RUNNER_TEMP', 'ACTIONS_STEP_DEBUG'],
    ...['INPUT_URL', 'STRATA_URL', 'MAKEFLAGS', 'CC', 'PIP_INDEX_URL', 'CARGO_HOME', 'DOCKER_CONFIG', 'CI'],
  ];
  await shop.write(Object.fromEntries(names.map((name) => [name, { value: 'evil' }])));
  const running = job();
  const { code, log } = await running.step('export', { ...shop.inputs, 'allow-names': 'CI' });
  expect([code, running.variables]).toEqual([1, {}]);
  const rejectedNames = names.filter((name) => name !== 'CI').sort();
  expect(/exported: (.*) can make/.exec(log)?.[1]?.split(', ').sort()).toEqual(rejectedNames);

  await running.step('export', { ...shop.inputs, 'allow-names': names.join('\n') });
  expect(running.variables).toMatchObject({ PATH: 'evil', GITHUB_TOKEN: 'evil', PORT: '8080' });
});

test('strata.json of the workspace accepts names too, and limits them with acceptOnly', async () => {
  await shop.write({ JAVA_OPTS: { value: '-Xmx1g' } });
  const running = job();
  running.write('strata.json', JSON.stringify({ acceptNames: ['JAVA_*', 'PORT'], acceptOnly: true }));
  const rejected = await running.step('export', shop.inputs);
  expect([rejected.code, rejected.log]).toEqual([
    ...[1, expect.stringContaining('Nothing was exported: PASSWORD are not among the names that strata.json accepts')],
  ]);
  await running.step('export', { ...shop.inputs, 'allow-names': 'PASS*' });
  expect(running.variables).toEqual({ JAVA_OPTS: '-Xmx1g', PORT: '8080', PASSWORD: CANARY });
});

test('a prefix cannot create a name that requires permission', async () => {
  await shop.write({ PRELOAD: { value: 'evil' } });
  const { code, log } = await exported({ prefix: 'LD_' });
  expect([code, log]).toEqual([1, expect.stringContaining('LD_PRELOAD can make programs')]);
});

test('a name that could write another variable is rejected', async () => {
  await shop.write({ 'A=1 PATH<<x': { value: 'evil' } });
  const { code, log } = await exported();
  expect([code, log]).toEqual([1, expect.stringContaining('Not the name of a variable: A=1 PATH<<x')]);
});

test('dotenv writes a file that only its owner can read, and sets no variables', async () => {
  const running = job();
  running.write('.env', 'readable for others');
  const { code } = await running.step('export', { ...shop.inputs, dotenv: '.env' });
  const file = path.join(running.folder, '.env');
  expect([code, running.variables, fs.statSync(file).mode & 0o777]).toEqual([0, {}, 0o600]);
  expect(fs.readFileSync(file, 'utf8')).toBe(`PASSWORD='${CANARY}'\nPORT='8080'\n`);
  expect(running.masked(CANARY)).toBe('***');
});

test('dotenv rejects values that readers misread, unless dotenv-reader names one', async () => {
  await shop.write({ HASH: { value: `it's \x24{HOME}` } });
  const running = job();
  const { code, log } = await running.step('export', { ...shop.inputs, dotenv: '.env' });
  expect([code, log]).toEqual([2, expect.stringContaining('values of HASH differently')]);
  expect(fs.existsSync(path.join(running.folder, '.env'))).toBe(false);
  const unknown = await running.step('export', { ...shop.inputs, dotenv: '.env', 'dotenv-reader': 'cobol' });
  expect([unknown.code, unknown.log]).toEqual([2, expect.stringContaining('must be one of all, dotenv')]);
  const unused = await running.step('export', { ...shop.inputs, 'dotenv-reader': 'sh' });
  expect([unused.code, unused.log]).toEqual([2, expect.stringContaining('requires the input dotenv')]);

  await running.step('export', { ...shop.inputs, dotenv: '.env', 'dotenv-reader': 'sh' });
  const written = `HASH='it'"'"'s \x24{HOME}'\nPASSWORD='${CANARY}'\nPORT='8080'\n`;
  expect(fs.readFileSync(path.join(running.folder, '.env'), 'utf8')).toBe(written);
});

test('dotenv reports names that shells cannot read, and omits them', async () => {
  await shop.write({ 'a.name': { value: 'touch owned' }, 'b-name': { value: null } });
  const running = job();
  const { code, log } = await running.step('export', { ...shop.inputs, dotenv: '.env' });
  expect([code, log.split('\n')]).toEqual([
    0,
    [
      '2 values, 1 of them secret, are written to .env.',
      'Left out, because the value is null: b-name',
      'Left out, because shells cannot read the name: a.name, b-name',
    ],
  ]);
  expect(fs.readFileSync(path.join(running.folder, '.env'), 'utf8')).toBe(`PASSWORD='${CANARY}'\nPORT='8080'\n`);
});

test('dotenv follows no symbolic link, and does not leave the workspace', async () => {
  const running = job();
  const outside = fs.mkdtempSync(path.join(path.dirname(running.folder), 'strata-outside-'));
  const target = path.join(outside, 'target');
  try {
    fs.symlinkSync(target, path.join(running.folder, '.env'));
    fs.symlinkSync(outside, path.join(running.folder, 'folder'));
    const expected = {
      '.env': 'is a symbolic link',
      'folder/.env': 'outside',
      '../.env': 'outside',
      [target]: 'outside',
    };
    for (const [dotenv, message] of Object.entries(expected)) {
      const { code, log } = await running.step('export', { ...shop.inputs, dotenv });
      expect([code, log]).toEqual([1, expect.stringContaining(message)]);
    }
    expect(fs.readdirSync(outside)).toEqual([]);
  } finally {
    fs.rmSync(outside, { recursive: true });
  }
});

test('an account that may not reveal secrets exports nothing', async () => {
  const key = (await shop.organization.authorization('VIEWER')).replace(/^Api-Key /, '');
  const running = job();
  const account = await shop.organization.as('VIEWER').get<{ readonly membership_id: string }>('users/current/');
  await shop.organization.owner.patch(`memberships/${account.body.membership_id}/`, { reveals_secrets: false });
  const { code } = await running.step('export', { ...shop.inputs, 'api-key': key });
  expect([code, running.variables]).toEqual([6, {}]);
});

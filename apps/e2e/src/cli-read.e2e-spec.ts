import fs from 'node:fs';
import path from 'node:path';
import type { Page, RecordedChangeset } from '@strata/contract';
import { DOTENV_READERS } from '@strata/domain';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { parseAllDocuments } from 'yaml';
import { CommandLine, CommandLineShop } from './command-line.ts';

const CANARY = 'canary-7f3b9c';

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
  await shop.set('PORT', '8080');
  await shop.set('PASSWORD', CANARY, true);
});
afterEach(() => strata.remove());

test('get prints one inherited value and nothing else', async () => {
  expect(await strata.run(['get', 'PORT'])).toEqual({ code: 0, stdout: '8080\n', stderr: '' });
  expect(await strata.json(['get', 'PORT'])).toEqual({
    ...{ name: 'PORT', value: '8080', secret: false },
    set_in: { project: 'shop', environment: 'default' },
  });
});

test('get prints a secret only with --reveal', async () => {
  const { code, stdout, stderr } = await strata.run(['get', 'PASSWORD']);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('Add --reveal')]);
  expect((await strata.run(['get', 'PASSWORD', '--reveal'])).stdout).toBe(`${CANARY}\n`);
});

test('get of a name without a value, or in an unknown project, exits with 4', async () => {
  const missing = await strata.run(['get', 'HOST']);
  expect([missing.code, missing.stderr]).toEqual([4, expect.stringContaining('Run `strata explain HOST`')]);
  const unknown = await strata.run(['get', 'PORT', '--project', 'none']);
  expect([unknown.code, unknown.stderr]).toEqual([4, expect.stringContaining('Request id: ')]);
});

test('get reads the state of an earlier time', async () => {
  const { results } = (await organization.owner.get<Page<RecordedChangeset>>('changesets/')).body;
  const at = results[0]?.at ?? '';
  expect((await strata.run(['get', 'PORT', '--as-of', at])).stdout).toBe('8080\n');
  expect((await strata.run(['get', 'PORT', '--as-of', '2001-01-01'])).code).toBe(4);
});

test('list masks secrets and shows where each value is set', async () => {
  const { code, stdout } = await strata.run(['list']);
  expect([code, stdout.split('\n').map((line) => line.split(/ {2,}/))]).toEqual([
    0,
    [['NAME', 'VALUE', 'SET IN'], ['PASSWORD', '*****', 'default'], ['PORT', '8080', 'default'], ['']],
  ]);
  expect((await strata.run(['list', '--reveal'])).stdout).toContain(CANARY);
});

test('list of names reads only these, and fails if one has no value', async () => {
  expect(await strata.json(['list', 'PORT', '--reveal'])).toMatchObject([
    { name: 'PORT', value: '8080', secret: false },
  ]);
  const { code, stdout, stderr } = await strata.run(['list', 'PORT', 'HOST']);
  expect([code, stdout, stderr]).toEqual([4, '', expect.stringContaining('"HOST" has no value')]);
});

test('another organization has no access, as if the project did not exist', async () => {
  const otherOrganization = await core.organization();
  const stranger = await CommandLine.signedIn(core.origin, await otherOrganization.authorization('OWNER'), 'shop');
  expect((await stranger.run(['get', 'PORT'])).code).toBe(4);
  stranger.remove();
});

describe('export', () => {
  test.each([
    ['dotenv', `PASSWORD='${CANARY}'\nPORT='8080'\n`],
    ['docker', `PASSWORD=${CANARY}\nPORT=8080\n`],
    ['json', `${JSON.stringify({ PASSWORD: CANARY, PORT: '8080' }, undefined, 2)}\n`],
    ['yaml', `"PASSWORD": "${CANARY}"\n"PORT": "8080"\n`],
  ])('prints all values as %s with --reveal', async (format, expected) => {
    expect(await strata.run(['export', '--format', format, '--reveal'])).toEqual({
      ...{ code: 0, stdout: expected, stderr: '' },
    });
    const { code, stdout, stderr } = await strata.run(['export', '--format', format]);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('Add --reveal')]);
  });

  test('rejects a value with a line break as docker, because its second line would be another variable', async () => {
    await shop.set('GREETING', 'hello\nNODE_OPTIONS=--inspect');
    await shop.set('a.name', 'no\nvariable');
    const { code, stdout, stderr } = await strata.run(['export', '--format', 'docker', '--reveal']);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('values of GREETING.')]);
    const dotenv = `GREETING='hello\nNODE_OPTIONS=--inspect'\nPASSWORD='${CANARY}'\nPORT='8080'\n`;
    expect((await strata.run(['export', '--reveal'])).stdout).toBe(dotenv);
  });

  test('rejects values that readers of dotenv files misread, unless --reader names one', async () => {
    await shop.set('HASH', `it's \x24{HOME}`);
    await shop.set('PATTERN', 'a\\');
    const { code, stdout, stderr } = await strata.run(['export', '--reveal']);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('values of HASH, PATTERN differently')]);
    expect(stderr).toContain('--reader');
    const sourced = `HASH='it'"'"'s \x24{HOME}'\nPASSWORD='${CANARY}'\nPATTERN='a\\'\nPORT='8080'\n`;
    expect((await strata.run(['export', '--reveal', '--reader', 'sh'])).stdout).toBe(sourced);
    const godotenv = await strata.run(['export', '--reveal', '--reader', 'godotenv']);
    expect([godotenv.code, godotenv.stderr]).toEqual([2, expect.stringContaining('values of HASH, PATTERN from')]);
    const shell = await strata.run(['export', '--reveal', '--reader', 'sh', '--format', 'shell']);
    expect([shell.code, shell.stderr]).toEqual([2, expect.stringContaining('requires the format "dotenv"')]);
  });

  test('--reader accepts the readers for which a file can be written', async () => {
    const { stdout } = await strata.run(['export', '--help']);
    const choices = /--reader.*?\(choices: (.*?)\)/s.exec(stdout)?.[1]?.match(/[\w-]+/g);
    expect(choices).toEqual(DOTENV_READERS);
  });

  test.each(['dotenv', 'docker', 'shell'])(
    'rejects names that would be the same variable as %s, and reports names that cannot be variables',
    async (format) => {
      await shop.set('a.name', 'no variable');
      const exported = await strata.run(['export', '--reveal', '--format', format]);
      expect([exported.code, exported.stdout]).toEqual([0, expect.not.stringMatching(/name/i)]);
      expect(exported.stderr).toBe('Left out, because the name cannot be a variable: a.name\n');
      await shop.set('port', '9090');
      const { code, stdout, stderr } = await strata.run(['export', '--reveal', '--format', format]);
      expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/: (PORT and port|port and PORT)\./)]);
      const json = await strata.run(['export', '--reveal', '--format', 'json']);
      expect(JSON.parse(json.stdout)).toMatchObject({ PORT: '8080', port: '9090', 'a.name': 'no variable' });
    },
  );

  test('writes secrets into a Kubernetes Secret and other values into a ConfigMap, and reports nulls', async () => {
    await shop.set('EMPTY', null);
    const { stdout, stderr } = await strata.run(['export', '-f', 'kubernetes', '--reveal', '--namespace', 'web']);
    const metadata = { name: 'shop', namespace: 'web' };
    expect(parseAllDocuments(stdout).map((document) => document.toJSON())).toEqual([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { PORT: '8080' } },
      { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', stringData: { PASSWORD: CANARY } },
    ]);
    expect(stderr).toBe('Left out, because the value is null: EMPTY\n');
  });

  test('writes a file that only its owner can read, also if others could read it before', async () => {
    fs.writeFileSync(path.join(strata.home, 'values.env'), 'before', { mode: 0o644 });
    expect((await strata.run(['export', '--reveal', '-o', 'values.env'])).stdout).toBe('');
    const file = path.join(strata.home, 'values.env');
    expect([fs.statSync(file).mode & 0o777, fs.readFileSync(file, 'utf8')]).toEqual([
      0o600,
      expect.stringContaining(CANARY),
    ]);
  });
});

test('export prints a template', async () => {
  await organization.owner.post(`${shop.project.url}templates/`, { name: 'nginx', body: 'listen {{ PORT }};' });
  expect((await strata.run(['export', '--template', 'nginx'])).stdout).toBe('listen 8080;\n');
});

import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Parameter, Value } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { type CommandLine, CommandLineShop } from './command-line.ts';
import { eventually } from './processes.ts';

const CANARY = 'canary-51d0ab';

let core: RunningCore;
let shop: CommandLineShop;
let organization: TestOrganization;
let strata: CommandLine;
let port: { readonly parameter: Parameter; readonly value: Value };

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  shop = await CommandLineShop.create(core, 'VIEWER');
  ({ organization, strata } = shop);
  port = await shop.set('PORT', '8080');
  await shop.set('PASSWORD', CANARY, true);
});
afterEach(() => strata.remove());

const script = (code: string) => ['--', process.execPath, '-e', code];
const print = (...names: string[]) => script(`console.log(${names.map((name) => `process.env.${name}`).join(', ')})`);

/** Returns the text of all files below a folder. */
const filesBelow = (folder: string): string =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

function collectOutput(child: ChildProcess) {
  let output = '';
  child.stdout?.on('data', (part) => (output += part));
  return () => output;
}

test('run passes values and secrets to the program, but not the API key', async () => {
  const { code, stdout, stderr } = await strata.run(['run', ...print('PORT', 'PASSWORD', 'STRATA_API_KEY')]);
  expect([code, stdout, stderr]).toEqual([0, `8080 ${CANARY} undefined\n`, '']);
});

test('run shows secrets in no argument, no output and no file, also with a cache', async () => {
  const child = strata.start(['run', '--cache-max-age', '1h', ...script('console.log(1); setInterval(() => 0, 1e3)')]);
  const output = collectOutput(child);
  await eventually('the program runs', () => output().includes('1'));
  const processes = fs.readdirSync('/proc').filter((pid) => /^\d+$/.test(pid));
  const lines = processes.map((pid) => {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  });
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('close', resolve));

  expect(lines.join('\n')).toContain('setInterval');
  expect(`${lines.join('\n')}${output()}${filesBelow(strata.home)}`).not.toContain(CANARY);
});

test('run returns the exit code of the program, and ends by the same signal', async () => {
  expect((await strata.run(['run', ...script('process.exit(23)')])).code).toBe(23);
  const child = strata.start(['run', ...script("process.kill(process.pid, 'SIGKILL')")]);
  expect(await new Promise((resolve) => child.once('close', (_, signal) => resolve(signal)))).toBe('SIGKILL');
});

test('run passes signals to the program', async () => {
  const child = strata.start([
    ...[
      'run',
      ...script("process.on('SIGTERM', () => process.exit(42)); console.log('on'); setInterval(() => 0, 1e3)"),
    ],
  ]);
  const output = collectOutput(child);
  await eventually('the program runs', () => output().includes('on'));
  child.kill('SIGTERM');
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(42);
});

test('run reports a program that does not exist as a shell does', async () => {
  expect(await strata.run(['run', '--', '/none'])).toMatchObject({ code: 127, stdout: '' });
});

test.each(['PATH', 'LD_PRELOAD', 'NODE_OPTIONS', 'BASH_ENV'])('run sets %s only with --allow-name', async (name) => {
  await shop.set(name, name === 'PATH' ? '/bin' : '');
  const result = await strata.run(['run', ...print('PORT')]);
  expect([result.code, result.stdout, result.stderr]).toEqual([2, '', expect.stringContaining(`--allow-name ${name}`)]);
  expect(await strata.run(['run', '--allow-name', name, ...print('PORT')])).toMatchObject({
    code: 0,
    stdout: '8080\n',
  });
});

test('run --watch restarts the program after a change', async () => {
  const child = strata.start(['run', '--watch', ...script('console.log(process.env.PORT); setInterval(() => 0, 1e3)')]);
  const output = collectOutput(child);
  await eventually('the program runs', () => output() === '8080\n');
  await organization.owner.patch(port.value.url, { internal_value: '8081' });
  await eventually('the program runs again', () => output() === '8080\n8081\n');
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('close', resolve));
});

test('run --watch keeps the program while the configuration sets a variable that is not permitted', async () => {
  const child = strata.start(['run', '--watch', ...script('console.log(process.env.PORT); setInterval(() => 0, 1e3)')]);
  const output = collectOutput(child);
  let errors = '';
  child.stderr?.on('data', (part) => (errors += part));
  await eventually('the program runs', () => output() === '8080\n');
  const { parameter } = await shop.set('NODE_OPTIONS', '--import=./other.mjs');
  await eventually('the configuration is rejected', () => errors.includes('--allow-name NODE_OPTIONS'));
  await organization.owner.patch(port.value.url, { internal_value: '8081' });
  await organization.owner.delete(parameter.url);
  await eventually('the program runs again', () => output() === '8080\n8081\n');
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('close', resolve));
});

test('run --signal sends the signal after each change, and keeps the program', async () => {
  const code = "process.on('SIGHUP', () => console.log('reload')); console.log('on'); setInterval(() => 0, 1e3)";
  const child = strata.start(['run', '--signal', 'SIGHUP', ...script(code)]);
  const output = collectOutput(child);
  await eventually('the program runs', () => output() === 'on\n');
  child.kill('SIGHUP');
  await eventually('the program receives the signal of the user', () => output() === 'on\nreload\n');
  await organization.owner.patch(port.value.url, { internal_value: '8081' });
  await eventually('the program receives the signal', () => output() === 'on\nreload\nreload\n');
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('close', resolve));
});

test('run --offline excludes --watch and --signal', async () => {
  for (const option of [['--watch'], ['--signal', 'SIGHUP']])
    expect((await strata.run(['run', '--offline', ...option, ...print('PORT')])).code).toBe(2);
});

describe('with a stored configuration', () => {
  const cache = () => path.join(strata.home, '.cache', 'strata');
  beforeEach(async () => {
    expect(await strata.run(['run', '--cache-max-age', '1h', ...print('PORT')])).toMatchObject({ code: 0 });
  });

  test('run --offline starts from an encrypted file that only its owner can read', async () => {
    const [file = ''] = fs.readdirSync(cache());
    expect((fs.statSync(path.join(cache(), file)).mode & 0o777).toString(8)).toBe('600');
    expect(filesBelow(cache())).not.toContain('8080');

    expect(await strata.run(['run', '--offline', ...print('PORT')])).toMatchObject({ code: 0, stdout: '8080\n' });
  });

  test('run --offline rejects the file for another credential or environment', async () => {
    const otherCredential = { STRATA_API_KEY: 'another.credential-of-16' };
    expect((await strata.run(['run', '--offline', ...print('PORT')], { env: otherCredential })).code).toBe(5);
    expect((await strata.run(['run', '--offline', '-e', 'production', ...print('PORT')])).code).toBe(5);
  });

  test('the file is deleted when Strata no longer accepts the credential', async () => {
    const { results } = (await organization.owner.get<{ results: { url: string; id: string }[] }>('serviceaccounts/'))
      .body;
    for (const { id } of results) await organization.owner.delete(`serviceaccounts/${id}/`);

    expect((await strata.run(['run', '--cache-max-age', '1h', ...print('PORT')])).code).toBe(3);
    expect(fs.readdirSync(cache())).toEqual([]);
  });
});

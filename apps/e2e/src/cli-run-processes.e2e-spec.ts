import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import type { Value } from '@strata/contract';
import { findFreePort } from '@strata/processes';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { CommandLineShop } from './command-line.ts';
import { eventually } from './processes.ts';

/** Answers with the value of GREETING. It ends half a second after the first SIGTERM, and at once after a second one. */
const SERVER = `
import fs from 'node:fs';
import http from 'node:http';
fs.appendFileSync('starts', 'x');
process.once('SIGTERM', () => {
  if (process.env.STUBBORN) return void process.on('SIGTERM', () => undefined);
  setTimeout(() => {
    fs.appendFileSync('graceful', 'x');
    process.exit();
  }, 500);
});
http.createServer((_, response) => response.end(process.env.GREETING)).listen(process.env.SERVER_PORT, '127.0.0.1');
`;

/** Starts the server, leaves it behind, and fails if it answers with 3 or more. */
const CHECK = `
import { spawn } from 'node:child_process';
spawn(process.execPath, ['server.mjs'], { stdio: ['ignore', 2, 2] }).once('exit', () => process.exit(1));
for (;;) {
  const response = await fetch('http://127.0.0.1:' + process.env.SERVER_PORT).catch(() => null);
  if (response) process.exit(Number(await response.text()) < 3 ? 0 : 1);
}
`;

let core: RunningCore;
let shop: CommandLineShop;
let greetingValue: Value;
let port: string;

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  shop = await CommandLineShop.create(core, 'VIEWER');
  port = String(await findFreePort());
  ({ value: greetingValue } = await shop.set('GREETING', 'first'));
  fs.writeFileSync(file('server.mjs'), SERVER);
  fs.writeFileSync(file('package.json'), JSON.stringify({ scripts: { start: 'node server.mjs' } }));
});
afterEach(() => {
  // Processes that a failed test has left behind.
  for (const pid of processesOfTest()) process.kill(pid, 'SIGKILL');
  shop.strata.remove();
});

const file = (name: string) => path.join(shop.strata.home, name);
const countIn = (name: string) => (fs.existsSync(file(name)) ? fs.readFileSync(file(name), 'utf8').length : 0);
const changeGreeting = (text: string) => shop.organization.owner.patch(greetingValue.url, { internal_value: text });

const greeting = () =>
  fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } }).then(
    (response) => response.text(),
    () => null,
  );

/** Returns the processes that run in the folder of this test. */
const processesOfTest = (): readonly number[] =>
  fs
    .readdirSync('/proc')
    .filter((pid) => {
      try {
        return fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(shop.strata.home);
      } catch {
        return false;
      }
    })
    .map(Number);

/** Starts a server with `strata run`, and waits until it answers. */
async function serve(
  options: readonly string[],
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const child = shop.strata.start(['run', ...options, '--', ...command], { env: { SERVER_PORT: port, ...env } });
  let errors = '';
  child.stderr?.on('data', (part) => (errors += part));
  await eventually('the server answers', async () => (await greeting()) === 'first');
  return { child, errors: () => errors };
}

describe.each([
  ['a shell that waits', ['sh', '-c', 'node server.mjs & wait']],
  ['npm start', ['npm', 'start']],
  ['a pipeline', ['sh', '-c', 'node server.mjs | cat; true']],
  ['a shell in a shell', ['sh', '-c', 'sh -c "node server.mjs & wait"; true']],
])('a server behind %s', (_, command) => {
  test('is replaced by run --watch after a change, without a conflict of ports', async () => {
    const { child } = await serve(['--watch'], command);
    await changeGreeting('second');
    await eventually('the new server answers', async () => (await greeting()) === 'second');
    expect([countIn('starts'), countIn('graceful')]).toEqual([2, 1]);

    child.kill('SIGTERM');
    await once(child, 'close');
    expect([await greeting(), countIn('graceful')]).toEqual([null, 2]);
  });

  test('has ended when run ends after a signal', async () => {
    const { child } = await serve([], command);
    child.kill('SIGTERM');
    await once(child, 'close');
    expect([await greeting(), countIn('starts'), countIn('graceful')]).toEqual([null, 1, 1]);
  });
});

test('run --watch kills a server that ignores SIGTERM, before it starts the new one', async () => {
  const { child } = await serve(['--watch'], ['sh', '-c', 'node server.mjs & wait'], { STUBBORN: '1' });
  await changeGreeting('second');
  await eventually('the new server answers', async () => (await greeting()) === 'second');
  expect(countIn('starts')).toBe(2);
  child.kill('SIGTERM');
  await once(child, 'close');
  expect([await greeting(), processesOfTest()]).toEqual([null, []]);
});

test('several changes within a moment are one restart of run --watch', async () => {
  const others = await Promise.all(['A', 'B', 'C', 'D'].map((name) => shop.set(name, '1')));
  const { child } = await serve(['--watch'], ['npm', 'start']);
  await Promise.all([
    changeGreeting('second'),
    ...others.map(({ value }) => shop.organization.owner.patch(value.url, { internal_value: '2' })),
  ]);
  await eventually('the new server answers', async () => (await greeting()) === 'second');
  child.kill('SIGTERM');
  await once(child, 'close');
  expect(countIn('starts')).toBe(2);
});

test('a program that ends by itself leaves the processes that it has put into the background', async () => {
  const child = shop.strata.start(['run', '--', 'sh', '-c', 'node server.mjs >/dev/null 2>&1 </dev/null & exit 3'], {
    env: { SERVER_PORT: port },
  });
  expect(await once(child, 'close')).toEqual([3, null]);
  await eventually('the server answers', async () => (await greeting()) === 'first');
});

test('bisect ends what a check has left behind before the next check', async () => {
  const change = async (text: string) => {
    const operations = [{ set: { project: 'shop', environment: 'default', values: { GREETING: text } } }];
    return (await shop.organization.owner.post<{ revision: number }>('changesets/', { message: text, operations })).body
      .revision;
  };
  fs.writeFileSync(file('check.mjs'), CHECK);
  const [good, , bad] = [await change('1'), await change('2'), await change('3')];
  const args = ['bisect', '--good', String(good), '--', process.execPath, 'check.mjs'];
  const { code, stderr } = await shop.strata.run(args, { env: { SERVER_PORT: port } });
  expect([code, stderr]).toEqual([0, expect.stringContaining(`Revision ${bad} made the check fail`)]);
  expect([stderr.includes('EADDRINUSE'), processesOfTest(), countIn('starts')]).toEqual([false, [], 3]);
});

/** Linux limits a variable to 32 pages of memory, which are 128 KiB on most machines. A value has at most 65,536 characters. */
const LARGE = `canary-e2b1${'€'.repeat(65_000)}`;
const LIMIT = /GREETING has 195021 bytes\. The limit of this system for a variable with its name is 128 KiB\./;

(process.platform === 'linux' ? describe : describe.skip)(
  'a variable above the limit of the system (only on Linux, because others limit only all variables together)',
  () => {
    test('ends run with 126, the name and the limit, and without the value', async () => {
      await changeGreeting(LARGE);
      const { code, stdout, stderr } = await shop.strata.run(['run', '--', 'true']);
      expect([code, stdout, stderr]).toEqual([126, '', expect.stringMatching(LIMIT)]);
      expect(stderr).not.toContain('canary');
    });

    test('is reported by run --watch, whose program continues with the previous values', async () => {
      const { child, errors } = await serve(['--watch'], [process.execPath, 'server.mjs']);
      await changeGreeting(LARGE);
      await eventually('the error is printed', () => LIMIT.test(errors()));
      expect([await greeting(), countIn('starts'), countIn('graceful')]).toEqual(['first', 1, 0]);

      await changeGreeting('second');
      await eventually('the new server answers', async () => (await greeting()) === 'second');
      child.kill('SIGTERM');
      await once(child, 'close');
      expect(errors()).not.toContain('canary');
    });
  },
);

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { CommandLine, CommandLineShop, PROGRAM } from '../../apps/e2e/src/command-line.ts';
import { eventually } from '../../apps/e2e/src/processes.ts';
import { describeWith, installDebianProgram } from './tools.ts';

const KEYRING = [
  installDebianProgram('dbus-run-session', 'dbus'),
  installDebianProgram('gnome-keyring-daemon', 'gnome-keyring'),
];
/** Prints the address of the session, which lasts until standard input ends. */
const SESSION =
  'printf password | gnome-keyring-daemon --unlock --components=secrets >&2; echo "$DBUS_SESSION_BUS_ADDRESS"; cat';

describeWith(KEYRING, 'the command line with a Secret Service', () => {
  let core: RunningCore;
  let strata: CommandLine;
  let session: ChildProcess;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    core = await sharedCore();
    strata = await CommandLine.create({});
    const settings = { ...process.env, HOME: strata.home, XDG_RUNTIME_DIR: strata.home };
    session = spawn('dbus-run-session', ['--', 'sh', '-c', SESSION], { env: settings });
    const [address] = await once(session.stdout as NonNullable<typeof session.stdout>, 'data');
    env = { STRATA_KEYRING: '', DBUS_SESSION_BUS_ADDRESS: String(address).trim() };
  });
  afterAll(async () => {
    const whenEnded = once(session, 'close');
    session.stdin?.end();
    await whenEnded;
    strata.remove();
  });

  test('login stores the credential in the keyring and in no file, and logout deletes it', async () => {
    const key = (await (await core.organization()).authorization('VIEWER')).replace(/^Api-Key /, '');
    const login = await strata.json(['login', '--url', core.origin], { input: `${key}\n`, env });
    expect(login).toMatchObject({ stored_in: 'keyring' });
    const file = path.join(strata.home, '.config', 'strata', 'sign-ins.json');
    const signIns = fs.readFileSync(file, 'utf8');
    expect(JSON.parse(signIns)).toEqual({ current: core.origin, addresses: { [core.origin]: {} }, profiles: {} });
    expect(await strata.json(['whoami'], { env })).toMatchObject({ role: 'VIEWER' });

    expect(await strata.json(['logout'], { env })).toMatchObject({ was_signed_in: true });
    fs.writeFileSync(file, signIns);
    expect((await strata.run(['whoami'], { env })).code).toBe(3);
  });
});

describeWith([installDebianProgram('script', 'bsdutils')], 'the command line on a terminal', () => {
  let shop: CommandLineShop;
  beforeAll(async () => {
    shop = await CommandLineShop.create(await sharedCore(), 'CONTRIB');
  });
  beforeEach(async () => {
    await shop.strata.run(['set', 'PORT=8080', '--create']);
  });
  let terminal: ChildProcess | undefined;
  afterEach(() => {
    // A test that failed has left its terminal open, with which jest would not end. Its end stops what runs on it.
    terminal?.kill('SIGKILL');
  });
  afterAll(() => shop.strata.remove());

  /** Runs a command on a terminal, answers its first prompt, and returns the output with that of the terminal. */
  const runOnTerminal = (
    args: string,
    prompt: string,
    answer: string,
    ...next: readonly (readonly [string, string])[]
  ) => typedInto(`${process.execPath} ${PROGRAM} ${args}`, [prompt, answer], ...next);

  /** Runs a program on a terminal, and types an answer after each prompt. */
  async function typedInto(command: string, ...prompts: readonly (readonly [string, string])[]) {
    // Without exec, Ctrl-C would also end the shell, whose exit code would hide that of the command.
    const child = shop.strata.startProgram('script', ['-qefc', `exec ${command}`, '/dev/null']);
    terminal = child;
    let output = '';
    child.stdout.on('data', (part) => (output += part));
    let isClosed = false;
    const whenEnded = once(child, 'close').finally(() => (isClosed = true));
    for (const [prompt, answer] of prompts) {
      await eventually(`the prompt "${prompt}" is shown`, () => {
        if (!output.includes(prompt) && isClosed)
          throw new Error(`The command ended without the prompt "${prompt}":\n${output}`);
        return output.includes(prompt);
      });
      child.stdin.write(answer);
    }
    const [code] = await whenEnded;
    return { code, output };
  }

  const port = async () => (await shop.strata.run(['get', 'PORT'])).stdout;

  test('apply prints the plan, and changes something only after a confirmation', async () => {
    const declined = await runOnTerminal('apply PORT=8081', '[y/N]', 'n\r');
    expect([declined.code, declined.output, await port()]).toEqual([
      ...[1, expect.stringContaining('~ PORT: "8080" -> "8081"'), '8080\n'],
    ]);
    const cancelled = await runOnTerminal('apply PORT=8081', '[y/N]', '\u0003');
    expect([cancelled.code, cancelled.output, await port()]).toEqual([
      ...[1, expect.stringContaining('Cancelled. Nothing was changed.'), '8080\n'],
    ]);
    expect([(await runOnTerminal('apply PORT=8081', '[y/N]', 'y\r')).code, await port()]).toEqual([0, '8081\n']);
  });

  test('login prints the address of the console if there is no browser, and reads the code without showing it', async () => {
    // Nothing listens there, so the command line cannot check whether it is a console.
    const login = 'login --console http://127.0.0.1:1';
    const { code, output } = await runOnTerminal(login, 'Code: ', 'canary-93c1\r');
    expect([code, output]).toEqual([3, expect.stringMatching(/\/command-line\?challenge=[\s\S]*The code is wrong/)]);
    expect(output).not.toContain('canary-93c1');
    const cancelled = await runOnTerminal(login, 'Code: ', '\u0003');
    expect([cancelled.code, cancelled.output]).toEqual([1, expect.stringContaining('Cancelled.')]);
  });

  test('setup lets the user choose the project and the environment', async () => {
    await shop.organization.project({ name: 'other' });
    const file = path.join(shop.strata.home, 'strata.json');
    const { code, output } = await runOnTerminal('setup', 'Project: ', 'shop\r', ['Environment: ', 'staging\r']);
    const settings = JSON.parse(fs.readFileSync(file, 'utf8'));
    fs.rmSync(file);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/Projects: .*other, shop[\s\S]*Environments: [\s\S]*staging/),
    ]);
    expect(settings).toMatchObject({ project: 'shop', environment: 'staging' });
    const unknown = await runOnTerminal('setup', 'Project: ', 'shpo\r');
    expect([unknown.code, unknown.output]).toEqual([4, expect.stringContaining('Existing projects: shop')]);
    const cancelled = await runOnTerminal('setup', 'Project: ', '\u0003');
    expect([cancelled.code, fs.existsSync(file)]).toEqual([1, false]);
  });

  test('set reads a value without showing it', async () => {
    const { code, output } = await runOnTerminal('set PORT', 'Value of PORT: ', 'canary-93c1\r');
    expect([code, output, await port()]).toEqual([0, expect.not.stringContaining('canary-93c1'), 'canary-93c1\n']);
  });

  /** Counts the signals of Ctrl-C, and ends a while after the first one. */
  const COUNTER = `
    let interrupts = 0;
    process.on('SIGINT', () => (interrupts += 1) > 1 || setTimeout(() => process.exit(40 + interrupts), 500));
    process.on('SIGWINCH', () => console.log('resized'));
    process.stdin.on('data', (text) => console.log('read ' + text));
    console.log('ready ' + process.pid);`;

  describe.each([
    ['run', ''],
    ['run --watch', '--watch'],
  ])('%s', (_, option) => {
    const command = (program: string) => `run ${option} -- ${program}`;
    beforeEach(() => fs.writeFileSync(path.join(shop.strata.home, 'counter.mjs'), COUNTER));

    test('lets the program read from the terminal, and Ctrl-C reaches it once', async () => {
      const { code, output } = await runOnTerminal(command('node counter.mjs'), 'ready', 'text\r', [
        'read text',
        '\u0003',
      ]);
      expect([code, output]).toEqual([41, expect.stringContaining('read text')]);
    });

    test('Ctrl-C also ends what the program has put into the background', async () => {
      const { output } = await runOnTerminal(command('sh -c "node counter.mjs & wait"'), 'ready', '\u0003');
      const pid = /ready (\d+)/.exec(output)?.[1];
      await eventually('the program has ended', () => !fs.existsSync(`/proc/${pid}`));
    });

    test('Ctrl-Z stops the program, and fg continues it', async () => {
      // Only the command and the program have the path of this file in their arguments.
      const file = path.join(shop.strata.home, 'counter.mjs');
      const strata = `${process.execPath} ${PROGRAM} ${command(`node ${file}`)}`;
      const wait = `until [ "$(ps -e -o stat= -o args= | grep -c "^T.*${file}")" = 2 ]; do sleep 0.1; done`;
      fs.writeFileSync(path.join(shop.strata.home, 'jobs.sh'), `set -m; ${strata}; ${wait}; echo stopped; fg; exit $?`);
      const { code, output } = await typedInto(
        'bash jobs.sh',
        ...([
          ['ready', '\u001a'],
          ['stopped', 'text\r'],
          ['read text', '\u0003'],
        ] as const),
      );
      expect([code, output]).toEqual([41, expect.stringContaining('read text')]);
    });
  });

  test('run gives the program the terminal itself', async () => {
    const { code, output } = await runOnTerminal("run -- sh -c 'read line </dev/tty; echo got $line'", '', 'text\r');
    expect([code, output]).toEqual([0, expect.stringContaining('got text')]);
  });
});

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEmptyDatabase } from '../libs/testkit/src/database.ts';
import { isAlive } from './lifetime.mjs';
import { freePort } from './pg.mjs';

const root = path.resolve(import.meta.dirname, '..');
const START = path.join(root, 'tools', 'start.mjs');

interface Run {
  readonly process: ChildProcess;
  readonly text: () => string;
  readonly ended: Promise<number | null>;
}

let directory: string;
let settings: Record<string, string>;
const runs: Run[] = [];

async function arrange(): Promise<void> {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata start-'));
  // Started by root, the database's user has to walk through.
  fs.chmodSync(directory, 0o711);
  settings = {
    STRATA_DATA_DIR: path.join(directory, 'data'),
    STRATA_PORT: String(await freePort()),
    STRATA_GATEWAY_PORT: String(await freePort()),
  };
}

async function endAll(): Promise<void> {
  for (const run of runs.splice(0)) {
    run.process.kill('SIGTERM');
    await run.ended;
  }
}

/** Types the command, with nothing of the tests' own settings in its environment. */
function type(command: readonly [string, ...string[]], extra: Record<string, string> = {}): Run {
  const { PATH = '', HOME = '' } = process.env;
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: root,
    env: { PATH, HOME, ...settings, ...extra },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (text += data));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const run = { process: child, text: () => text, ended };
  runs.push(run);
  return run;
}

const start = (extra: Record<string, string> = {}): Run => type([process.execPath, START], extra);

async function ready(run: Run): Promise<Run> {
  await until(() => {
    if (run.process.exitCode !== null) throw new Error(`It ended:\n${run.text()}`);
    return run.text().includes('Stop ');
  });
  return run;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(25);
}

const origin = (name: 'STRATA_PORT' | 'STRATA_GATEWAY_PORT'): string => `http://127.0.0.1:${settings[name]}`;

const isReady = (name: 'STRATA_PORT' | 'STRATA_GATEWAY_PORT'): Promise<boolean> =>
  fetch(`${origin(name)}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );

/** What the printed block says beside a title. */
const printed = (run: Run, title: string): string =>
  new RegExp(`^ {2}${title} +(.+)$`, 'm').exec(run.text())?.[1] ?? '';

async function rest(run: Run, target: string, body?: object): Promise<Response> {
  return fetch(`${origin('STRATA_PORT')}${target}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Api-Key ${printed(run, 'API key')}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** Everything that a run started, however deep, with the database's guardian. */
function family(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of fs.readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = fs.readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It ended while we looked.
    }
  }
  const members = [pid];
  for (const member of members) for (const [child, parent] of parents) if (parent === member) members.push(child);
  return members;
}

const commandLine = (pid: number): string => {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
};

const pidOf = (run: Run): number => run.process.pid ?? 0;

/** What a start has left behind. Making a database takes long, so most tests begin with a copy of the first. */
interface Earlier {
  readonly directory: string;
  readonly run: Run;
}
let earlier: Earlier | undefined;
afterAll(() => earlier && fs.rmSync(earlier.directory, { recursive: true, force: true }));

describe('a fresh start', () => {
  let run: Run;

  beforeAll(async () => {
    await arrange();
    run = await ready(start());
  }, 120_000);
  afterAll(async () => {
    earlier = { directory, run };
    await endAll();
  }, 30_000);

  test('prints where everything is, and what it prints works', async () => {
    expect(printed(run, 'REST')).toBe(`${origin('STRATA_PORT')}/api/v1/`);
    expect(printed(run, 'OpenAPI page')).toBe(`${origin('STRATA_PORT')}/api/docs/`);
    expect(printed(run, 'GraphQL')).toContain(`${origin('STRATA_GATEWAY_PORT')}/graphql`);
    expect([await isReady('STRATA_PORT'), await isReady('STRATA_GATEWAY_PORT')]).toEqual([true, true]);
    expect((await rest(run, '/api/v1/projects/')).status).toBe(200);
    for (const page of [printed(run, 'OpenAPI page'), printed(run, 'GraphQL').split(' ')[0] ?? '']) {
      const answer = await fetch(page, { headers: { accept: 'text/html' } });
      expect([page, answer.status, await answer.text()]).toEqual([page, 200, expect.stringMatching(/<html/i)]);
    }

    const console = printed(run, 'Console');
    expect(console).toBe(`${origin('STRATA_GATEWAY_PORT')}/`);
    expect(run.text().indexOf('Console ')).toBeLessThan(run.text().indexOf('REST '));
    const page = await fetch(console, { headers: { accept: 'text/html' } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root"></div>')]);

    const [email, password] = printed(run, 'Owner').split(/\s+/);
    const session = await fetch(`${origin('STRATA_GATEWAY_PORT')}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: origin('STRATA_GATEWAY_PORT') },
      body: JSON.stringify({ email, password }),
    });
    expect(await session.json()).toMatchObject({ signedIn: true });
    const token = await fetch(`${origin('STRATA_PORT')}/api/v1/auth/token/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect(token.status).toBe(200);
  });

  test('keeps its secrets in a file that nobody else reads', () => {
    const credentials = path.join(settings.STRATA_DATA_DIR ?? '', 'credentials.json');
    expect(fs.statSync(credentials).mode & 0o777).toBe(0o600);
    expect(JSON.parse(fs.readFileSync(credentials, 'utf8'))).toMatchObject({ api_key: printed(run, 'API key') });
  });

  test('gives the gateway none of its secrets, and the running core none that only a migration needs', () => {
    const file = path.join(settings.STRATA_DATA_DIR ?? '', 'credentials.json');
    const { owner_email: _, ...secrets } = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string>;
    const environmentOf = (part: string) => {
      const pid = family(pidOf(run)).find((each) => commandLine(each).includes(part)) ?? 0;
      return fs.readFileSync(`/proc/${pid}/environ`, 'utf8');
    };
    const [gateway, core] = [environmentOf('gateway/dist/main.js'), environmentOf('core/dist/main.js')];

    expect(gateway).toContain(`STRATA_GATEWAY_PORT=${settings.STRATA_GATEWAY_PORT}`);
    expect(core).toContain(`STRATA_ROOT_KEY=${secrets.root_key}`);
    for (const secret of Object.values(secrets)) expect(gateway).not.toContain(secret);
    expect(gateway).not.toMatch(/ROOT_KEY|DATABASE_URL|BOOTSTRAP|PASSWORD/);
    expect(core).not.toMatch(/BOOTSTRAP/);
  });

  test('a second start on the same data is refused and does the first no harm', async () => {
    const second = start({ STRATA_PORT: '0', STRATA_GATEWAY_PORT: '0' });
    expect(await second.ended).not.toBe(0);
    expect(second.text()).toContain('already runs');
    expect(await isReady('STRATA_PORT')).toBe(true);
  });

  test.each(['core/dist/main.js', 'gateway/dist/main.js', 'bin/postgres'])(
    '%s is started again when it is killed',
    async (part) => {
      const find = (): number => family(pidOf(run)).find((pid) => commandLine(pid).includes(part)) ?? 0;
      const victim = find();
      process.kill(victim, 'SIGKILL');
      await until(() => find() !== victim && find() > 0);
      await until(async () => (await isReady('STRATA_PORT')) && (await isReady('STRATA_GATEWAY_PORT')));
      await until(async () => (await rest(run, '/api/v1/projects/')).status === 200);
    },
    60_000,
  );

  test('SIGTERM ends everything that was started', async () => {
    const members = family(pidOf(run));
    const lines = members.map(commandLine);
    for (const part of ['core/dist/main.js', 'gateway/dist/main.js', 'bin/postgres', 'guardian']) {
      expect(lines).toContainEqual(expect.stringContaining(part));
    }
    run.process.kill('SIGTERM');
    expect(await run.ended).toBe(0);
    await until(() => !members.some(isAlive));
  }, 30_000);
});

describe('from start to end', () => {
  beforeEach(arrange);
  afterEach(async () => {
    await endAll();
    fs.rmSync(directory, { recursive: true, force: true });
  }, 30_000);

  /** With its owner, who is another user when root runs this. Tells what the start that made it has printed. */
  async function takeEarlier(): Promise<Run> {
    earlier ??= await makeEarlier();
    execFileSync('cp', ['-a', path.join(earlier.directory, 'data'), directory]);
    return earlier.run;
  }

  /** Where the tests above did not run. */
  async function makeEarlier(): Promise<Earlier> {
    const made = { directory, run: await ready(start()) };
    await endAll();
    await arrange();
    return made;
  }

  test('a later start below a shell, as npm has one, keeps the key that it is given, does not print another password as if it were in force, and ends with the shell', async () => {
    const first = await takeEarlier();
    const apiKey = `second01.${'k'.repeat(43)}`;
    const [email = '', password = ''] = printed(first, 'Owner').split(/\s+/);

    const shell = type(['/bin/sh', '-c', `'${process.execPath}' '${START}'; true`], {
      STRATA_BOOTSTRAP_PASSWORD: 'another password',
      STRATA_BOOTSTRAP_API_KEY: apiKey,
    });
    const run = await ready(shell);
    const members = family(pidOf(run));

    expect(printed(run, 'Owner')).toContain('exists already');
    expect(run.text()).not.toContain('another password');
    expect((await rest(run, '/api/v1/auth/token/', { email, password })).status).toBe(200);

    const credentials = path.join(settings.STRATA_DATA_DIR ?? '', 'credentials.json');
    expect(JSON.parse(fs.readFileSync(credentials, 'utf8'))).toMatchObject({ api_key: apiKey, owner_email: email });
    expect(fs.statSync(credentials).mode & 0o777).toBe(0o600);
    expect(printed(run, 'API key')).toBe(apiKey);
    expect((await rest(run, '/api/v1/projects/')).status).toBe(200);

    run.process.kill('SIGKILL');
    await until(() => !members.some(isAlive));
  }, 60_000);

  test('after kill -9 nothing lives on, and the next start has the same data and the same key', async () => {
    await takeEarlier();
    const first = await ready(start());
    const members = family(pidOf(first));
    const made = await rest(first, '/api/v1/projects/', { name: 'Survivor' });
    expect(made.status).toBe(201);
    first.process.kill('SIGKILL');

    // At once: what was left behind may still be on its way out.
    const second = await ready(start());
    await until(() => !members.some(isAlive));
    expect(printed(second, 'API key')).toBe(printed(first, 'API key'));
    const { results } = (await (await rest(second, '/api/v1/projects/')).json()) as { results: { name: string }[] };
    expect(results.map(({ name }) => name)).toContain('Survivor');
  }, 90_000);

  test('a taken port is named, with the setting that changes it, and nothing is started', async () => {
    const other = net.createServer().listen(Number(settings.STRATA_GATEWAY_PORT), '127.0.0.1');
    await once(other, 'listening');
    try {
      const run = start();
      expect(await run.ended).toBe(2);
      expect(run.text()).toContain(`Port ${settings.STRATA_GATEWAY_PORT} is taken`);
      expect(run.text()).toContain('STRATA_GATEWAY_PORT=');
      expect(fs.existsSync(path.join(settings.STRATA_DATA_DIR ?? '', 'postgres'))).toBe(false);
    } finally {
      other.close();
    }
  }, 60_000);

  test('every wrong setting is told at once, and nothing is started', async () => {
    const run = start({
      STRATA_PORT: 'many',
      STRATA_GATEWAY_PORT: '99999',
      STRATA_PUBLIC_URL: 'here',
      STRATA_ROOT_KEY: 'short',
    });
    expect(await run.ended).toBe(2);
    const named = [...run.text().matchAll(/^ {2}(STRATA_\w+):/gm)].map((match) => match[1]);
    expect(named.sort()).toEqual(['STRATA_GATEWAY_PORT', 'STRATA_PORT', 'STRATA_PUBLIC_URL', 'STRATA_ROOT_KEY']);
    expect(fs.existsSync(path.join(settings.STRATA_DATA_DIR ?? '', 'postgres'))).toBe(false);
  }, 60_000);

  test('a disk that is full for the logs ends neither it nor what it runs, and whoever falls over is started again', async () => {
    await takeEarlier();
    const logs = path.join(settings.STRATA_DATA_DIR ?? '', 'logs');
    fs.rmSync(logs, { recursive: true, force: true });
    fs.mkdirSync(logs, { mode: 0o700 });
    // Whatever is written there fails as on a full disk.
    for (const name of ['core', 'gateway']) fs.symlinkSync('/dev/full', path.join(logs, `${name}.log`));
    // Its answers make no sense, which the gateway wants to log.
    const nonsense = http.createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
    await once(nonsense, 'listening');
    try {
      const { port } = nonsense.address() as net.AddressInfo;
      const run = await ready(start({ STRATA_LOG_LEVEL: 'debug', STRATA_CORE_URL: `http://127.0.0.1:${port}` }));
      const find = (part: string) => family(pidOf(run)).find((pid) => commandLine(pid).includes(part)) ?? 0;
      const log = {
        'core/dist/main.js': () => rest(run, '/api/v1/projects/'),
        'gateway/dist/main.js': () =>
          fetch(`${origin('STRATA_GATEWAY_PORT')}/graphql`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ query: '{ environments { edges { node { id } } } }' }),
          }),
      };
      for (const [part, write] of Object.entries(log)) {
        const victim = find(part);
        for (let lines = 0; lines < 3; lines += 1) expect((await write()).status).toBe(200);
        expect([part, find(part)]).toEqual([part, victim]);
        process.kill(victim, 'SIGKILL');
        await until(() => find(part) !== victim && find(part) > 0);
        await until(async () => (await isReady('STRATA_PORT')) && (await isReady('STRATA_GATEWAY_PORT')));
      }
    } finally {
      nonsense.closeAllConnections();
      nonsense.close();
    }
  }, 90_000);

  test('DATABASE_URL takes the place of the embedded PostgreSQL', async () => {
    const database = await createEmptyDatabase();
    try {
      // that of the tests does not wait for the disk, which a core refuses otherwise
      const run = await ready(start({ DATABASE_URL: database.url, STRATA_UNSAFE_DATABASE: 'true' }));
      expect((await rest(run, '/api/v1/projects/', { name: 'Elsewhere' })).status).toBe(201);
      expect(family(pidOf(run)).map(commandLine)).not.toContainEqual(expect.stringContaining('bin/postgres'));
      // as Ctrl-C does
      run.process.kill('SIGINT');
      expect(await run.ended).toBe(0);
    } finally {
      await database.drop();
    }
  }, 60_000);

  test('credentials that were lost do not open the database with new ones', async () => {
    await takeEarlier();
    fs.rmSync(path.join(settings.STRATA_DATA_DIR ?? '', 'credentials.json'));
    const run = start();
    expect(await run.ended).not.toBe(0);
    expect(run.text()).toContain('made with another credentials file');
  }, 60_000);
});

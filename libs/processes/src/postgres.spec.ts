import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clusterPaths } from './cluster.ts';
import { isAlive } from './lifetime.mjs';
import { type RunningPostgres, startPostgres } from './postgres.ts';

const PASSWORD = 'with /, @ and a blank';

let directory: string;
let dataDir: string;
/** A database that was created and stopped once, because creating one takes long. */
let preparedDir: string;
const running: RunningPostgres[] = [];

beforeAll(async () => {
  preparedDir = fs.mkdtempSync(path.join(os.tmpdir(), 'strata made-'));
  fs.chmodSync(preparedDir, 0o711);
  await (await startPostgres({ dataDir: path.join(preparedDir, 'data', 'postgres'), password: PASSWORD })).stop();
});

afterAll(() => fs.rmSync(preparedDir, { recursive: true, force: true }));

beforeEach(() => {
  // The path contains a blank, like many home directories.
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata pg-'));
  fs.chmodSync(directory, 0o711);
  dataDir = path.join(directory, 'data', 'postgres');
});

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  fs.rmSync(directory, { recursive: true, force: true });
});

/** Copies the template, as if the database had been created in this directory. */
function takeMade(): void {
  // keeps the owner, who is another user if root runs this
  execFileSync('cp', ['-a', path.join(preparedDir, 'data'), directory]);
}

async function start(options: { port?: number; password?: string } = {}): Promise<RunningPostgres> {
  const server = await startPostgres({ dataDir, password: PASSWORD, ...options });
  running.push(server);
  return server;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Runs another Node process that starts the database and reports it. It stands for an `npm start` that is killed. */
async function startElsewhere(): Promise<{ starter: ChildProcess; pid: number }> {
  const script = `
    const { startPostgres } = await import(${JSON.stringify(path.resolve(import.meta.dirname, 'postgres.ts'))});
    const server = await startPostgres(${JSON.stringify({ dataDir, password: PASSWORD })});
    console.log(server.pid);
    setInterval(() => {}, 1000);`;
  const starter = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: starter.stdout }), 'line');
  return { starter, pid: Number(line) };
}

async function untilDead(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(20);
}

test('runs PostgreSQL 18 in UTF-8 with ICU collations and keeps its data when stopped', async () => {
  const first = await start();
  const [facts] = await query(
    first.url(),
    `select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding,
            'B' < 'a' collate "und-x-icu" as icu, current_setting('fsync') as fsync`,
  );
  expect(facts).toEqual({ version: 18, encoding: 'UTF8', icu: false, fsync: 'on' });
  await query(first.url(), 'create table kept as select 1 as n');
  await first.stop();
  const second = await start();
  expect([first.created, second.created]).toEqual([true, false]);
  expect(await query(second.url(), 'select n from kept')).toEqual([{ n: 1 }]);
});

test('starts the database of a restore that was killed after it had moved the previous one aside', async () => {
  takeMade();
  const before = await start();
  await query(before.url(), 'create table kept as select 1 as n');
  await before.stop();
  const files = clusterPaths(dataDir).dataDir;
  fs.renameSync(files, `${files}.restored`);

  const after = await start();

  expect(after.created).toBe(false);
  expect(await query(after.url(), 'select n from kept')).toEqual([{ n: 1 }]);
});

test('requires the password, and listens on this machine only', async () => {
  takeMade();
  const server = await start();
  for (const password of ['', 'wrong']) {
    const url = new URL(server.url());
    url.password = password;
    await expect(query(url.href, 'select 1')).rejects.toThrow(/password/);
  }
  expect(await query(server.url(), 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
});

test('reports a password that differs from the one it was created with', async () => {
  takeMade();
  await (await start()).stop();
  await expect(start({ password: 'another' })).rejects.toThrow(/made with another credentials file/);
});

test('restarts on the same port with all committed data after kill -9 of the server', async () => {
  takeMade();
  const first = await start();
  await query(first.url(), 'create table kept as select 1 as n');
  await first.kill();
  const second = await start({ port: first.port });
  expect(second.port).toBe(first.port);
  expect(await query(second.url(), 'select n from kept')).toEqual([{ n: 1 }]);
});

test('stops the server after kill -9 of the process that started it', async () => {
  takeMade();
  const { starter, pid } = await startElsewhere();
  expect(isAlive(pid)).toBe(true);
  starter.kill('SIGKILL');
  await untilDead(pid);
});

test('replaces a server whose guardian was also killed at the next start', async () => {
  takeMade();
  const { starter, pid } = await startElsewhere();
  for (const guardian of listGuardians(pid)) process.kill(guardian, 'SIGKILL');
  starter.kill('SIGKILL');
  await once(starter, 'exit');
  expect(isAlive(pid)).toBe(true);
  const server = await start();
  expect(isAlive(pid)).toBe(false);
  expect(await query(server.url(), 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('starts although the pid file names another program, and does not stop that program', async () => {
  takeMade();
  await (await start()).stop();
  const unrelated = spawn('sleep', ['60']);
  try {
    fs.writeFileSync(
      path.join(dataDir, 'postmaster.pid'),
      `${unrelated.pid}\n${dataDir}\n0\n5432\n\n127.0.0.1\n\nready   \n`,
    );
    await start();
    expect(isAlive(unrelated.pid ?? 0)).toBe(true);
  } finally {
    unrelated.kill();
  }
});

test('repeats an interrupted installation', async () => {
  fs.mkdirSync(path.join(directory, 'data', 'postgres.new-cut', 'cluster'), { recursive: true });
  const server = await start();
  expect(server.created).toBe(true);
  expect(fs.readdirSync(path.join(directory, 'data')).filter((name) => name.includes('.new-'))).toEqual([]);
});

function listGuardians(pid: number): number[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((process_) => {
      try {
        const commandLine = fs.readFileSync(`/proc/${process_}/cmdline`, 'utf8').split('\0');
        return commandLine.includes('guardian') && commandLine.includes(String(pid));
      } catch {
        return false;
      }
    });
}

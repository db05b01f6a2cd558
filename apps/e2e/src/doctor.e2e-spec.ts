import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { archiveSettings, coreDatabaseUrl, type PostgresOptions, startPostgres } from '@strata/processes';
import {
  createEmptyDatabase,
  createReplicatedDatabase,
  createTestDatabase,
  type TestDatabase,
  testCredentials,
} from '@strata/testkit';
import pg from 'pg';
import { buildMissingApps, eventually } from './processes.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../cli/dist/main.js');

interface Finding {
  readonly subject: string;
  readonly isFine: boolean;
  readonly text: string;
}

beforeAll(() => buildMissingApps('core', 'cli'));

/** Runs `strata doctor`. The database of the tests is not durable, so it is never without a finding. */
async function doctor(settings: Readonly<Record<string, string>>): Promise<readonly Finding[]> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, STRATA_ROOT_KEY: testCredentials().rootKey, ...settings };
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, 'doctor', '--json'], { env }).catch(
    (error: { stdout: string; code: number; stderr: string }) => {
      if (error.code !== 1) throw new Error(error.stderr);
      return error;
    },
  );
  return JSON.parse(stdout) as Finding[];
}

const listTexts = (findings: readonly Finding[], subject: string): string[] =>
  findings.filter((finding) => finding.subject === subject && !finding.isFine).map(({ text }) => text);

async function query(url: string, sql: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, string>>(sql).finally(() => client.end());
  return rows;
}

describe('on a database', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  test('everything is fine after a migration, except that this database can lose changes', async () => {
    const findings = await doctor({ DATABASE_URL: database.url });
    expect(findings.filter(({ isFine }) => isFine).map(({ subject }) => subject)).toEqual([
      ...[
        'Connection',
        'Standbys',
        'Clock',
        'Disk',
        'Archive',
        'Backups',
        'Schema',
        'Root key',
        'Data keys',
        'Isolation',
        'Indexes',
        'Jobs',
        'API keys',
        'Links',
        'Gateway',
      ],
    ]);
    expect(listTexts(findings, 'Account')).toEqual([
      expect.stringMatching(/is a superuser.*STRATA_OWNER_DATABASE_URL/),
    ]);
    expect(listTexts(findings, 'PostgreSQL')).toEqual([
      'fsync is off, so a crash can lose acknowledged changes. Turn it on.',
      'full_page_writes is off, so a crash can lose acknowledged changes. Turn it on.',
      'synchronous_commit is off, so a crash can lose acknowledged changes. Turn it on.',
    ]);
  });

  test('runs all checks with the account of the core alone', async () => {
    await query(database.url, `update api_key set expires_at = now() - interval '1 day'`);
    const findings = await doctor({ DATABASE_URL: coreDatabaseUrl(database.url, testCredentials().corePassword) });
    expect(findings.filter(({ text }) => /cannot be checked|lacks a permission/.test(text))).toEqual([]);
    expect(listTexts(findings, 'API keys')).toEqual([expect.stringMatching(/^The key of .* expired/)]);
  });

  const expired = (days: number) => `update api_key set expires_at = now() + interval '${days} days'`;
  const job = `select graphile_worker.add_job('deliver', '{}'::json)`;

  test.each<readonly [name: string, sql: string, subject: string, expected: RegExp]>([
    [
      'a missing index',
      'drop index change_object_id',
      'Indexes',
      /^change_object_id is missing.*Create it: CREATE INDEX/,
    ],
    [
      'an invalid index',
      `update pg_index set indisvalid = false where indexrelid = 'change_object_id'::regclass`,
      'Indexes',
      /reindex index concurrently change_object_id/,
    ],
    [
      'a job that a process locked before it was killed',
      `${job}; update graphile_worker._private_jobs set locked_at = now() - interval '1 hour', locked_by = 'worker-1'`,
      'Jobs',
      /^1 job has been locked .*force_unlock_workers\(array\['worker-1'\]\)/,
    ],
    [
      'a job that failed',
      `${job}; update graphile_worker._private_jobs set attempts = max_attempts`,
      'Jobs',
      /^1 job has failed at all attempts/,
    ],
    ['an expired key', expired(-1), 'API keys', /^The key of .* expired on \d{4}-\d\d-\d\d/],
    ['a key that expires soon', expired(3), 'API keys', /^The key of .* expires on \d{4}-\d\d-\d\d/],
    [
      'a schema of a later release',
      `insert into schema_migration (timestamp, name) values (9999999999999, 'Later9999999999999')`,
      'Schema',
      /ahead of this release|ahead of this core/,
    ],
    ['another root key', `update root_key_check set value = '\\x00'`, 'Root key', /Start with the original key/],
  ])('reports %s and what to do', async (_, sql, subject, expected) => {
    await query(database.url, sql);
    expect(listTexts(await doctor({ DATABASE_URL: database.url }), subject)).toEqual([expect.stringMatching(expected)]);
  });

  test('reports a standby that is paused, belongs to another database, or does not respond, without its password', async () => {
    const replicated = await createReplicatedDatabase();
    const withStandby = async (url: string, DATABASE_URL = replicated.url) => {
      const texts = listTexts(await doctor({ DATABASE_URL, STRATA_READ_DATABASE_URLS: url }), 'Standbys');
      return texts.map((text) => text.replace(new URL(url).host, 'db.example'));
    };
    try {
      expect(await withStandby(replicated.standbyUrl)).toEqual([]);
      await query(replicated.standbyUrl, 'select pg_wal_replay_pause()');
      expect(await withStandby(replicated.standbyUrl)).toEqual([
        'The standby db.example does not replay: it is paused. Resume it: select pg_wal_replay_resume();',
      ]);
      expect(await withStandby(replicated.standbyUrl, database.url)).toEqual([
        'The standby db.example is not a standby of DATABASE_URL, so it has other data. Correct its address.',
      ]);
      await replicated.stopStandby();
      const url = Object.assign(new URL(replicated.standbyUrl), { password: 'pa55word' }).href;
      const texts = await withStandby(url);
      expect(texts).toEqual([
        expect.stringMatching(/^The standby db.example cannot be checked \(ECONNREFUSED\)\. Start it/),
      ]);
      expect(texts.join()).not.toContain('pa55word');
    } finally {
      await replicated.close();
    }
  });

  test('reports that the clocks differ', async () => {
    const script = 'const now = Date.now; Date.now = () => now() + 60_000';
    const findings = await doctor({
      DATABASE_URL: database.url,
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}`,
    });
    expect(listTexts(findings, 'Clock')).toEqual([expect.stringMatching(/differ by (59\.\d|60\.\d) s. Synchronize/)]);
  });

  test('reports that there is no backup, that the last one is old, and that their folder is missing', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-backups-'));
    const listFindings = async (...names: readonly string[]) => {
      for (const name of names) fs.mkdirSync(path.join(folder, name));
      return listTexts(await doctor({ DATABASE_URL: database.url, STRATA_BACKUP_DIR: folder }), 'Backups');
    };
    const recent = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
    const advice = 'Run strata backup, for example every night with cron.';
    expect(await listFindings(`backup-${recent}.partial`)).toEqual([`There is no backup in ${folder}. ${advice}`]);
    expect(await listFindings('backup-20200131T235959Z')).toEqual([
      `The last backup is of 2020-01-31 in ${folder}. ${advice}`,
    ]);
    expect(await listFindings(`backup-${recent}`)).toEqual([]);
    fs.rmSync(folder, { recursive: true });
    expect(await listFindings()).toEqual([`${folder} cannot be read. Mount its disk, or correct STRATA_BACKUP_DIR.`]);
  });

  test('reports that the disk of the embedded database is almost full', async () => {
    const disk = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      fs.rmdirSync(disk);
      return console.warn('Skipped: only root can mount a small disk.');
    }
    try {
      const findings = await doctor({ DATABASE_URL: database.url, STRATA_DATA_DIR: disk });
      expect(listTexts(findings, 'Disk')).toEqual([
        `${disk} has 1 MB free (100 %). Free some space: a full disk stops all writes.`,
      ]);
    } finally {
      execFileSync('umount', [disk]);
      fs.rmdirSync(disk);
    }
  });
});

test('reports a database without a schema', async () => {
  const database = await createEmptyDatabase();
  try {
    const findings = await doctor({ DATABASE_URL: database.url });
    expect(listTexts(findings, 'Schema')).toEqual([expect.stringContaining('strata migrate')]);
  } finally {
    await database.drop();
  }
});

const NO_SERVER = 'postgres://strata@127.0.0.1:1/strata';

test('reports a server that does not respond', async () => {
  const findings = await doctor({ DATABASE_URL: NO_SERVER });
  expect(findings.filter(({ isFine }) => !isFine)).toEqual([
    { subject: 'PostgreSQL', isFine: false, text: expect.stringContaining('No server listens') },
  ]);
});

test('reports links that follow the header Host, unless only this machine reaches the core', async () => {
  const listFindings = async (settings: Readonly<Record<string, string>>) =>
    listTexts(await doctor({ DATABASE_URL: NO_SERVER, ...settings }), 'Links');
  const advice = 'Set STRATA_PUBLIC_URL to the address that people open';
  expect(await listFindings({})).toEqual([]);
  expect(await listFindings({ STRATA_HOST: '0.0.0.0' })).toEqual([expect.stringContaining(advice)]);
  expect(await listFindings({ STRATA_HOST: '0.0.0.0', STRATA_PUBLIC_URL: 'https://config.example.com' })).toEqual([]);
});

test('reports invalid settings of the gateway', async () => {
  const findings = await doctor({ DATABASE_URL: NO_SERVER, STRATA_GATEWAY_PORT: 'many' });
  expect(listTexts(findings, 'Gateway')).toEqual([
    'STRATA_GATEWAY_PORT: must be a port number. Correct this setting of the gateway.',
  ]);
});

test('reports a core of another version, and one that does not respond', async () => {
  const older = http.createServer((_, response) => response.end('{"version":"0.0.1","commit":null}'));
  await once(older.listen(0, '127.0.0.1'), 'listening');
  const STRATA_CORE_URL = `http://127.0.0.1:${(older.address() as AddressInfo).port}`;
  const listFindings = async () => listTexts(await doctor({ DATABASE_URL: NO_SERVER, STRATA_CORE_URL }), 'Processes');
  const expected = `The core at ${STRATA_CORE_URL} runs version 0.0.1, and this is `;
  expect(await listFindings()).toEqual([expect.stringContaining(expected)]);
  older.closeAllConnections();
  await new Promise((resolve) => older.close(resolve));
  expect(await listFindings()).toEqual([`The core at ${STRATA_CORE_URL} does not respond. Start it, or read its log.`]);
});

function serverOptions(): PostgresOptions & { readonly directory: string } {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-doctor-'));
  fs.chmodSync(directory, 0o711);
  const password = randomBytes(8).toString('hex');
  return { directory, dataDir: path.join(directory, 'postgres'), password, durable: false };
}

test('reports that the log is not archived, also if the server does not try because the folder is missing', async () => {
  const { directory, ...options } = serverOptions();
  const archive = path.join(directory, 'wal');
  const server = await startPostgres({ ...options, settings: archiveSettings(options.dataDir, archive) });
  try {
    const listFindings = async () => listTexts(await doctor({ DATABASE_URL: server.url() }), 'Archive');
    expect(await listFindings()).toEqual([]);
    // A file of another server has the name of the next file. The library never overwrites it.
    const next = await query(server.url(), 'select pg_walfile_name(pg_current_wal_lsn()) as name');
    fs.writeFileSync(path.join(archive, next[0]?.name ?? ''), '');
    await query(server.url(), 'create table filler (); select pg_switch_wal()');
    await eventually('the server tries to archive', async () => (await listFindings()).length > 0);
    const expected = (files: string) =>
      expect.stringMatching(
        `^PostgreSQL cannot archive its write-ahead log in ${archive}, .*${files}.*its log contains`,
      );
    expect(await listFindings()).toEqual([expected('1 file waits')]);

    // PostgreSQL tries three times, and then waits for a minute. A further attempt would be found after the reset.
    await eventually('the server has made its last attempt', async () => {
      const [{ failed_count: failed } = {}] = await query(server.url(), 'select failed_count from pg_stat_archiver');
      return Number(failed) >= 3;
    });
    fs.rmSync(archive, { recursive: true });
    await query(server.url(), 'select pg_stat_reset_shared()');
    expect(await listFindings()).toEqual([]);
    const status = path.join(server.dataDir, 'pg_wal/archive_status');
    for (const name of fs.readdirSync(status)) fs.utimesSync(path.join(status, name), 0, Date.now() / 1_000 - 400);
    expect(await listFindings()).toEqual([expected('1 file waits')]);
  } finally {
    await server.stop();
    fs.rmSync(directory, { recursive: true, force: true });
  }
});

test('reports a standby, and a database that is not in UTF-8', async () => {
  const { directory, ...options } = serverOptions();
  let server = await startPostgres(options);
  try {
    await query(server.url('postgres'), `create database bytes encoding 'SQL_ASCII' locale 'C' template template0`);
    await server.stop();
    const signal = path.join(server.dataDir, 'standby.signal');
    fs.writeFileSync(signal, '');
    const { uid, gid } = fs.statSync(server.dataDir);
    fs.chownSync(signal, uid, gid);
    server = await startPostgres(options);
    const texts = listTexts(await doctor({ DATABASE_URL: server.url('bytes') }), 'PostgreSQL');
    expect(texts).toContain('The database has the encoding SQL_ASCII. Create it with the encoding UTF8.');
    expect(texts).toContain('The server is a standby and read-only. Connect to the primary server.');
  } finally {
    await server.stop();
    fs.rmSync(directory, { recursive: true, force: true });
  }
});

test('reports all invalid settings and exits with 2', async () => {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: 'postgres://strata@127.0.0.1:1/strata',
    STRATA_PORT: 'many',
    STRATA_ROOT_KEY: 'short',
  };
  const run = promisify(execFile)(process.execPath, [PROGRAM, 'doctor'], { env });
  const stderr = expect.stringMatching(/STRATA_PORT: must be a port number\n +STRATA_ROOT_KEY: must be 32 bytes/);
  await expect(run).rejects.toMatchObject({ code: 2, stderr });
});

test('without DATABASE_URL, requires a running installation in the data directory', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-nothing-'));
  const env = { PATH: process.env.PATH, STRATA_DATA_DIR: folder };
  const run = promisify(execFile)(process.execPath, [PROGRAM, 'doctor'], { env });
  await expect(run).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`no PostgreSQL runs in ${folder}`),
  });
  fs.rmSync(folder, { recursive: true });
});

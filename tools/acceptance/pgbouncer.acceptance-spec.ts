import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '@strata/processes';
import { createEmptyDatabase, testCredentials } from '@strata/testkit';
import pg from 'pg';
import { buildMissingApps, eventually, fetchStatus, type Service, startService } from '../../apps/e2e/src/processes.ts';
import { Guide } from '../testing/guide.ts';
import { DEBIAN_POSTGRES, DebianPostgres, systemUser } from './debian-postgres.ts';
import { type Installation, requestCore } from './journey.ts';
import { describeWith, installDebianProgram } from './tools.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../apps/cli/dist/main.js');
const TOOLS = [DEBIAN_POSTGRES, installDebianProgram('/usr/sbin/pgbouncer', 'pgbouncer')];
const POOLS_TRANSACTIONS = /leads to a connection pooler that does not keep sessions.*pool_mode = session/s;

/** The configuration of the guide, on a port of its own. */
class PgBouncer {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly database: URL,
  ) {}

  static async before(databaseUrl: string): Promise<PgBouncer> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-pgbouncer-'));
    return new PgBouncer(folder, await findFreePort(), new URL(databaseUrl));
  }

  get url(): string {
    return this.databaseUrl('strata');
  }

  /** Starts PgBouncer with the configuration of the guide and further settings. */
  async start(...settings: readonly string[]): Promise<void> {
    await this.stop();
    this.configure(...settings);
    const identity = systemUser();
    for (const name of fs.readdirSync(this.folder)) this.give(name, identity);
    this.give('.', identity);
    this.child = spawn('/usr/sbin/pgbouncer', ['-q', path.join(this.folder, 'pgbouncer.ini')], {
      ...identity,
      stdio: 'ignore',
    });
    await eventually('PgBouncer accepts connections', () =>
      this.command('show version').then(
        () => true,
        () => false,
      ),
    );
  }

  /** Applies other settings to the running PgBouncer, and replaces its connections to PostgreSQL. */
  async reload(...settings: readonly string[]): Promise<void> {
    this.configure(...settings);
    await this.command('reload');
    await this.command('reconnect');
  }

  async stop(): Promise<void> {
    if (!this.child || this.child.exitCode !== null) return;
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }

  async remove(): Promise<void> {
    await this.stop();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  private databaseUrl(database: string): string {
    const url = new URL(this.database.href);
    url.password ||= 'password';
    url.port = String(this.port);
    url.pathname = `/${database}`;
    return url.href;
  }

  private configure(...settings: readonly string[]): void {
    const guide = new Guide('use-a-connection-pooler');
    guide.remove();
    const [block = ''] = guide.blocks('Configure PgBouncer', 'ini');
    const { hostname, port, pathname, username } = this.database;
    const text = block
      .replace(/^strata = .*$/m, `strata = host=${hostname} port=${port} dbname=${pathname.slice(1)}`)
      .replace('listen_port = 6432', `listen_port = ${this.port}`)
      .replace('/etc/pgbouncer/userlist.txt', path.join(this.folder, 'userlist.txt'));
    const testSettings = [`admin_users = ${username}`, 'unix_socket_dir =', ...settings];
    fs.writeFileSync(path.join(this.folder, 'pgbouncer.ini'), `${text}${testSettings.join('\n')}\n`);
    const password = decodeURIComponent(new URL(this.url).password);
    fs.writeFileSync(path.join(this.folder, 'userlist.txt'), `"${username}" "${password}"\n`, { mode: 0o600 });
  }

  private give(name: string, { uid, gid }: ReturnType<typeof systemUser>): void {
    if (uid !== undefined && gid !== undefined) fs.chownSync(path.join(this.folder, name), uid, gid);
  }

  private async command(text: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.databaseUrl('pgbouncer') });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(text);
    } finally {
      await client.end();
    }
  }
}

/** A server to place PgBouncer before. */
interface Server {
  readonly url: string;
  remove(): Promise<void>;
}

async function debianServer(): Promise<Server> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-pooled-'));
  const postgres = await DebianPostgres.create(folder);
  await postgres.start('fsync=off');
  await postgres.query('create database strata', 'postgres');
  const remove = async () => {
    await postgres.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  };
  return { url: postgres.url(), remove };
}

async function embeddedServer(): Promise<Server> {
  const { url, drop } = await createEmptyDatabase();
  return { url, remove: drop };
}

describeWith(TOOLS, 'PgBouncer of Debian', () => {
  beforeAll(() => buildMissingApps('core', 'cli'));

  describe.each([
    ['PostgreSQL 15 of Debian', debianServer],
    ['the embedded PostgreSQL', embeddedServer],
  ])('before %s', (_, createServer) => {
    let server: Server;
    let pooler: PgBouncer;
    let core: Service | undefined;
    beforeAll(async () => {
      server = await createServer();
      pooler = await PgBouncer.before(server.url);
    });
    afterEach(async () => {
      await core?.end('SIGKILL');
      core = undefined;
    });
    afterAll(async () => {
      await pooler.remove();
      await server.remove();
    });

    const settings = () => {
      const { apiKey, ownerPassword, rootKey } = testCredentials();
      const bootstrap = { STRATA_BOOTSTRAP_PASSWORD: ownerPassword, STRATA_BOOTSTRAP_API_KEY: apiKey };
      return { DATABASE_URL: pooler.url, STRATA_ROOT_KEY: rootKey, STRATA_UNSAFE_DATABASE: 'true', ...bootstrap };
    };
    const strata = (...args: readonly string[]) => {
      const env = { PATH: process.env.PATH, ...settings() };
      const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { env, encoding: 'utf8' });
      return { status, text: `${stdout}${stderr}` };
    };
    const doctor = () => /^. Connection +(.*)$/m.exec(strata('doctor').text)?.[1];
    const tables = async () => {
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      const { rows } = await client.query("select from pg_tables where schemaname = 'public'");
      await client.end();
      return rows.length;
    };
    const startCore = async (): Promise<Installation> => {
      core = await startService('core', await findFreePort(), settings());
      return { core: core.origin, gateway: '', apiKey: testCredentials().apiKey };
    };

    test.each(['transaction', 'statement'])('is rejected if it pools by %s, and nothing is written', async (mode) => {
      await pooler.start(`pool_mode = ${mode}`, 'ignore_startup_parameters = extra_float_digits,options');

      expect(strata('migrate')).toEqual({ status: 1, text: expect.stringMatching(POOLS_TRANSACTIONS) });
      expect(strata('serve', 'core')).toEqual({ status: 1, text: expect.stringMatching(POOLS_TRANSACTIONS) });
      expect(doctor()).toMatch(POOLS_TRANSACTIONS);
      expect(await tables()).toBe(0);
    });

    test.each([
      ['the configuration of the guide', []],
      ['ignored startup parameters', ['ignore_startup_parameters = extra_float_digits,options']],
    ])('keeps the role of the core with %s', async (_each, extra) => {
      await pooler.start(...extra);

      expect(strata('migrate')).toEqual({ status: 0, text: '' });
      const installation = await startCore();
      expect(doctor()).toBe('keeps the role strata_app and its settings');
      expect(await fetchStatus(installation.core, 'readyz')).toBe(200);
      const { id } = await requestCore<{ id: string }>(installation, 'projects/', { name: `Pooled ${extra.length}` });
      expect(await requestCore(installation, `projects/${id}/`)).toMatchObject({ name: `Pooled ${extra.length}` });
    });

    test('names the limit if it provides too few connections', async () => {
      await pooler.start('default_pool_size = 1');

      expect(strata('migrate')).toEqual({
        status: 1,
        text: expect.stringContaining(
          'provides no second connection. Raise its limit (default_pool_size in PgBouncer)',
        ),
      });
    });

    test('makes a running core reject writes if its mode changes', async () => {
      await pooler.start();
      expect(strata('migrate').status).toBe(0);
      const installation = await startCore();
      await requestCore(installation, 'projects/', { name: 'Before' });

      await pooler.reload('pool_mode = transaction');

      await eventually('the core is not ready', async () => (await fetchStatus(installation.core, 'readyz')) === 503);
      await expect(requestCore(installation, 'projects/', { name: 'After' })).rejects.toThrow('503');
      const { count } = await requestCore<{ count: number }>(installation, 'projects/?name=After').catch(() => ({
        count: 0,
      }));
      expect(count).toBe(0);
    });
  });
});

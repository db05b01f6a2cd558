// Starts everything that a measurement needs in a temporary directory: a durable PostgreSQL, the core, the gateway and
// the floors.
import { fork } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { coreDatabaseUrl, findFreePort, nodeArguments, startPostgres } from '../../libs/processes/src/index.ts';
import { root } from '../ensure.mjs';

/** Returns what `strata start` uses. It has to be built before. */
const cli = () => import(path.join(root, 'apps/cli/build/index.js'));

/** How long a service may take to end. Writing the CPU profile of a long run takes tens of seconds. */
const GRACE_MS = 60_000;

export class Stage {
  #children = new Set();

  /** Starts PostgreSQL and migrates it. Does not start any service. */
  static async open({ log, execArgv = [] }) {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-bench-'));
    // PostgreSQL may run as another user, who must be able to enter the directory.
    fs.chmodSync(directory, 0o711);
    const stage = new Stage(directory, execArgv);
    try {
      const { readCredentials } = await cli();
      const credentials = readCredentials(directory);
      const dataDir = path.join(directory, 'postgres');
      stage.postgres = await startPostgres({
        dataDir,
        password: credentials.database_password,
        removeOnEnd: directory,
        log,
      });
      stage.env = await environment(credentials, stage.postgres.url());
      await stage.migrate();
      return stage;
    } catch (error) {
      await stage.close();
      throw error;
    }
  }

  constructor(directory, execArgv) {
    this.directory = directory;
    this.execArgv = execArgv;
  }

  get apiKey() {
    return this.env.STRATA_BOOTSTRAP_API_KEY;
  }

  async migrate() {
    const { runOnce } = await cli();
    return runOnce('core', ['migrate'], { env: this.env, logDir: this.directory });
  }

  /**
   * Starts the core and then the gateway. Resolves with them and the milliseconds from the start of each process to its
   * first positive response of `/readyz`.
   */
  async startServices() {
    const { STRATA_CORE_URL, STRATA_GATEWAY_PORT } = this.env;
    const ready = async (name, url) => {
      const started = performance.now();
      const child = await this.#service(name);
      while (!(await fetch(`${url}/readyz`)).ok) await sleep(1);
      return [child, performance.now() - started];
    };
    const [core, coreMs] = await ready('core', STRATA_CORE_URL);
    const [gateway, gatewayMs] = await ready('gateway', `http://127.0.0.1:${STRATA_GATEWAY_PORT}`);
    return { core, gateway, readyMs: { core: coreMs, gateway: gatewayMs } };
  }

  /** Starts another gateway, which uses the given URL as its core. Resolves with { child, url }. */
  async startGatewayOn(coreUrl, settings = {}) {
    const port = await findFreePort();
    const child = await this.#service('gateway', {
      STRATA_CORE_URL: coreUrl,
      STRATA_GATEWAY_PORT: String(port),
      ...settings,
    });
    return { child, url: `http://127.0.0.1:${port}` };
  }

  /** Starts another core on the same database. Resolves with { child, url }. */
  async startCoreWith(settings) {
    const port = await findFreePort();
    const child = await this.#service('core', { STRATA_PORT: String(port), ...settings });
    return { child, url: `http://127.0.0.1:${port}` };
  }

  #service(name, more) {
    const execArgv = [...nodeArguments(), ...this.execArgv];
    const child = this.#fork(path.join(root, 'apps', name, 'dist', 'main.js'), execArgv, more);
    return new Promise((resolve, reject) => {
      child.once('message', () => resolve(child));
      child.once('exit', (code) => reject(new Error(`${name} did not start (code ${code})`)));
    });
  }

  /** Starts the process of the floors. Resolves with { child, port }. */
  startFloors(message) {
    const child = this.#fork(path.join(import.meta.dirname, 'floors.mjs'), []);
    return new Promise((resolve, reject) => {
      child.once('message', ({ port }) => resolve({ child, port }));
      child.once('exit', (code) => reject(new Error(`The floors did not start (code ${code})`)));
      child.send({ ...message, databaseUrl: this.postgres.url() });
    });
  }

  /** Starts PostGraphile over its own tables in the same PostgreSQL. Resolves with { child, port }. */
  startPeer(message) {
    const child = this.#fork(path.join(import.meta.dirname, 'peer', 'peer.mjs'), [], { GRAPHILE_ENV: 'production' });
    return new Promise((resolve, reject) => {
      child.once('message', ({ port }) => resolve({ child, port }));
      child.once('exit', (code) => reject(new Error(`PostGraphile did not start (code ${code})`)));
      child.send({ ...message, databaseUrl: this.postgres.url() });
    });
  }

  #fork(file, execArgv, more = {}) {
    const env = { ...this.env, ...more };
    const child = fork(file, { cwd: root, env, execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return child;
  }

  async stop(child) {
    if (!this.#children.has(child)) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // The floors end immediately; the services shut down gracefully.
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    await ended;
    clearTimeout(timer);
  }

  async close() {
    await Promise.all([...this.#children].map((child) => this.stop(child)));
    await this.postgres?.stop();
    fs.rmSync(this.directory, { recursive: true, force: true });
  }
}

/**
 * Returns the environment that `npm start` would set, without the settings of this shell, which may belong to another
 * Strata.
 */
async function environment(credentials, databaseUrl) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('STRATA_') && name !== 'NODE_OPTIONS',
  );
  const [core, gateway] = [await findFreePort(), await findFreePort()];
  return {
    ...Object.fromEntries(inherited),
    // As in the images: graphql-js and others check more without it.
    NODE_ENV: 'production',
    DATABASE_URL: coreDatabaseUrl(databaseUrl, credentials.core_database_password),
    STRATA_OWNER_DATABASE_URL: databaseUrl,
    STRATA_HOST: '127.0.0.1',
    STRATA_PORT: String(core),
    STRATA_GATEWAY_PORT: String(gateway),
    STRATA_CORE_URL: `http://127.0.0.1:${core}`,
    STRATA_ROOT_KEY: credentials.root_key,
    STRATA_BOOTSTRAP_API_KEY: credentials.api_key,
    STRATA_BOOTSTRAP_EMAIL: credentials.owner_email,
    STRATA_BOOTSTRAP_PASSWORD: credentials.owner_password,
    STRATA_LOG_LEVEL: 'warn',
  };
}

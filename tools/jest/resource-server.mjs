// Provides shared resources to spec files over HTTP, because each file runs in its own realm: databases, and the core
// and the gateway as processes. Creates them on demand, so a run of pure specs needs none of them, and removes them at
// the end of the run.
import { fork, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import http from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import pg from 'pg';
import { coreDatabaseUrl, nodeArguments } from '../../libs/processes/src/index.ts';
import { installPythonProgram } from '../acceptance/tools.ts';
import { buildApps } from '../build-apps.mjs';
import { root } from '../ensure.mjs';
import { startPrimary, startStandby } from './replicated-servers.mjs';
import { makeTemplate, TEMPLATE } from './template.mjs';

/** An address where no program listens, so that no test sends messages to another machine. */
const NO_CHAT = 'http://127.0.0.1:9/api/';

/** Trust rules can name it, but no program fetches its keys. */
const WORKLOAD_ISSUER = 'https://workloads.example';

/** With the small first heap that Node prefers, a start collects garbage so often that it takes 9 % longer. */
const QUICK_START = '--min-semi-space-size=16';

/** Programs that serve the APIs of AWS for the tests. Installed from PyPI into folders of their own. */
const AWS_PROGRAMS = {
  moto: {
    package: 'moto[server,secretsmanager,ssm,sts]==5.2.5',
    arguments: ['-m', 'moto.server', '-H', '127.0.0.1', '-p', '0'],
  },
  ministack: {
    package: 'ministack==1.5.33',
    arguments: ['-m', 'hypercorn', '--bind', '127.0.0.1:0', 'ministack.app:app'],
    // The account that moto assigns to credentials that it does not know.
    settings: { MINISTACK_ACCOUNT_ID: '123456789012' },
  },
};

/** The time after which the owner signs in again: a third of the lifetime of a token. */
const SESSION_MS = 300_000;

/**
 * Starts an HTTP server that creates databases, cores and gateways for spec files, which send
 * `POST <origin>/<secret>/<kind>`. `url(database)` returns a connection URL.
 */
export async function startSupplies({ url }) {
  const supplies = new Supplies(url);
  const secret = randomUUID();
  const server = http.createServer(async (request, response) => {
    // If a keep-alive connection ended between two requests, the spec file would see an error.
    response.setHeader('connection', 'close');
    try {
      const [, word, what] = request.url.split('/');
      if (word !== secret || !SUPPLIED.includes(what)) throw new Error(`Unknown request: ${request.url}`);
      response.end(JSON.stringify(await supplies[what](await json(request))));
    } catch (error) {
      response.writeHead(500).end(error.stack);
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}/${secret}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await supplies.endAll();
    },
  };
}

const SUPPLIED = [
  ...['build', 'database', 'drop', 'replicated', 'core', 'sharedCore', 'gateway', 'sharedGateway', 'moto', 'end'],
];

class Supplies {
  #url;
  #template;
  /** The resources that files share, by kind and worker. */
  #shared = new Map();
  #services = new Map();
  #built = new Map();
  /** The installation, which can take minutes. */
  #moto = null;

  constructor(url) {
    this.#url = url;
  }

  /** Builds apps whose sources have changed since their last build. Checks each app once per run. */
  async build({ apps }) {
    for (const app of apps) {
      if (!this.#built.has(app)) this.#built.set(app, buildApps([app]));
      await this.#built.get(app);
    }
    return {};
  }

  /** Creates a database as a copy of the template, or an empty one. */
  async database({ empty = false }) {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    if (!empty) {
      this.#template ??= makeTemplate({ url: this.#url, administer: (statement) => this.#administer(statement) });
      await this.#template;
    }
    // Copies the files. If nothing has to be flushed to disk, this is three times as fast as copying through the log.
    await this.#administer(`create database ${name} template ${empty ? 'template0' : TEMPLATE} strategy file_copy`);
    return { databaseUrl: this.#url(name) };
  }

  /** Closes the remaining connections and drops the database. */
  async drop({ databaseUrl }) {
    await this.#administer(`drop database if exists ${new URL(databaseUrl).pathname.slice(1)} with (force)`);
    return {};
  }

  /** Starts a primary server that contains only the template, and a standby. */
  async replicated() {
    const primary = await startPrimary();
    const primaryId = this.#adopt(primary);
    await makeTemplate({ url: primary.url, administer: (statement) => this.#administer(statement, primary.url()) });
    const standby = await startStandby(primary);
    return {
      primaryId,
      standbyId: this.#adopt(standby),
      databaseUrl: primary.url(TEMPLATE),
      standbyUrl: standby.url(TEMPLATE),
    };
  }

  /** Starts a core with its own settings. */
  core({ databaseUrl, settings }) {
    return this.#start('core', {
      DATABASE_URL: coreDatabaseUrl(databaseUrl, process.env.STRATA_TEST_CORE_PASSWORD),
      STRATA_ROOT_KEY: process.env.STRATA_TEST_ROOT_KEY,
      STRATA_CHECKPOINT_KEY: Buffer.alloc(32, 'checkpoint').toString('base64'),
      STRATA_LOG_LEVEL: 'silent',
      STRATA_SLACK_API_URL: NO_CHAT,
      STRATA_WORKLOAD_ISSUERS: WORKLOAD_ISSUER,
      STRATA_PORT: '0',
      // this PostgreSQL does not flush to disk, which a core otherwise rejects
      STRATA_UNSAFE_DATABASE: 'true',
      ...settings,
    });
  }

  /**
   * Returns the core that all files of a worker share, one after the other. Its owner stays signed in for the next
   * minutes.
   */
  async sharedCore({ worker }) {
    const core = await this.#once(`core ${worker}`, async () => {
      const { databaseUrl } = await this.database({});
      return { databaseUrl, signedInAt: 0, ...(await this.core({ databaseUrl })) };
    });
    if (core.signedInAt < Date.now() - SESSION_MS) {
      Object.assign(core, { ownerAuthorization: await signIn(core.origin), signedInAt: Date.now() });
    }
    return core;
  }

  /** Builds and serves the console only if the settings request it, because most files do not need it. */
  async gateway({ coreOrigin, settings = {} }) {
    const hasConsole = settings.STRATA_CONSOLE === 'on';
    if (hasConsole) await this.build({ apps: ['console'] });
    return this.#start('gateway', {
      STRATA_CONSOLE: 'off',
      ...(hasConsole && { STRATA_SESSION_KEY: randomBytes(32).toString('base64') }),
      STRATA_CORE_URL: coreOrigin,
      STRATA_GATEWAY_PORT: '0',
      ...settings,
    });
  }

  /** Returns a gateway on the core that the files of a worker share. There is one for each combination of settings. */
  async sharedGateway({ worker, settings = {} }) {
    const core = await this.sharedCore({ worker });
    const key = `gateway ${core.id} ${JSON.stringify(settings)}`;
    return this.#once(key, () => this.gateway({ coreOrigin: core.origin, settings }));
  }

  /** Returns the origin of the stand-in for AWS that all files share, or why there is none. Tests use their own accounts. */
  async moto() {
    const awsProgram = AWS_PROGRAMS[process.env.STRATA_TEST_AWS ?? 'moto'];
    this.#moto ??= installPythonProgram('python', awsProgram.package);
    const { program, missing } = await this.#moto;
    if (missing !== null) return { missing };
    return this.#once('moto', () => {
      const child = spawn(program, awsProgram.arguments, {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, ...awsProgram.settings },
      });
      const { id, ended } = this.#register(child);
      return new Promise((resolve, reject) => {
        let output = '';
        child.stderr.on('data', (data) => {
          output = `${output}${data}`.slice(-2_000);
          const [, origin] = /Running on (http:\/\/127\.0\.0\.1:\d+)/.exec(output) ?? [];
          if (origin) resolve({ id, origin });
        });
        child.once('error', reject);
        void ended.then((end) => reject(new Error(`${awsProgram.package} did not start (${end}): ${output}`)));
      });
    });
  }

  async end({ id }) {
    const service = this.#services.get(id);
    service?.child.kill('SIGTERM');
    await service?.ended;
    return {};
  }

  async endAll() {
    const fallen = await this.#fallen();
    for (const { child } of this.#services.values()) child.kill('SIGKILL');
    await Promise.all([...this.#services.values()].map(({ ended }) => ended));
    if (fallen.length > 0) throw new Error(`Nobody asked for the end of the shared ${fallen.join(' and ')}`);
  }

  /**
   * If the creation failed, the next file tries again. If the process ended later, all files get its error, and it is
   * not replaced.
   */
  async #once(key, make) {
    if (!this.#shared.has(key)) this.#shared.set(key, make());
    const shared = await this.#shared.get(key).catch((error) => {
      this.#shared.delete(key);
      throw error;
    });
    if (!this.#services.has(shared.id)) throw new Error(`The shared ${key} has fallen over in an earlier file`);
    return shared;
  }

  /** Returns the shared resources whose process has ended. They should run until the end of the run. */
  async #fallen() {
    const shared = await Promise.allSettled(
      this.#shared.entries().map(async ([key, resource]) => [key, (await resource).id]),
    );
    return shared.flatMap(({ value: [key, id] = [] }) => (id && !this.#services.has(id) ? [key] : []));
  }

  /** Starts a service that ends when its channel to this process closes. */
  async #start(app, settings) {
    await this.build({ apps: [app] });
    const child = fork(path.join(root, 'apps', app, 'dist', 'main.js'), {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        STRATA_GRACE_SECONDS: '0',
        ...settings,
      },
      execArgv: [...nodeArguments(settings), QUICK_START],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const { id, ended } = this.#register(child);
    let output = '';
    child.stderr.on('data', (data) => (output += data));
    const origin = await new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('error', reject);
      void ended.then((end) => reject(new Error(`${app} did not start (${end}): ${output}`)));
    });
    // Any further output is the report of a crash.
    child.stderr.pipe(process.stderr);
    return { id, origin };
  }

  #register(child) {
    const id = randomUUID();
    const whenEnded = new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));
    this.#services.set(id, { child, ended: whenEnded });
    void whenEnded.then(() => this.#services.delete(id));
    return { id, ended: whenEnded };
  }

  /** Registers a PostgreSQL, so that it ends with the run. */
  #adopt(server) {
    const id = randomUUID();
    this.#services.set(id, { child: { kill: () => void server.stop() }, ended: server.exited });
    void server.exited.then(() => this.#services.delete(id));
    return id;
  }

  async #administer(statement, connectionString = this.#url()) {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }
}

/** Signs the owner in once per core, because the password hash is deliberately slow. */
async function signIn(origin) {
  const { STRATA_TEST_OWNER_EMAIL: email, STRATA_TEST_OWNER_PASSWORD: password } = process.env;
  const response = await fetch(`${origin}/api/v1/auth/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { access_token: token } = await response.json();
  return `Bearer ${token}`;
}

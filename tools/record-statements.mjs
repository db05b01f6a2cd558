// Records the statements that the core of a release sends to its database while it writes and reads. A test replays
// them beside the current core (apps/core/src/platform/postgres/release-before.http-spec.ts). Run it with the core of
// the release before: node tools/record-statements.mjs apps/core/dist/main.js >
// apps/core/src/testing/release-before.json
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort, nodeArguments, startPostgres } from '../libs/processes/src/index.ts';

const [main] = process.argv.slice(2);
if (!main) throw new Error('Which main.js? See the first lines of this file.');
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-record-'));
/** A number that differs from every other number of a recording, including settings. */
const FIRST_REVISION = 7_531_000;
const API_KEY = `recorder.${randomBytes(32).toString('base64url')}`;

/** Parses the messages that a PostgreSQL client sends (the frontend's part of protocol 3.0). */
class Listener {
  #rest = Buffer.alloc(0);
  #begun = false;
  #statements = new Map();

  constructor(hear) {
    this.hear = hear;
  }

  read(data) {
    this.#rest = Buffer.concat([this.#rest, data]);
    for (let message = this.#next(); message; message = this.#next()) this.#take(message);
  }

  /** The first message has no type byte. */
  #next() {
    const head = this.#begun ? 1 : 0;
    if (this.#rest.length < head + 4) return null;
    const length = head + this.#rest.readInt32BE(head);
    if (this.#rest.length < length) return null;
    const message = {
      type: head ? String.fromCharCode(this.#rest[0]) : '',
      body: this.#rest.subarray(head + 4, length),
    };
    this.#rest = this.#rest.subarray(length);
    this.#begun = true;
    return message;
  }

  #take({ type, body }) {
    const [first = '', second = ''] = body.toString().split('\0');
    if (type === 'Q') this.hear(first, []);
    if (type === 'P') this.#statements.set(first, second);
    if (type === 'B') this.hear(this.#statements.get(second), parseBind(body));
  }
}

/** Returns the parameters of a Bind message: texts, bytes as base64, and null. */
function parseBind(body) {
  let at = body.indexOf(0, body.indexOf(0) + 1) + 1;
  const take = (length) => {
    at += length;
    return body.subarray(at - length, at);
  };
  const short = () => take(2).readInt16BE();
  const formats = Array.from({ length: short() }, short);
  return Array.from({ length: short() }, (_, index) => {
    const length = take(4).readInt32BE();
    if (length < 0) return null;
    const bytes = take(length);
    const isBinary = (formats.length === 1 ? formats[0] : formats[index]) === 1;
    return isBinary ? { base64: bytes.toString('base64') } : bytes.toString();
  });
}

/** A proxy to the database that records everything. */
async function listeningProxy(target, hear) {
  const proxy = net.createServer((client) => {
    const server = net.connect(Number(target.port), target.hostname);
    const listener = new Listener((text, values) => hear(text, values, listener));
    client.on('data', (data) => {
      server.write(data);
      listener.read(data);
    });
    server.on('data', (data) => client.write(data));
    for (const [socket, peer] of [
      [client, server],
      [server, client],
    ])
      socket.on('error', () => {}).on('close', () => peer.destroy());
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(target);
  url.host = `127.0.0.1:${proxy.address().port}`;
  return url.href;
}

const run = (args, settings) =>
  spawn(process.execPath, [...nodeArguments(), path.resolve(main), ...args], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: 'inherit',
  });

/** Sends writes of every kind, and reads the results in between. Later writes use the objects of earlier ones. */
async function writesAndReads(call, step, read) {
  const [root] = (await call('GET', 'environments/?name=default')).results;
  const project = await step('a project is made', () => call('POST', 'projects/', { name: 'recorded' }));
  const inProject = (rest) => `${project.url}${rest}`;
  const parameter = await step('a parameter is made', () => call('POST', inProject('parameters/'), { name: 'P' }));
  const value = await step('a value is made', () =>
    call('POST', `${parameter.url}values/`, { environment: root.url, internal_value: 'first' }),
  );
  await step('a value is changed', () => call('PATCH', value.url, { internal_value: 'second' }));
  await step('a value is changed with a key', () =>
    call('PATCH', value.url, { internal_value: 'third' }, { 'idempotency-key': 'recorded' }),
  );
  await read('a value', value.url, 'third');
  await read('values of a parameter', `${parameter.url}values/`, 'third');
  await read('a list of parameters', inProject('parameters/?environment=default'), 'third');
  await read('an effective configuration', inProject('effective/?environment=default'), 'third');
  await read(
    'an effective configuration of then',
    inProject(`effective/?environment=default&revision=${FIRST_REVISION + 3}`),
    'first',
  );
  await step('a parameter is renamed', () => call('PATCH', parameter.url, { name: 'Q' }));
  const environment = await step('an environment is made', () => call('POST', 'environments/', { name: 'recorded' }));
  await step('a template is made', () => call('POST', inProject('templates/'), { name: 't', body: '{{ Q }}' }));
  await read('templates, rendered', inProject('templates/?environment=default&evaluate=true'), '{{ Q }}');
  await step('a group is made', () => call('POST', 'groups/', { name: 'recorded', users: [] }));
  const otherParameter = await step('another parameter is made', () =>
    call('POST', inProject('parameters/'), { name: 'R' }),
  );
  const body = 'Q=imported\nNEW=1';
  await step('texts are imported', () =>
    call('POST', 'import/', { project: 'recorded', environment: 'recorded', body, secrets: [], ignore: [] }),
  );
  await step('a parameter is deleted', () => call('DELETE', otherParameter.url));
  await read('an export', inProject('parameter-export/?output=dotenv&environment=recorded'), 'imported');
  await step('an environment is deleted', () => call('DELETE', environment.url));
  await read('projects', 'projects/?name=recorded', 'recorded');
  await read('one project', project.url, 'recorded');
  await read('environments', 'environments/', 'default');
  await read('groups', 'groups/', 'recorded');
  await read('events', `events/?after=&limit=500`, 'recorded');
  await read('the timeline of a project', inProject('parameters/timelines/'), 'Q');
  await read('the audit trail', 'audit/', 'recorded');
}

async function record(url, core) {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query('update organization_head set revision = $1', [FIRST_REVISION]);
  const { rows } = await owner.query(
    `select membership.organization_id as organization, membership.person_id as person, environment.id as environment,
            parameter_type.id as string
       from api_key
       join membership on membership.organization_id = api_key.organization_id and membership.person_id = api_key.person_id
       join environment on environment.organization_id = membership.organization_id and environment.parent_id is null
       join parameter_type on parameter_type.organization_id = membership.organization_id and parameter_type.name = 'string'
        and parameter_type.parent_id is null`,
  );
  await owner.end();
  const steps = [];
  const headers = { authorization: `Api-Key ${API_KEY}`, 'content-type': 'application/json' };
  const call = async (method, link, body, more = {}) => {
    const response = await fetch(new URL(link, `${core}/api/v1/`), {
      method,
      headers: { ...headers, ...more },
      body: body && JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${link}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? null : response.json();
  };
  /** Waits after each request, so that its later statements are not recorded with the next request. */
  const hear = async (request) => {
    queries.length = 0;
    const result = await request();
    const statements = [...queries];
    await sleep(1_500);
    return { result, statements };
  };
  await writesAndReads(
    call,
    async (name, write) => {
      const { result, statements } = await hear(write);
      steps.push({ name, statements: named(findTransaction(statements), rows[0]) });
      return result;
    },
    async (what, path, tells) => {
      const { statements } = await hear(() => call('GET', path));
      const reads = statements.filter(
        ({ text }) => /^\s*(with|select)\b/i.test(text) && !text.includes('graphile_worker'),
      );
      steps.push({ name: `${what}: read`, tells, statements: named(reads, rows[0]) });
    },
  );
  return steps;
}

/**
 * Returns the statements from BEGIN to COMMIT on the connection that locked the organization's head. The job queue has
 * separate transactions.
 */
function findTransaction(statements) {
  for (const connection of new Set(statements.map((statement) => statement.connection))) {
    const connectionStatements = statements.filter((statement) => statement.connection === connection);
    const from = connectionStatements.findIndex(
      ({ text }, at) => text === 'begin' && connectionStatements[at + 1]?.text.includes('organization_head'),
    );
    const to = connectionStatements.findIndex(({ text }, at) => text === 'commit' && at > from);
    if (from >= 0) return connectionStatements.slice(from + 1, to);
  }
  throw new Error('Nothing was written.');
}

/** Replaces ids and times, which differ in every database, with placeholders. */
function named(statements, ids) {
  const placeholders = Object.entries(ids).map(([word, id]) => [id, `{{${word}}}`]);
  const wordsIn = (value) => {
    if (typeof value !== 'string') return value;
    const text = placeholders.reduce((all, [id, word]) => all.replaceAll(id, word), value);
    return text
      .replace(/\b7531(\d\d\d)\b/g, (_, number) => `{{revision:${Number(number)}}}`)
      .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, '{{at}}');
  };
  return statements.map(({ text, values }) => ({ text, values: values.map(wordsIn) }));
}

const queries = [];
const postgres = await startPostgres({
  dataDir: path.join(directory, 'data'),
  password: 'recorder',
  durable: false,
  port: await findFreePort(),
  removeOnEnd: directory,
});
const target = new URL(postgres.url());
const through = await listeningProxy(target, (text, values, connection) => queries.push({ text, values, connection }));
const port = await findFreePort();
const settings = {
  DATABASE_URL: through,
  STRATA_UNSAFE_DATABASE: 'true',
  STRATA_ROOT_KEY: randomBytes(32).toString('base64'),
  STRATA_PORT: String(port),
  STRATA_LOG_LEVEL: 'error',
  STRATA_BOOTSTRAP_PASSWORD: randomBytes(12).toString('hex'),
  STRATA_BOOTSTRAP_API_KEY: API_KEY,
};
await once(run(['migrate'], settings), 'close');
const core = run([], settings);
const origin = `http://127.0.0.1:${port}`;
while (
  !(await fetch(`${origin}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  ))
)
  await sleep(100);
const steps = await record(target.href, origin);
const texts = [...new Set(steps.flatMap(({ statements }) => statements.map(({ text }) => text)))];
const recorded = steps.map(({ name, tells, statements }) => ({
  name,
  ...(tells && { tells }),
  statements: statements.map(({ text, values }) => [texts.indexOf(text), values]),
}));
process.stdout.write(`${JSON.stringify({ texts, steps: recorded }, null, 1)}\n`);
core.kill('SIGTERM');
await once(core, 'close');
await postgres.stop();
process.exit(0);

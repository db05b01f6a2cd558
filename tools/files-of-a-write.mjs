// npm run files-of-a-write: lists our files and functions that run during one warm PATCH of a value.
// A core runs in this process on its own PostgreSQL, and V8 counts calls. Background work is left out.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import inspector from 'node:inspector/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { onEnd } from '../libs/processes/src/lifetime.mjs';
import { findSource } from './built-sources.mjs';
import { ensure, root } from './ensure.mjs';
import { countCalls, onlyOfWrites } from './function-calls.mjs';

const HELP = `Usage: npm run files-of-a-write -- [--json]

Prints each file of apps/core/src and libs/*/src of which functions run during one warm PATCH of a value, by folder, with the
functions in the order of the file and how often each ran. --json prints the same for programs.`;

const WARM_WRITES = 200;
/** Each write changes another value than the previous one. */
const VALUES = 10;
/**
 * The number of writes. A function counts if it ran in each of their intervals more often than in any interval without
 * a write.
 */
const WINDOWS = 5;
/** Long enough for the work that a write causes after its response, and for most recurring work. */
const WINDOW_MS = 600;
/** Long enough for the work that follows a response, and short enough for the credential to stay cached. */
const AFTERMATH_MS = 100;

const { values: options } = parseArgs({ options: { json: { type: 'boolean' }, help: { type: 'boolean' } } });
if (options.help) {
  console.log(HELP);
  process.exit(0);
}
await ensure();
const { buildApps } = await import('./build-apps.mjs');
const { startPostgres } = await import('../libs/processes/src/index.ts');
const { Connection, requestBytes } = await import('./bench/http-load.mjs');
const { connect } = await import('./seed/client.mjs');

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-files-'));
// PostgreSQL may run as another user, who must be able to enter the directory.
fs.chmodSync(directory, 0o711);
let postgres;
let core;
let ending;
function end(code) {
  ending ??= (async () => {
    await core?.close();
    await postgres?.stop();
    fs.rmSync(directory, { recursive: true, force: true });
    process.exit(code);
  })();
  return ending;
}
onEnd(() => void end(1));

try {
  const say = (line) => console.error(line);
  await buildApps(['core', 'cli'], say);
  const password = randomBytes(24).toString('base64url');
  postgres = await startPostgres({ dataDir: path.join(directory, 'postgres'), password, removeOnEnd: directory });
  const settings = createSettings(postgres.url());
  const { runOnce } = await import(path.join(root, 'apps/cli/build/index.js'));
  await runOnce('core', ['migrate'], { env: { ...inherited(), ...settings }, logDir: directory });
  const counting = await startCounting();
  const { createCore, readEnv } = await import(pathToFileURL(path.join(root, 'apps/core/build/index.js')).href);
  core = await createCore(readEnv(settings));
  const origin = await core.listen(0, '127.0.0.1');
  const counted = await count(await createWriter(origin, settings.STRATA_BOOTSTRAP_API_KEY), counting, say);
  counting.stop();
  if (options.json) console.log(JSON.stringify(counted, undefined, 2));
  else console.log(render(counted));
  await end(0);
} catch (error) {
  if (!ending) console.error(error.message);
  await end(1);
}

function inherited() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('STRATA_') && name !== 'NODE_OPTIONS'),
  );
}

/** Returns the settings that `npm start` would use, except that the end of the database is not logged. */
function createSettings(databaseUrl) {
  return {
    DATABASE_URL: databaseUrl,
    STRATA_HOST: '127.0.0.1',
    STRATA_PORT: '0',
    STRATA_ROOT_KEY: randomBytes(32).toString('base64'),
    STRATA_BOOTSTRAP_API_KEY: `${randomBytes(4).toString('hex')}.${randomBytes(32).toString('base64url')}`,
    STRATA_BOOTSTRAP_EMAIL: 'owner@strata.local',
    STRATA_BOOTSTRAP_PASSWORD: randomBytes(18).toString('base64url'),
    STRATA_LOG_LEVEL: 'error',
  };
}

/** Creates some values. Returns a function that changes one of them per call, in turn. */
async function createWriter(origin, apiKey) {
  const api = connect(origin, apiKey);
  const [environment] = await api.all('/api/v1/environments/');
  const project = await api.post('/api/v1/projects/', { name: 'shop' });
  const parameters = `/api/v1/projects/${project.id}/parameters/`;
  const paths = [];
  for (let number = 1; number <= VALUES; number += 1) {
    const parameter = await api.post(parameters, { name: `DATABASE_URL_${number}` });
    const values = `${parameters}${parameter.id}/values/`;
    const { id } = await api.post(values, { environment: environment.id, internal_value: 'postgres://shop' });
    paths.push(`${values}${id}/`);
  }
  const { host, port } = new URL(origin);
  const connection = await Connection.open(Number(port));
  const headers = { authorization: `Api-Key ${apiKey}` };
  let writes = 0;
  return async () => {
    const body = { internal_value: `postgres://shop-${++writes}` };
    const request = requestBytes('PATCH', paths[writes % VALUES], { host, headers, body });
    const { status, head } = await connection.ask(request);
    if (status !== 200) throw new Error(`The write was rejected:\n${head}`);
  };
}

/** Counts calls from before the core is loaded, because a function that was compiled earlier might not be counted. */
async function startCounting() {
  const session = new inspector.Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    /** Returns the calls since the previous call. */
    take: async () => countCalls((await session.post('Profiler.takePreciseCoverage')).result, findSource),
    stop: () => session.disconnect(),
  };
}

async function count(write, { take }, say) {
  say('Warming up …');
  for (let done = 0; done < WARM_WRITES; done += 1) await write();
  await sleep(WINDOW_MS);
  await take();
  say('Counting …');
  const [untilAnswer, whole, idle] = [[], [], []];
  for (let window = 0; window < WINDOWS; window += 1) {
    await sleep(WINDOW_MS);
    idle.push(await take());
    // The credential was checked a moment ago, as that of a program that writes one value after the other.
    await write();
    await sleep(AFTERMATH_MS);
    await take();
    await write();
    const before = await take();
    await sleep(WINDOW_MS);
    untilAnswer.push(before);
    whole.push(sum(before, await take()));
  }
  return { untilAnswer: onlyOfWrites(untilAnswer, idle), whole: onlyOfWrites(whole, idle) };
}

function sum(left, right) {
  const total = new Map(left);
  for (const [key, entry] of right) total.set(key, { ...entry, calls: entry.calls + (total.get(key)?.calls ?? 0) });
  return total;
}

function render({ untilAnswer, whole }) {
  const early = new Set(untilAnswer.map(({ file }) => file));
  const lines = whole.flatMap(({ file, functions }) => [
    `${file}${early.has(file) ? '' : '   (after the answer)'}`,
    ...functions.map(({ line, name, calls }) => `  ${String(line).padStart(4)}  ${name || '(anonymous)'}  ${calls}×`),
  ]);
  const functions = whole.reduce((all, file) => all + file.functions.length, 0);
  const later = whole.length - whole.filter(({ file }) => early.has(file)).length;
  lines.push(
    '',
    `A warm PATCH of a value executes ${functions} functions of ${whole.length} files of ours` +
      ` (${whole.length - later} until the answer, ${later} only after it).`,
  );
  return lines.join('\n');
}

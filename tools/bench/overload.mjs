// npm run bench -- --overload: measures how one organization is affected while another one sends as many requests as it
// can.
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../seed/client.mjs';
import { Connection } from './http-load.mjs';
import { rssOf } from './processes.mjs';
import { api } from './subjects.mjs';

const PARAMETERS = 1_900;
const ENVIRONMENTS = ['default', 'development', 'staging', 'production', 'fifth', 'sixth'];
const CLIENTS = 60;
const QUIET_MS = 10_000;
const LOAD_MS = 20_000;
/** The time until all clients of the overload have started. */
const SETTLE_MS = 2_000;
const PAUSE_MS = 10;
const RETRY_MS = 200;
const MEMORY_LOOK_MS = 50;

/** The maximum latency of the small organization: twice its latency without load, plus this. */
export const ALLOWANCE_MS = 50;

async function post(url, path, body, authorization) {
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
  const answer = await fetch(`${url}/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${text.slice(0, 200)}`);
  return JSON.parse(text);
}

/** Creates an organization, and an API key of a service account in it. */
async function organization(url, env, name) {
  const credentials = { email: env.STRATA_BOOTSTRAP_EMAIL, password: env.STRATA_BOOTSTRAP_PASSWORD };
  const first = await post(url, 'auth/token/', credentials);
  const { id } = await post(url, 'organizations/', { name }, `Bearer ${first.access_token}`);
  const own = await post(url, 'auth/token/', { organization: id }, `Bearer ${first.access_token}`);
  const account = await post(url, 'serviceaccounts/', { name, role: 'OWNER' }, `Bearer ${own.access_token}`);
  return account.apikey;
}

async function largeList(url, apiKey) {
  const authorization = `Api-Key ${apiKey}`;
  for (const name of ENVIRONMENTS.slice(4)) await post(url, 'environments/', { name }, authorization);
  for (const environment of ENVIRONMENTS) {
    const lines = Array.from({ length: PARAMETERS }, (_, n) => `PARAMETER_${n}=${environment} ${'text '.repeat(20)}`);
    const input = { project: 'large', environment, body: lines.join('\n'), secrets: [], ignore: [] };
    await post(url, 'import/', input, authorization);
  }
  const { results } = await connect(url, apiKey).get('/api/v1/projects/?name=large');
  return `/api/v1/projects/${results[0].id}/parameters/?page_size=2500`;
}

/** Creates a small project. Returns requests for it: three reads and a write. */
async function neighbour(url, apiKey) {
  const client = connect(url, apiKey);
  const project = await client.post('/api/v1/projects/', { name: 'small' });
  const home = `/api/v1/projects/${project.id}`;
  const environments = await client.get('/api/v1/environments/?name=default');
  let value;
  for (let n = 0; n < 20; n += 1) {
    const parameter = await client.post(`${home}/parameters/`, { name: `P${n}` });
    const input = { environment: environments.results[0].url, internal_value: 'text' };
    value = await client.post(`${home}/parameters/${parameter.id}/values/`, input);
  }
  const core = api(url, apiKey);
  const path = new URL(value.url).pathname;
  return {
    port: core.port,
    reads: ['effective/?environment=default', 'parameters/', 'parameters/?as_of=2999-01-01'].map((tail) =>
      core.bytes('GET', `${home}/${tail}`),
    ),
    write: (n) => core.bytes('PATCH', path, { internal_value: `text ${n}` }),
  };
}

/** Returns the milliseconds of each read and each write, sent one after the other. */
async function measure({ port, reads, write }, ms) {
  const connection = await Connection.open(port);
  const waits = { read: [], write: [], refused: 0 };
  const until = performance.now() + ms;
  for (let n = 0; performance.now() < until; n += 1) {
    for (const request of [...reads, write(n)]) {
      const asked = performance.now();
      const { status } = await connection.ask(request);
      if (status !== 200) waits.refused += 1;
      else waits[reads.includes(request) ? 'read' : 'write'].push(performance.now() - asked);
    }
    await sleep(PAUSE_MS);
  }
  connection.close();
  return { read: summary(waits.read), write: summary(waits.write), refused: waits.refused };
}

function summary(waits) {
  const sorted = waits.toSorted((left, right) => left - right);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: sorted.at(-1) };
}

/** Sends requests until it is stopped. Resolves with the count of each status. */
async function heavyClient(url, path, apiKey, isOver) {
  const statuses = {};
  while (!isOver()) {
    const status = await new Promise((resolve) => {
      const headers = { authorization: `Api-Key ${apiKey}` };
      const request = http.get(url + path, { headers, agent: false }, (response) => {
        response.on('end', () => resolve(response.statusCode));
        response.on('error', () => resolve(0));
        response.resume();
      });
      request.on('error', () => resolve(0));
    });
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status !== 200) await sleep(RETRY_MS);
  }
  return statuses;
}

/**
 * Measures the latency of a small organization, alone and beside sixty clients of another one that request its largest
 * list.
 */
export async function measureOverload(stage, say) {
  const { core } = await stage.startServices();
  const url = stage.env.STRATA_CORE_URL;
  say(`Making a project of ${PARAMETERS} parameters with values in ${ENVIRONMENTS.length} environments`);
  const apiKeys = {
    heavy: await organization(url, stage.env, 'heavy'),
    small: await organization(url, stage.env, 'small'),
  };
  const list = await largeList(url, apiKeys.heavy);
  const small = await neighbour(url, apiKeys.small);
  await measure(small, SETTLE_MS);
  say('Measuring when all is quiet …');
  const quiet = await measure(small, QUIET_MS);
  say(`Measuring beside ${CLIENTS} clients …`);
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, () => heavyClient(url, list, apiKeys.heavy, () => isOver));
  let memory = 0;
  const looking = setInterval(() => (memory = Math.max(memory, rssOf(core.pid))), MEMORY_LOOK_MS);
  await sleep(SETTLE_MS);
  const loaded = await measure(small, LOAD_MS);
  isOver = true;
  clearInterval(looking);
  const answers = {};
  for (const statuses of await Promise.all(clients)) {
    for (const [status, count] of Object.entries(statuses)) answers[status] = (answers[status] ?? 0) + count;
  }
  return { quiet, loaded, answers, memory };
}

export function renderOverload({ quiet, loaded, answers, memory }) {
  const line = (name, { read, write, refused }) =>
    `${name.padEnd(26)}${[read.p50, read.p99, read.max, write.p50, write.p99, write.max].map((ms) => ms.toFixed(1).padStart(9)).join('')}${String(refused).padStart(9)}`;
  const allowed = (kind) => 2 * quiet[kind].p99 + ALLOWANCE_MS;
  const verdict = (kind) => (loaded[kind].p99 <= allowed(kind) ? 'kept' : 'MISSED');
  return [
    `ms${' '.repeat(24)} read p50      p99      max write p50      p99      max  refused`,
    line('alone', quiet),
    line(`beside ${CLIENTS} heavy clients`, loaded),
    `Aim: p99 of reads at most ${allowed('read').toFixed(0)} ms: ${verdict('read')}; of writes ${allowed('write').toFixed(0)} ms: ${verdict('write')}`,
    `The heavy clients were answered ${JSON.stringify(answers)}; the core held ${memory.toFixed(0)} MB at most.`,
  ].join('\n');
}

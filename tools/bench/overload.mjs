// npm run bench -- --overload: measures how one organization is affected while another one sends as many requests as it
// can.
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../seed/client.mjs';
import { longestBlock } from './hostile.mjs';
import { Connection } from './http-load.mjs';
import { readResidentMemory } from './processes.mjs';
import { api } from './subjects.mjs';

const PARAMETERS = 1_900;
const ENVIRONMENTS = ['default', 'development', 'staging', 'production', 'fifth', 'sixth'];
const CLIENTS = 60;
const QUIET_MS = 4_000;
const LOAD_MS = 8_000;
/** The time until all clients of the overload have started. */
const SETTLE_MS = 2_000;
const PAUSE_MS = 10;
const RETRY_MS = 200;
const MEMORY_LOOK_MS = 50;
const READINESS_EVERY_MS = 100;
const PLANNED = 900;
/** A valid body that the validation rejects, with a finding for each item. */
const REJECTED_BODY = JSON.stringify({ operations: Array(19_000).fill({ unknown: 'x'.repeat(30) }) }).slice(
  0,
  1_048_000,
);

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
  const token = await post(url, 'auth/token/', { organization: id }, `Bearer ${first.access_token}`);
  const account = await post(url, 'serviceaccounts/', { name, role: 'OWNER' }, `Bearer ${token.access_token}`);
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
  const waits = { read: [], write: [], failed: 0 };
  const until = performance.now() + ms;
  for (let n = 0; performance.now() < until; n += 1) {
    for (const request of [...reads, write(n)]) {
      const startedAt = performance.now();
      const { status } = await connection.ask(request);
      if (status !== 200) waits.failed += 1;
      else waits[reads.includes(request) ? 'read' : 'write'].push(performance.now() - startedAt);
    }
    await sleep(PAUSE_MS);
  }
  connection.close();
  return { read: summary(waits.read), write: summary(waits.write), failed: waits.failed };
}

function summary(waits) {
  const sorted = waits.toSorted((left, right) => left - right);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: sorted.at(-1) };
}

/** Sends one request. Resolves with its status, or 0 if the connection broke. */
function send(url, { method = 'GET', path, body }, apiKey) {
  return new Promise((resolve) => {
    const headers = { authorization: `Api-Key ${apiKey}`, ...(body && { 'content-type': 'application/json' }) };
    const request = http.request(url + path, { method, headers, agent: false }, (response) => {
      response.on('end', () => resolve(response.statusCode));
      response.on('error', () => resolve(0));
      response.resume();
    });
    request.on('error', () => resolve(0));
    request.end(body);
  });
}

/** Sends a request repeatedly until it is stopped. Counts the statuses. */
async function heavyClient(url, request, apiKey, { isOver, statuses }) {
  while (!isOver()) {
    const status = await send(url, request, apiKey);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status !== 200) await sleep(RETRY_MS);
  }
}

/** Requests `/readyz` until it is stopped. Resolves with the longest time in milliseconds. */
async function longestReadiness(url, isOver) {
  let longest = 0;
  while (!isOver()) {
    const startedAt = performance.now();
    const { ok } = await fetch(`${url}/readyz`);
    longest = Math.max(longest, ok ? performance.now() - startedAt : Infinity);
    await sleep(READINESS_EVERY_MS);
  }
  return longest;
}

/** The requests that cost most, by kind. */
function heavyRequests(list, environments) {
  const all = environments.map(({ name }) => `environment=${name}`).join('&');
  const home = list.slice(0, list.indexOf('parameters/'));
  const plan = (operations) => ({
    method: 'POST',
    path: '/api/v1/changesets/plan/',
    body: JSON.stringify({ operations }),
  });
  const values = Object.fromEntries(Array.from({ length: PLANNED }, (_, n) => [`PARAMETER_${n}`, 'planned']));
  return {
    'list of 38 MB': { path: list },
    matrix: { path: `${home}matrix/?${all}&page_size=500` },
    [`plan of ${PLANNED} values`]: plan([{ set: { project: 'large', environment: 'staging', values } }]),
    backup: { method: 'POST', path: '/api/v1/backup/snapshot/', body: '{}' },
    'effective in all environments': { path: `/api/v1/effective/?project=large&${all}` },
    'search for a pattern': { path: '/api/v1/search/?match=regex&q=t.*xt%20PARAM' },
    lint: { path: '/api/v1/lint/?page_size=500' },
    'rejected body of 1 MB': { method: 'POST', path: '/api/v1/changesets/plan/', body: REJECTED_BODY },
  };
}

/** Measures the small organization beside all clients, which send one kind of request. */
async function beside({ url, core, apiKeys, small }, request) {
  const probe = await send(url, request, apiKeys.heavy);
  await longestBlock(core);
  let isOver = false;
  const statuses = {};
  const over = () => isOver;
  const clients = Array.from({ length: CLIENTS }, () =>
    heavyClient(url, request, apiKeys.heavy, { isOver: over, statuses }),
  );
  const readiness = longestReadiness(url, over);
  let memory = 0;
  const looking = setInterval(() => (memory = Math.max(memory, readResidentMemory(core.pid))), MEMORY_LOOK_MS);
  await sleep(SETTLE_MS);
  const loaded = await measure(small, LOAD_MS);
  isOver = true;
  clearInterval(looking);
  const row = { ...loaded, readyMs: await readiness, probe, statuses, memory };
  await Promise.all(clients);
  return { ...row, blockMs: await longestBlock(core) };
}

/**
 * Measures the latency of a small organization, alone and beside sixty clients of another one that send expensive
 * requests, one kind after the other. It is measured alone before each kind, because the load of the machine changes.
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
  const environments = await connect(url, apiKeys.heavy).all('/api/v1/environments/');
  const small = await neighbour(url, apiKeys.small);
  await measure(small, SETTLE_MS);
  const rows = {};
  for (const [kind, request] of Object.entries(heavyRequests(list, environments))) {
    say(`Measuring beside ${CLIENTS} clients: ${kind} …`);
    const quiet = await measure(small, QUIET_MS);
    rows[kind] = { quiet, loaded: await beside({ url, core, apiKeys, small }, request) };
    await sleep(SETTLE_MS);
  }
  return rows;
}

export function renderOverload(rows) {
  const cells = (all) => all.map((ms) => ms.toFixed(1).padStart(9)).join('');
  const times = ({ read, write }) => cells([read.p50, read.p99, read.max, write.p50, write.p99, write.max]);
  const allowed = (quiet, kind) => 2 * quiet[kind].p99 + ALLOWANCE_MS;
  const result = ({ quiet, loaded }, kind) =>
    `${kind}s ${loaded[kind].p99 <= allowed(quiet, kind) ? 'met' : 'MISSED'} (${allowed(quiet, kind).toFixed(0)} ms)`;
  const lines = ([kind, row]) => [
    `${'alone'.padEnd(28)}${times(row.quiet)}`,
    `${kind.padEnd(28)}${times(row.loaded)}${cells([row.loaded.readyMs, row.loaded.blockMs])}`,
    `  ${result(row, 'read')}, ${result(row, 'write')}; ${row.loaded.memory.toFixed(0)} MB; alone it returns ` +
      `${row.loaded.probe}, beside others ${JSON.stringify(row.loaded.statuses)}; ${row.loaded.failed} neighbour requests failed`,
  ];
  return [
    `ms beside ${CLIENTS} heavy clients`.padEnd(28) +
      ' read p50      p99      max      w p50    p99      max   readyz    turn',
    ...Object.entries(rows).flatMap(lines),
  ].join('\n');
}

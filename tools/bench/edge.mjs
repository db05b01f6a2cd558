// npm run bench -- --edge: the memory of an idle edge, its start without the core, the rate of one value beside a bare
// server that returns the same bytes from memory, and the memory of 10,000 streams.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../libs/processes/src/index.ts';
import { root } from '../ensure.mjs';
import { load } from './configuration.mjs';
import { measure, percentile } from './measure.mjs';
import { readResidentMemory } from './processes.mjs';
import { api } from './subjects.mjs';

const ENVIRONMENT = 'production';
const STREAMS = 10_000;
const OPENED_AT_A_TIME = 100;
const STARTS = 5;
const SETTLE_MS = 15_000;
const AIMS = { idleMiB: 80, startMs: 1_000, ratio: 0.8, kBEach: 20 };
const PLAN = { rounds: 6, sliceMs: 1_000, warmMs: 3_000, phaseMs: 40_000 };

/** Returns the same bytes from memory for every request. */
const BARE = `
import Fastify from 'fastify';
const app = Fastify({ logger: false });
app.get('/value', (_, reply) => reply.header('content-type', 'application/json').send(process.env.BODY));
await app.listen({ port: Number(process.env.PORT) });
process.send('listening');`;

export async function measureEdge(stage, say) {
  const core = await stage.startCoreWith({});
  const { projects } = await load(core.url, stage.apiKey, { projects: 1, loadMs: 60_000 }, () => undefined);
  const [project] = projects;
  const folder = path.join(stage.directory, 'edge');
  const start = async () => startEdge({ folder, url: core.url, apiKey: stage.apiKey, project: project.name });
  const ended = [];
  const first = await start();
  const headers = { authorization: `Api-Key ${stage.apiKey}` };
  const all = `/api/v1/projects/${project.id}/effective/?environment=${ENVIRONMENT}&mask_secrets=true`;
  const { values } = await (await fetch(first.url + all, { headers })).json();
  const value = `${all}&name=${encodeURIComponent(Object.keys(values)[0])}`;
  const body = await (await fetch(first.url + value, { headers })).text();
  await sleep(SETTLE_MS);
  const idleMiB = readResidentMemory(first.child.pid);
  await first.stop();

  say('One value …');
  const edge = await start();
  const bare = await startBare(body);
  const subject = (key, { port, child }, requestPath) => ({
    ...{ key, title: key, port, connections: 16, status: 200, pids: [child.pid] },
    next: () => api(`http://127.0.0.1:${port}`, stage.apiKey).bytes('GET', requestPath),
  });
  const rates = await measure([subject('edge', edge, value), subject('bare', bare, '/value')], {
    ...{ ...PLAN, postgresPid: stage.postgres.pid, tell: () => undefined, skip: () => undefined },
  });
  bare.child.kill();

  say(`Opening ${STREAMS} streams …`);
  const warm = await openStreams(edge, project, headers, OPENED_AT_A_TIME);
  for (const request of warm) request.destroy();
  await sleep(SETTLE_MS);
  const before = readResidentMemory(edge.child.pid);
  const streams = await openStreams(edge, project, headers, STREAMS);
  await sleep(SETTLE_MS);
  const kBEach = ((readResidentMemory(edge.child.pid) - before) * 1_048.576) / STREAMS;
  for (const request of streams) request.destroy();
  await edge.stop();

  say('Starting without the core …');
  const snapshot = { folder, url: core.url, apiKey: stage.apiKey, project: project.name };
  core.child.kill('SIGKILL');
  while (ended.length < STARTS) {
    const started = performance.now();
    const restarted = await startEdge(snapshot);
    const { status } = await fetch(restarted.url + value, { headers });
    if (status !== 200) throw new Error(`An edge without the core returned ${status}.`);
    ended.push(performance.now() - started);
    await restarted.stop();
  }
  return { idleMiB, startMs: percentile(ended, 50), rates, ratio: rates.edge.perSecond / rates.bare.perSecond, kBEach };
}

async function startEdge({ folder, url, apiKey, project }) {
  const port = await findFreePort();
  const program = path.join(root, 'apps/cli/dist/main.js');
  const options = ['--url', url, '-p', project, '-e', ENVIRONMENT, '--port', String(port), '--data', folder];
  const env = { PATH: process.env.PATH, HOME: folder, STRATA_API_KEY: apiKey, STRATA_EDGE_KEY: 'k'.repeat(40) };
  fs.mkdirSync(folder, { recursive: true });
  const child = spawn(process.execPath, [program, 'edge', ...options], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const address = `http://127.0.0.1:${port}`;
  for (;;) {
    const response = await fetch(`${address}/readyz`).catch(() => null);
    if (response?.ok) break;
    await sleep(5);
  }
  const stop = async () => {
    const whenEnded = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await whenEnded;
  };
  return { child, port, url: address, stop };
}

async function startBare(body) {
  const port = await findFreePort();
  const child = spawn(process.execPath, ['--input-type=module', '-e', BARE], {
    ...{
      cwd: root,
      env: { ...process.env, PORT: String(port), BODY: body },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  });
  await new Promise((resolve) => child.once('message', resolve));
  return { child, port };
}

async function openStreams({ port }, project, headers, count) {
  const requests = [];
  const streamPath = `/api/v1/projects/${project.id}/effective/stream/?environment=${ENVIRONMENT}`;
  while (requests.length < count) {
    const batch = Array.from({ length: Math.min(OPENED_AT_A_TIME, count - requests.length) }, () =>
      openStream({ host: '127.0.0.1', port, path: streamPath, headers, agent: false }),
    );
    requests.push(...(await Promise.all(batch)));
  }
  return requests;
}

const openStream = (options) =>
  new Promise((resolve, reject) => {
    const request = http.get(options, (response) => {
      response.on('error', () => undefined).once('data', () => resolve(request));
      response.resume();
    });
    request.on('error', reject);
  });

export function renderEdge({ idleMiB, startMs, rates, ratio, kBEach }) {
  return [
    '| | measured | aim |',
    '|---|--:|--:|',
    `| memory when idle, MiB | ${idleMiB.toFixed(0)} | ≤ ${AIMS.idleMiB} |`,
    `| start without the core until the first value, ms | ${startMs.toFixed(0)} | ≤ ${AIMS.startMs} |`,
    `| one value, requests/s (bare server ${rates.bare.perSecond.toFixed(0)}) | ${rates.edge.perSecond.toFixed(0)} (${ratio.toFixed(2)}) | ≥ ${AIMS.ratio} |`,
    `| memory of each of ${STREAMS} streams, kB | ${kBEach.toFixed(1)} | ≤ ${AIMS.kBEach} |`,
  ].join('\n');
}

// npm run bench -- --sockets: the memory of a gateway with 10,000 websockets, each with one subscription, and the time
// until the last of them has received an event.
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from './configuration.mjs';
import { Connection } from './http-load.mjs';
import { writeOnce } from './latency.mjs';
import { percentile } from './measure.mjs';
import { readResidentMemory } from './processes.mjs';
import { api } from './subjects.mjs';
import { allReceived, subscribe } from './subscribers.mjs';

const SOCKETS = 10_000;
const OPENED_AT_A_TIME = 50;
const KB_MAX = 20;
const EVENTS = 20;
const EVENT_MS_MAX = 60_000;
/** The time in which the gateway collects the garbage of opening sockets. */
const SETTLE_MS = 20_000;
const NO_LIMIT = String(2 * SOCKETS);

export async function measureSockets(stage, say) {
  const core = await stage.startCoreWith({});
  const gateway = await stage.startGatewayOn(core.url, {
    STRATA_SOCKETS_PER_ADDRESS: NO_LIMIT,
    STRATA_SOCKETS_PER_CREDENTIAL: NO_LIMIT,
    STRATA_SUBSCRIPTIONS_PER_ADDRESS: NO_LIMIT,
    STRATA_SUBSCRIPTIONS_PER_CREDENTIAL: NO_LIMIT,
  });
  const data = await load(core.url, stage.apiKey, { projects: 1, loadMs: 60_000 }, () => undefined);
  const warm = await open(gateway.url, stage.apiKey, OPENED_AT_A_TIME);
  const write = await writer(core.url, stage.apiKey, data);
  await allReceived(warm, await write(), EVENT_MS_MAX);
  for (const { close } of warm) close();
  await sleep(SETTLE_MS);

  const before = readResidentMemory(gateway.child.pid);
  say(`Opening ${SOCKETS} subscriptions …`);
  const listeners = await open(gateway.url, stage.apiKey, SOCKETS);
  const last = [];
  for (let event = 0; event < EVENTS; event += 1) {
    const started = performance.now();
    const times = await allReceived(listeners, await write(), EVENT_MS_MAX);
    last.push(Math.max(...times) - started);
  }
  await sleep(SETTLE_MS);
  const after = readResidentMemory(gateway.child.pid);
  for (const { close } of listeners) close();
  return {
    sockets: SOCKETS,
    before,
    after,
    kbEach: ((after - before) * 1_024) / SOCKETS,
    lastMs: percentile(last, 50),
  };
}

async function open(url, apiKey, count) {
  const listeners = [];
  while (listeners.length < count) {
    const size = Math.min(OPENED_AT_A_TIME, count - listeners.length);
    listeners.push(...(await Promise.all(Array.from({ length: size }, () => subscribe(url, apiKey)))));
  }
  return listeners;
}

/** Returns a function that changes a value and resolves with the revision of the change. */
async function writer(url, apiKey, { projects: [project] }) {
  const core = api(url, apiKey);
  const connection = await Connection.open(core.port);
  const [parameter] = project.parameters;
  const path = `/api/v1/projects/${project.id}/parameters/${parameter.id}/values/${parameter.values[0]}/`;
  let writeCount = 0;
  const next = () => {
    writeCount += 1;
    return core.bytes('PATCH', path, { internal_value: `text ${writeCount}` });
  };
  return async () => (await writeOnce(connection, next)).revision;
}

export function renderSockets({ sockets, before, after, kbEach, lastMs }) {
  return [
    '| Sockets | MB before | MB with them | kB of each | aim | ms until the last receives an event, p50 |',
    '|--:|--:|--:|--:|--:|--:|',
    `| ${sockets} | ${before.toFixed(0)} | ${after.toFixed(0)} | ${kbEach.toFixed(1)} | ≤ ${KB_MAX} | ${lastMs.toFixed(0)} |`,
  ].join('\n');
}

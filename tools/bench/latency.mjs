// Measures how long it takes until listeners receive a write, from the request and from the response.
import { setTimeout as sleep } from 'node:timers/promises';
import { FLOOR_CHANNEL } from './floor-writes.mjs';
import { Connection } from './http-load.mjs';
import { percentile } from './measure.mjs';
import { allReceived, listenToChannel, listenToStream, subscribe } from './subscribers.mjs';

const PAUSE_MS_MAX = 15;
const OPENED_AT_A_TIME = 25;
const CROWD_PAUSE_MS = 60;
const ATTEMPTS = 50;

async function sendOnce(connection, request) {
  const sent = performance.now();
  const { status, head } = await connection.ask(request);
  const at = performance.now();
  if (status !== 200) throw new Error(`A write was rejected:\n${head}`);
  return { head, sent, at };
}

/** Sends one write. Returns its revision and the times of the request and of the response. */
export async function writeOnce(connection, next) {
  const { head, sent, at } = await sendOnce(connection, next());
  return { revision: Number(/\r\nx-revision: (\d+)/i.exec(head)[1]), sent, at };
}

/** A listener may receive the event before the writer receives the response. That counts as zero. */
const delays = (writes, heardAt) => writes.map(({ at }, index) => Math.max(0, heardAt[index] - at));
const wholeDelays = (writes, heardAt) => writes.map(({ sent }, index) => heardAt[index] - sent);

function summary(all) {
  return { events: all.length, p50: percentile(all, 50), p99: percentile(all, 99), worst: percentile(all, 100) };
}

/**
 * Uses one listener per interface and one write after the other. Alternates with the floor: bare Fastify that updates
 * one row and sends a notification, and a connection that LISTENs. `floor` is { port, databaseUrl, next(event) }.
 */
export async function measureLatency({ urls, corePort, apiKey, next, events, phaseMs, floor }) {
  const connection = await Connection.open(corePort);
  const floorConnection = await Connection.open(floor.port);
  const listeners = [];
  const channel = await listenToChannel(floor.databaseUrl, FLOOR_CHANNEL);
  try {
    listeners.push(await listenToStream(urls.core, apiKey), await subscribe(urls.gateway, apiKey));
    await settled(connection, next, listeners);
    const [writes, floorWrites, floorHeard] = [[], [], []];
    const received = listeners.map(() => []);
    const until = performance.now() + phaseMs;
    for (let event = 0; event < events && performance.now() < until; event += 1) {
      floorWrites.push(await sendOnce(floorConnection, floor.next(event)));
      floorHeard.push(...(await allReceived([channel], event)));
      await sleep(Math.random() * PAUSE_MS_MAX);
      const write = await writeOnce(connection, next);
      writes.push(write);
      const times = await allReceived(listeners, write.revision);
      for (const [at, time] of times.entries()) received[at].push(time);
      await sleep(Math.random() * PAUSE_MS_MAX);
    }
    const [stream, socket] = received.map((times) => ({
      ...summary(delays(writes, times)),
      fromRequest: summary(wholeDelays(writes, times)),
    }));
    return { stream, socket, channel: { fromRequest: summary(wholeDelays(floorWrites, floorHeard)) } };
  } finally {
    for (const { close } of [...listeners, channel]) close();
    connection.close();
    floorConnection.close();
  }
}

/**
 * Measures many subscriptions, each on its own socket in this process. The results include this process's own work on
 * each event.
 */
export async function measureCrowd({ urls, corePort, apiKey, next, events, phaseMs, subscribers, tell }) {
  const connection = await Connection.open(corePort);
  const listeners = [];
  try {
    while (listeners.length < subscribers) {
      const open = Array.from({ length: Math.min(OPENED_AT_A_TIME, subscribers - listeners.length) }, () =>
        subscribe(urls.gateway, apiKey),
      );
      listeners.push(...(await Promise.all(open)));
    }
    await settled(connection, next, listeners);
    tell();
    const all = [];
    const last = [];
    const until = performance.now() + phaseMs;
    for (let event = 0; event < events && performance.now() < until; event += 1) {
      const write = await writeOnce(connection, next);
      const times = await allReceived(listeners, write.revision);
      all.push(...times.map((time) => Math.max(0, time - write.at)));
      last.push(Math.max(...times) - write.at);
      await sleep(Math.random() * CROWD_PAUSE_MS);
    }
    return { ...summary(all), subscribers, lastOfAll: summary(last) };
  } finally {
    for (const { close } of listeners) close();
    connection.close();
  }
}

/** Writes until every listener has received a write. From then on, all of them receive every event. */
async function settled(connection, next, listeners) {
  for (let attempt = 1; ; attempt += 1) {
    await sleep(50);
    const { revision } = await writeOnce(connection, next);
    const received = await allReceived(listeners, revision, 1_000).catch(() => null);
    if (received) return;
    if (attempt === ATTEMPTS) throw new Error('Not every subscription came up.');
  }
}

// Listeners that record when they receive each revision: the core's event stream and the gateway's websocket.
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import WebSocket from 'ws';

const TIMEOUT_MS = 5_000;

/** The time at which this listener received each revision, in milliseconds of this process's clock. */
class Received {
  #at = new Map();
  #waiting = new Map();

  note(revision) {
    if (this.#at.has(revision)) return;
    const now = performance.now();
    this.#at.set(revision, now);
    this.#waiting.get(revision)?.(now);
    this.#waiting.delete(revision);
  }

  /** Resolves when the revision arrives. It has no timeout; see `allReceived`. */
  when(revision) {
    const received = this.#at.get(revision);
    if (received !== undefined) return received;
    return new Promise((resolve) => this.#waiting.set(revision, resolve));
  }
}

/**
 * Returns the time at which each listener received a revision. Throws if one of them does not receive it, because a
 * lost event has no latency. Uses one timer for all.
 */
export async function allReceived(listeners, revision, timeoutMs = TIMEOUT_MS) {
  const timeout = new AbortController();
  const late = sleep(timeoutMs, null, { signal: timeout.signal }).catch(() => null);
  const times = await Promise.race([Promise.all(listeners.map(({ received }) => received.when(revision))), late]);
  timeout.abort();
  if (times === null) throw new Error(`A subscriber did not receive revision ${revision} within ${timeoutMs} ms.`);
  return times;
}

/** Listens to a channel of the database whose notifications are numbers. */
export async function listenToChannel(databaseUrl, channel) {
  const received = new Received();
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  client.on('notification', ({ payload }) => received.note(Number(payload)));
  await client.connect();
  await client.query(`listen ${channel}`);
  return { received, close: () => client.end() };
}

/** Listens to the core's server-sent events. */
export function listenToStream(url, apiKey) {
  const received = new Received();
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Api-Key ${apiKey}` };
    const request = http.get(`${url}/api/v1/events/stream/`, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`The stream was rejected with ${response.statusCode}.`));
      let text = '';
      response.setEncoding('utf8').on('data', (data) => {
        const messages = (text + data).split('\n\n');
        text = messages.pop();
        for (const message of messages) {
          if (message.includes('event: bookmark')) resolve({ received, close: () => request.destroy() });
          else if (message.includes('event: change')) received.note(Number(/"revision":(\d+)/.exec(message)[1]));
        }
      });
      response.on('error', () => {});
    });
    request.on('error', reject);
  });
}

/**
 * Opens one subscription over graphql-transport-ws. The protocol does not confirm subscriptions, so the caller must
 * wait for the first event.
 */
export function subscribe(url, apiKey) {
  const received = new Received();
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws', {
      perMessageDeflate: false,
    });
    const say = (message) => socket.send(JSON.stringify(message));
    socket.on('open', () => say({ type: 'connection_init', payload: { authorization: `Api-Key ${apiKey}` } }));
    socket.on('error', reject);
    socket.on('close', (code, reason) => reject(new Error(`The subscription was closed: ${code} ${reason}`)));
    socket.on('message', (data) => {
      const text = String(data);
      if (text.includes('"connection_ack"')) {
        say({
          id: '1',
          type: 'subscribe',
          payload: { query: 'subscription { changes { revision type cursor object { name } } }' },
        });
        resolve({ received, close: () => socket.terminate() });
      } else if (text.includes('"next"')) received.note(Number(/"revision":(\d+)/.exec(text)[1]));
      else if (text.includes('"ping"')) say({ type: 'pong' });
      else reject(new Error(`The gateway said: ${text.slice(0, 300)}`));
    });
  });
}

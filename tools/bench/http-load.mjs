// A small HTTP/1.1 client for load tests: one request at a time per keep-alive connection. It uses less processor time
// than the servers that it measures on the same machine, and it measures microseconds. At a constant rate, it sends at
// planned times, and latency counts from them. autocannon limits the rate of each connection instead, and corrects its
// histogram afterwards.
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** Returns the bytes of a request. */
export function requestBytes(method, path, { host, headers = {}, body }) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (body !== undefined) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(text)}`);
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n${text}`,
  );
}

/** A keep-alive connection. `ask` resolves with { status, head, bytes } once the complete response has arrived. */
export class Connection {
  #socket;
  #waiting = null;
  #head = null;
  #status = 0;
  #bytes = 0;
  #missing = 0;
  #pending = null;
  #failure = null;

  static open(port, host = '127.0.0.1') {
    return new Promise((resolve, reject) => {
      const socket = net.connect({ port, host, noDelay: true }, () => resolve(new Connection(socket)));
      socket.once('error', reject);
    });
  }

  constructor(socket) {
    this.#socket = socket;
    socket.removeAllListeners('error');
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('The server closed the connection.')));
    socket.on('data', (data) => this.#take(data));
  }

  ask(bytes) {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(bytes);
    });
  }

  close() {
    this.#socket.removeAllListeners('close');
    this.#socket.destroy();
  }

  #fail(error) {
    this.#failure ??= error;
    this.#waiting?.reject(error);
    this.#waiting = null;
  }

  #take(data) {
    if (this.#head === null) {
      const received = this.#pending ? Buffer.concat([this.#pending, data]) : data;
      const end = received.indexOf(END_OF_HEAD);
      if (end < 0) {
        this.#pending = received;
        return;
      }
      this.#pending = null;
      this.#begin(received.latin1Slice(0, end));
      this.#missing -= received.length - end - END_OF_HEAD.length;
    } else this.#missing -= data.length;
    if (this.#missing > 0) return;
    const answer = { status: this.#status, head: this.#head, bytes: this.#bytes };
    this.#head = null;
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) waiting.resolve(answer);
    else this.#socket.destroy(new Error(`The server answered without a request:\n${answer.head}`));
  }

  #begin(head) {
    this.#head = head;
    this.#status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (length === undefined && this.#status !== 304 && this.#status !== 204) {
      this.#socket.destroy(new Error(`An answer without a length:\n${head}`));
      return;
    }
    this.#bytes = this.#status === 304 ? 0 : Number(length ?? 0);
    this.#missing = this.#bytes;
  }
}

/**
 * Sends requests over all connections until the time is over or `next` returns nothing. Throws if a response has an
 * unexpected status: error responses are fast and would improve the result.
 */
export async function drive(connections, { next, status, ms = Number.POSITIVE_INFINITY }) {
  const latencies = [];
  const started = performance.now();
  const until = started + ms;
  let bytes = 0;
  await Promise.all(
    connections.map(async (connection) => {
      for (let request = next(); request !== undefined; request = next()) {
        const requestedAt = performance.now();
        if (requestedAt >= until) return;
        const answer = await connection.ask(request);
        latencies.push(performance.now() - requestedAt);
        bytes = answer.bytes;
        if (answer.status !== status) throw new Error(`Expected ${status}, was answered:\n${answer.head}`);
      }
    }),
  );
  return { latencies, bytes, tookMs: performance.now() - started };
}

/**
 * Sends requests at a constant rate, however fast the responses are. The latency of a request counts from its planned
 * time, so a request that waits behind a slow one is late as well. Timers add up to a millisecond.
 */
export async function driveAtRate(connections, { next, status, perSecond, ms }) {
  const planned = Math.round((perSecond * ms) / 1_000);
  const latencies = [];
  const started = performance.now();
  let count = 0;
  await Promise.all(
    connections.map(async (connection) => {
      while (count < planned) {
        const plannedAt = started + (count++ * 1_000) / perSecond;
        const waitMs = Math.ceil(plannedAt - performance.now());
        if (waitMs > 0) await sleep(waitMs);
        const answer = await connection.ask(next());
        latencies.push(performance.now() - plannedAt);
        if (answer.status !== status) throw new Error(`Expected ${status}, was answered:\n${answer.head}`);
      }
    }),
  );
  return { latencies, tookMs: performance.now() - started };
}

import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Project } from '@strata/contract';
import { findFreePort } from '@strata/processes';
import {
  createTestDatabase,
  organization,
  type TestDatabase,
  type TestOrganization,
  testCredentials,
} from '@strata/testkit';
import { buildMissingApps, type Service, startService } from './processes.ts';

const MEMORY_MAX_MB = 512;
const CLIENTS = 60;
/** The number of clients that do not read their responses; the next constant is the number of clients that disconnect early. */
const SILENT_CLIENTS = 2;
const LEAVING_CLIENTS = 6;
const PARAMETERS = 1_900;
const ENVIRONMENTS = 6;
const LONG_TEXTS = 160;
const MOMENTS = 24;
const LOAD_MS = 12_000;
/** The time without reading. It exceeds the time after which the core closes a blocked connection. */
const SILENCE_MS = 20_000;
const ROOM_TAKEN_MS = 3_000;
const WAITED_MS = 500;
/** The memory of one organization holds this many of the largest responses. */
const ROOM_FOR = 2;
const MEMORY_LOOK_MS = 20;
/** The maximum response time. It is far more than a busy machine needs; without limits it was half a minute. */
const ANSWERED_MS_MAX = 15_000;

let database: TestDatabase;
let core: Service;
let heavy: TestOrganization;
let otherOrganization: TestOrganization;
let list: string;
/** The length of the complete list in bytes. */
let complete: number;

beforeAll(async () => {
  await buildMissingApps('core');
  database = await createTestDatabase();
  const settings = {
    DATABASE_URL: database.url,
    STRATA_ROOT_KEY: testCredentials().rootKey,
    STRATA_LOG_LEVEL: 'error',
  };
  core = await startService('core', await findFreePort(), settings);
  const here = { origin: core.origin, ...testCredentials() };
  [heavy, otherOrganization] = [await organization(here), await organization(here)];
  list = await largeProject(heavy);
});
afterAll(async () => {
  await core.end('SIGKILL');
  await database.drop();
});

/**
 * Creates a project whose list of parameters is larger than 30 MB, with a value of each parameter in each environment. Returns the path of
 * the list.
 */
async function largeProject(owning: TestOrganization): Promise<string> {
  const names = ['default', 'development', 'staging', 'production'];
  for (let n = names.length; n < ENVIRONMENTS; n += 1) {
    const { name } = await owning.environment();
    names.push(name);
  }
  for (const environment of names.slice(0, ENVIRONMENTS)) {
    const lines = Array.from({ length: PARAMETERS }, (_, n) => `PARAMETER_${n}=${environment} ${'text '.repeat(20)}`);
    const input = { project: 'large', environment, body: lines.join('\n'), secrets: [], ignore: [] };
    const { status, text } = await owning.owner.post('import/', input);
    if (status !== 201) throw new Error(`Import: ${status} ${text.slice(0, 200)}`);
  }
  const { body } = await owning.owner.get<Page<Project>>('projects/?name=large');
  return `${body.results[0]?.url}parameters/?page_size=2500`;
}

/** Creates a project with 10 MB of text, and returns the paths of its effective values at several revisions. */
async function listTimesOfLongTexts(owning: TestOrganization): Promise<readonly string[]> {
  const project = await owning.project();
  const texts = Array.from({ length: LONG_TEXTS }, (_, n) => [`TEXT_${n}`, `${n} `.repeat(30_000).slice(0, 60_000)]);
  for (const part of [texts.slice(0, LONG_TEXTS / 2), texts.slice(LONG_TEXTS / 2)]) {
    const values = { environment: 'default', values: Object.fromEntries(part), create_missing: true };
    const { status, text } = await owning.owner.post('changesets/', {
      operations: [{ set: { project: project.name, ...values } }],
    });
    if (status !== 201) throw new Error(`Changeset: ${status} ${text.slice(0, 200)}`);
  }
  const pointsInTime: string[] = [];
  for (let n = 0; n < MOMENTS; n += 1) {
    const { headers } = await owning.owner.patch(project.url, { description: `Moment ${n}` });
    pointsInTime.push(`${project.url}effective/?environment=default&revision=${headers['x-revision']}`);
  }
  return pointsInTime;
}

interface HeavyAnswer {
  readonly status: number;
  readonly length: number;
  /** The value of `Content-Length`. */
  readonly announced: number;
  readonly retryAfter: string | undefined;
}

/** The current and the maximum number of lists that are being received. */
const receiving = { now: 0, most: 0 };

function noteReceiving(response: http.IncomingMessage): void {
  if (response.statusCode !== 200) return;
  receiving.now += 1;
  receiving.most = Math.max(receiving.most, receiving.now);
  response.once('close', () => {
    receiving.now -= 1;
  });
}

/** Requests a path and discards the body. The status is 0 if the core closed the connection before the response was complete. */
function fetchHeavy(path: string, authorization: string, leaves = false): Promise<HeavyAnswer> {
  return new Promise((resolve) => {
    const failed = () => resolve({ status: 0, length: 0, announced: 0, retryAfter: undefined });
    const request = http.get(path, { headers: { authorization }, agent: false }, (response) => {
      let length = 0;
      noteReceiving(response);
      const { statusCode: status = 0, headers } = response;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (leaves) request.destroy();
      });
      const announced = Number(headers['content-length']);
      response.on('end', () => resolve({ status, length, announced, retryAfter: headers['retry-after'] }));
      response.on('error', failed);
    });
    request.on('error', failed);
  });
}

interface SilentClient {
  /** Resolves when the first bytes have arrived. */
  readonly began: Promise<void>;
  /** Resolves with the number of bytes that arrived before the connection ended. */
  readonly received: Promise<number>;
}

/** Sends a request, and reads nothing for some time after the first bytes. */
function fetchWithoutReading(path: string, authorization: string, silenceMs: number): SilentClient {
  const { hostname, port, pathname, search } = new URL(path);
  const socket = net.connect(Number(port), hostname);
  socket.write(
    `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: ${authorization}\r\n\r\n`,
  );
  const began = Promise.withResolvers<void>();
  const received = new Promise<number>((resolve) => {
    let length = 0;
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(length));
    // Without a listener for `data`, the socket reads no more than its own buffer.
    socket.once('readable', async () => {
      began.resolve();
      await sleep(silenceMs);
      socket.on('data', (chunk: Buffer) => (length += chunk.length)).resume();
      socket.setTimeout(1_000, () => socket.destroy());
    });
  });
  return { began: began.promise, received };
}

/** Waits until as many responses have begun as there is room for. */
async function untilRoomIsTaken(clients: readonly SilentClient[]): Promise<void> {
  let count = 0;
  await new Promise<void>((resolve) => {
    const sendRequest = () => {
      count += 1;
      if (count === ROOM_FOR) resolve();
    };
    for (const { began } of clients) void began.then(sendRequest);
  });
}

const rssMb = () =>
  Number(/^VmRSS:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${core.process.pid}/status`, 'utf8'))?.[1]) / 1_024;

async function largestRss(isOver: () => boolean): Promise<number> {
  let largest = 0;
  for (; !isOver(); await sleep(MEMORY_LOOK_MS)) largest = Math.max(largest, rssMb());
  return largest;
}

it('a list of tens of megabytes is returned completely', async () => {
  const response = await fetchHeavy(list, await heavy.authorization('VIEWER'));

  expect(response).toMatchObject({ status: 200, length: response.announced });
  expect(response.length).toBeGreaterThan(30 * 1_048_576);
  complete = response.length;
});

it('sixty clients that request the largest lists do not use up memory or block other organizations', async () => {
  const authorization = await heavy.authorization('VIEWER');
  const responses: HeavyAnswer[] = [];
  const silent = Array.from({ length: SILENT_CLIENTS }, () => fetchWithoutReading(list, authorization, SILENCE_MS));
  await untilRoomIsTaken(silent);
  const until = performance.now() + LOAD_MS;
  const isOver = () => performance.now() > until && responses.some(({ status }) => status === 200);
  const clients = Array.from({ length: CLIENTS - SILENT_CLIENTS }, async (_, n) => {
    while (!isOver()) {
      const response = await fetchHeavy(list, authorization, n < LEAVING_CLIENTS);
      if (n >= LEAVING_CLIENTS) responses.push(response);
      if (response.status !== 200) await sleep(200);
    }
  });
  const memory = largestRss(isOver);

  const project = await otherOrganization.project();
  const parameter = await otherOrganization.parameter({ project });
  const value = await otherOrganization.value({ parameter });
  const waits: number[] = [];
  const timed = async (answer: Promise<{ readonly status: number }>) => {
    const sentAt = performance.now();
    const { status } = await answer;
    waits.push(performance.now() - sentAt);
    return status;
  };
  for (let round = 0; !isOver(); round += 1) {
    expect(await timed(otherOrganization.owner.get(`${project.url}parameters/`))).toBe(200);
    expect(await timed(otherOrganization.owner.get(`${project.url}effective/?environment=default`))).toBe(200);
    expect(await timed(otherOrganization.owner.patch(value.url, { internal_value: `text ${round}` }))).toBe(200);
    expect(await timed(fetch(`${core.origin}/readyz`))).toBe(200);
    await sleep(20);
  }
  await Promise.all(clients);

  expect(await memory).toBeLessThanOrEqual(MEMORY_MAX_MB);
  // The memory limit admits two lists at a time, and clients notice the end of a response with a delay.
  expect(receiving.most).toBeLessThanOrEqual(8);
  // A busy machine serves fewer requests, but none of them may wait for all large lists.
  expect(waits.length).toBeGreaterThan(20);
  expect(Math.max(...waits)).toBeLessThan(ANSWERED_MS_MAX);
  const [whole = [], rejected = []] = [true, false].map((is) =>
    responses.filter(({ status }) => (status === 200) === is),
  );
  expect(whole.length).toBeGreaterThan(0);
  expect(new Set(whole.map(({ length }) => length))).toEqual(new Set([complete]));
  expect(rejected.filter(({ status }) => status !== 429 && status !== 503)).toEqual([]);
  expect(rejected.filter(({ retryAfter }) => !(Number(retryAfter) > 0))).toEqual([]);
  // A client that does not read receives only a part, and the core releases the memory of that client and of clients that disconnected.
  for (const { received } of silent) expect(await received).toBeLessThan(complete);
  const repeatedResponse = await Promise.all([1, 2].map(() => fetchHeavy(list, authorization)));
  expect(repeatedResponse.map(({ status, length }) => [status, length])).toEqual([1, 2].map(() => [200, complete]));
});

it('long texts that only one organization requests are read in turns, not all at once', async () => {
  const pointsInTime = await listTimesOfLongTexts(heavy);
  const authorization = await heavy.authorization('VIEWER');
  let isOver = false;
  const memory = largestRss(() => isOver);
  const responses = await Promise.all(pointsInTime.map((pointInTime) => fetchHeavy(pointInTime, authorization)));
  isOver = true;
  expect(await memory).toBeLessThanOrEqual(MEMORY_MAX_MB);
  expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect(responses.filter(({ status }) => ![200, 429, 503].includes(status))).toEqual([]);
});

it('a request that reads many rows waits for free memory, however small its response is', async () => {
  const authorization = await heavy.authorization('VIEWER');
  const { headers } = await heavy.owner.get('projects/');
  const then = list.replace(/parameters\/.*$/, `effective/?environment=development&revision=${headers['x-revision']}`);
  // Two requests use all available memory, the third one waits for it, and later ones wait behind the third.
  const silent = [1, 2, 3].map(() => fetchWithoutReading(list, authorization, ROOM_TAKEN_MS));
  await untilRoomIsTaken(silent);
  let isAnswered = false;
  const response = fetchHeavy(then, authorization).then((response) => {
    isAnswered = true;
    return response;
  });
  await sleep(WAITED_MS);
  expect(isAnswered).toBe(false);
  await Promise.all(silent.map(({ received }) => received));
  expect((await response).status).toBe(200);
});

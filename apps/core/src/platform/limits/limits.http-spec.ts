import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchResponse, Page, Parameter } from '@strata/contract';
import { RawClient, type Reply } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';

let core: CoreInProcess;
let strict: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
  strict = await startSecondCore(core, { STRATA_RATE_PER_CREDENTIAL: '60', STRATA_RATE_PER_ORGANIZATION: '90' });
});
afterAll(async () => {
  await strict.close();
  await core.close();
});

const sendRepeatedly = async (client: RawClient, times: number) => {
  const statuses: number[] = [];
  for (let n = 0; n < times; n += 1) statuses.push((await client.get('environments/')).status);
  return statuses;
};
/**
 * Sends requests until one is rejected, and returns that response. The rate allows one more request each second, so a
 * slow machine sends a few more.
 */
async function untilRateLimited(client: RawClient): Promise<Reply> {
  let response = await client.get('environments/');
  for (let more = 0; response.status === 200 && more < 200; more += 1) response = await client.get('environments/');
  return response;
}
const allowed = (statuses: readonly number[]) => statuses.filter((status) => status === 200).length;

describe('the rate limit of a credential', () => {
  it('returns 429 with the time to retry, and does not affect other credentials of the organization', async () => {
    const organization = await core.organization();
    const [limited, unaffected] = [
      await organization.authorization('VIEWER'),
      await organization.authorization('CONTRIB'),
    ];
    const client = new RawClient(strict.origin, limited);

    const statuses = await sendRepeatedly(client, 60);
    const response = await untilRateLimited(client);

    expect(statuses).toEqual(Array.from({ length: 60 }, () => 200));
    expect(response).toMatchObject({
      status: 429,
      body: { detail: expect.stringContaining('The request had no effect') },
    });
    expect(response.headers).toMatchObject({
      'x-error-code': 'rate_limited',
      'ratelimit-policy': '"credential";q=60;w=60, "organization";q=90;w=60',
      ratelimit: expect.stringMatching(/^"credential";r=0;t=[1-9]\d*, "organization";r=\d+;t=0$/),
    });
    expect((await new RawClient(strict.origin, unaffected).get('environments/')).status).toBe(200);
    await sleep(Number(response.headers['retry-after']) * 1_000);
    expect((await client.get('environments/')).status).toBe(200);
  });

  it('counts each read of a batch, also if its response is stored', async () => {
    const organization = await core.organization();
    const client = new RawClient(strict.origin, await organization.authorization('VIEWER'));
    const requests = Array.from({ length: 40 }, () => ({ path: 'environments/?page_size=1' }));
    const batches = [];
    for (let times = 0; times < 2; times += 1) {
      const { body } = await client.post<BatchResponse>('batch/', { requests });
      batches.push(allowed(body.results.map(({ status }) => status)));
    }

    expect(batches[0]).toBe(40);
    expect(batches[1]).toBeLessThan(40);
  });

  it('does not run the rejected write', async () => {
    const organization = await core.organization();
    const client = new RawClient(strict.origin, await organization.authorization('CONTRIB'));
    await untilRateLimited(client);
    const response = await client.post('projects/', { name: 'too much' });

    expect(response.status).toBe(429);
    expect((await organization.owner.get<Page<object>>('projects/?name=too%20much')).body.count).toBe(0);
  });
});

it('the rate limit of an organization counts all its credentials, returns 429, and does not affect other organizations', async () => {
  const [organization, neighbour] = [await core.organization(), await core.organization()];
  const clients = await Promise.all(
    (['VIEWER', 'CONTRIB'] as const).map(
      async (role) => new RawClient(strict.origin, await organization.authorization(role)),
    ),
  );
  const started = performance.now();
  const statuses = (await Promise.all(clients.map((client) => sendRepeatedly(client, 60)))).flat();
  const refilled = (1.5 * (performance.now() - started)) / 1_000;

  expect(allowed(statuses)).toBeGreaterThanOrEqual(90);
  expect(allowed(statuses)).toBeLessThan(95 + refilled);
  const theirs = new RawClient(strict.origin, await neighbour.authorization('VIEWER'));
  expect((await theirs.get('environments/')).status).toBe(200);
});

it('the rate limit also rejects streams of events', async () => {
  const organization = await core.organization();
  const client = new RawClient(strict.origin, await organization.authorization('VIEWER'));
  await untilRateLimited(client);

  expect((await client.get('events/stream/')).status).toBe(429);
});

it('clients that wait for events do not use the capacity of other requests', async () => {
  const organization = await core.organization();
  const project = await organization.project();
  const { cursor } = (await organization.owner.get<{ cursor: string }>('events/?after=now')).body;
  let isOver = false;
  const waiting = Array.from({ length: 20 }, async () => {
    const { status } = await organization.owner.get(`events/?after=${cursor}&wait=5`);
    isOver = true;
    return status;
  });
  await sleep(300);
  expect((await organization.owner.get(`${project.url}parameters/`)).status).toBe(200);
  expect(isOver).toBe(false);
  await organization.parameter({ project });
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([200]));
});

it('a list that would be too long is rejected before any part of it is written', async () => {
  const organization = await core.organization();
  const project = await organization.project();
  const text = 'long '.repeat(12_000);
  for (let n = 0; n < 40; n += 1) await organization.environment();
  for (let n = 0; n < 16; n += 1) {
    await organization.value({ parameter: await organization.parameter({ project }), internal_value: text });
  }
  const list = `${project.url}parameters/`;
  const measureCost = async (path: string) => {
    const before = process.threadCpuUsage();
    const response = await organization.owner.get(path);
    return { answer: response, user: process.threadCpuUsage(before).user };
  };
  const part = await organization.owner.get<Page<Parameter>>(`${list}?page_size=1&environment=default`);
  const statuses: number[] = [];
  const parts: number[] = [];
  // Different pages, because a repeated read is served from the stored response.
  for (const page of [1, 2, 3, 4, 5]) {
    const { answer: response, user } = await measureCost(list);
    const singlePage = await measureCost(`${list}?page_size=1&page=${page}`);
    expect(response).toMatchObject({ status: 400, headers: { 'x-error-code': 'answer_too_long' } });
    expect(singlePage.answer.status).toBe(200);
    statuses.push(user);
    parts.push(singlePage.user);
  }

  // A rejection costs the main thread less than writing a sixteenth of the list. The smallest cost is without garbage collection.
  expect(Math.min(...statuses)).toBeLessThan(Math.min(...parts));
  expect(part).toMatchObject({ status: 200, body: { count: 16, results: [{ values_flat: [{ value: text }] }] } });
});

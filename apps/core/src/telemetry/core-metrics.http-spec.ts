import { setTimeout as sleep } from 'node:timers/promises';
import { HTTP_METRICS, PROCESS_METRICS } from '@strata/telemetry';
import { Metrics, metricsPort, RawClient, type TestOrganization, testCredentials } from '@strata/testkit';
import { ChatFixture, untilReceived } from '../testing/chat-fixture.ts';
import { moduleOfCore } from '../testing/core-in-process.ts';
import { ListeningClient } from '../testing/listening-client.ts';
import { waitUntil } from '../testing/until.ts';
import { CORE_METRICS } from './metrics.ts';

let port: number;
let at: ChatFixture;
let org: TestOrganization;
beforeAll(async () => {
  port = await metricsPort();
  at = await ChatFixture.open({
    STRATA_METRICS_PORT: String(port),
    // Without a standby, reads are not counted. This one cannot be reached.
    STRATA_READ_DATABASE_URLS: 'postgres://strata@127.0.0.1:1/strata',
    STRATA_CHECKPOINT_KEY: Buffer.alloc(32, 1).toString('base64'),
  });
});
afterAll(() => at.close());
beforeEach(async () => {
  org = await at.core.organization();
});
afterEach(() => at.chat.up());

type Sample = readonly [name: string, labels?: Readonly<Record<string, string>>];

/** Returns a function that waits until the sample is greater than before. A response arrives before it is counted. */
async function watchIncrease(...[name, labels]: Sample): Promise<(min?: number) => Promise<number>> {
  const before = (await Metrics.read(port)).sum(name, labels);
  return async (min = 1) => {
    const increase = async () => (await Metrics.read(port)).sum(name, labels) - before;
    return waitUntil(increase, (value) => value >= min);
  };
}

const REQUESTS = 'http_server_request_duration_seconds_count';
const watchRequests = (method: string, route: string, status: number) =>
  watchIncrease(REQUESTS, {
    http_request_method: method,
    http_route: route,
    http_response_status_code: String(status),
  });

describe('requests', () => {
  it('are counted by method, route and status, whatever the names in their path are', async () => {
    const countCreations = await watchRequests('POST', '/api/v1/projects', 201);
    const read = await watchRequests('GET', '/api/v1/projects/:id', 200);
    const { url } = await org.project({ name: 'first' });
    const { url: secondUrl } = await org.project({ name: 'second' });
    for (const projectUrl of [url, secondUrl]) await org.owner.get(projectUrl);

    expect([await countCreations(2), await read(2)]).toEqual([2, 2]);
  });

  it('share one label if they match no route, and are counted as errors by their code', async () => {
    const unmatched = await watchRequests('GET', 'unmatched', 404);
    const errorCount = await watchIncrease('strata_refusals_total', { error_type: 'unknown_route' });
    await org.owner.get('no-such-list/one/');
    await org.owner.get('no-such-list/two/');

    expect([await unmatched(2), await errorCount(2)]).toEqual([2, 2]);
  });

  it('are counted once if they contain others', async () => {
    const batches = await watchRequests('POST', '/api/v1/batch', 200);
    const lists = await watchRequests('GET', '/api/v1/projects', 200);
    const { status } = await org.owner.post('batch/', { requests: [{ path: 'projects/' }, { path: 'environments/' }] });

    expect([status, await batches(), await lists(0)]).toEqual([200, 1, 0]);
  });

  it('are counted if their response comes from memory', async () => {
    const url = 'projects/?page_size=7';
    const requests = await watchRequests('GET', '/api/v1/projects', 200);
    const stored = await watchIncrease('strata_stored_responses_total');
    for (let n = 0; n < 3; n += 1) await org.owner.get(url);

    expect(await requests(3)).toBe(3);
    expect(await stored()).toBeGreaterThan(0);
  });
});

describe('writes and statements', () => {
  it('are measured: the size of their batches, their wait, statements and connections', async () => {
    const values = await Promise.all(Array.from({ length: 8 }, () => org.value()));
    const countChanges = await Promise.all(
      [
        ['strata_write_batch_size_count'],
        ['strata_write_batch_size_sum'],
        ['strata_write_wait_duration_seconds_count'],
        ['db_client_connection_wait_time_seconds_count'],
        ['db_client_operation_duration_seconds_count', { db_operation_name: 'COMMIT' }] as const,
      ].map(([name, labels]) => watchIncrease(name as string, labels as Record<string, string> | undefined)),
    );
    await Promise.all(values.map(({ url }) => org.owner.patch(url, { internal_value: 'changed' })));

    const [batches = 0, writes, waits, connections] = await Promise.all(countChanges.map((increase) => increase()));
    expect([writes, waits]).toEqual([8, 8]);
    expect(batches).toBeLessThan(8);
    expect(connections).toBeGreaterThan(0);
    const metrics = await Metrics.read(port);
    expect(metrics.sum('db_client_connection_max')).toBe(10);
    expect(metrics.sum('db_client_connection_count')).toBeGreaterThan(0);
    expect(metrics.sum('db_client_connection_pending_requests')).toBe(0);
  });
});

describe('the feed', () => {
  it('reports its listeners, and how old an event is when it is read', async () => {
    const lag = await watchIncrease('strata_feed_lag_seconds_count');
    const client = await ListeningClient.open(at.core.origin, { authorization: org.ownerAuthorization });
    await client.until(() => client.messages.length > 0);
    expect((await Metrics.read(port)).sum('strata_feed_listeners')).toBe(1);
    await org.environment();
    await client.until(() => client.changes.length > 0);
    expect(await lag()).toBe(1);
    client.close();
    await waitUntil(
      async () => (await Metrics.read(port)).sum('strata_feed_listeners'),
      (count) => count === 0,
    );
  });
});

describe('attempts to sign in', () => {
  it('are counted by result', async () => {
    const succeeded = await watchIncrease('strata_sign_ins_total', { strata_result: 'succeeded' });
    const failed = await watchIncrease('strata_sign_ins_total', { strata_result: 'bad_credential' });
    const { ownerEmail: email, ownerPassword } = testCredentials();
    const client = new RawClient(at.core.origin, null);
    for (const password of [ownerPassword, 'not the password']) await client.post('auth/token/', { email, password });

    expect([await succeeded(), await failed()]).toEqual([1, 1]);
  });
});

describe('expirations', () => {
  it('are counted by result', async () => {
    const expired = await watchIncrease('strata_expirations_total', { strata_result: 'expired' });
    const parameter = await org.parameter({ expires: 'P30D' });
    await org.value({ parameter });
    const { Expirations } = await moduleOfCore<typeof import('../features/parameters/expiration/expirations.ts')>(
      './features/parameters/expiration/expirations.js',
    );
    await at.core.core.app.get(Expirations).run(new Date(Date.now() + 31 * 86_400_000).toISOString());

    expect(await expired()).toBe(1);
  });
});

describe('webhooks', () => {
  it('report delivered and failed messages by kind, and what still waits', async () => {
    const delivered = await watchIncrease('strata_webhook_attempts_total', { strata_outcome: 'delivered' });
    const failed = await watchIncrease('strata_webhook_attempts_total', { error_type: 'http_5xx' });
    at.chat.script({ kind: 'status', status: 503 });
    const hook = await at.webhook(org);
    await org.project();
    await untilReceived(org, hook, 1);

    expect([await failed(), await delivered()]).toEqual([1, 1]);
    await waitUntil(
      async () => (await Metrics.read(port)).sum('strata_webhook_jobs'),
      (waiting) => waiting === 0,
    );
  });

  it('report jobs that wait for their time, due ones with their age, and suspended webhooks', async () => {
    at.chat.script({ kind: 'rate_limited', retryAfter: 3_600 }, { kind: 'error', error: 'invalid_auth' });
    await at.webhook(org);
    await org.project();
    await waitUntil(
      async () => (await Metrics.read(port)).sum('strata_webhook_jobs', { strata_state: 'later' }),
      (waiting) => waiting === 1,
    );

    const otherOrganization = await at.core.organization();
    await at.webhook(otherOrganization);
    await otherOrganization.project();
    await waitUntil(
      async () => (await Metrics.read(port)).sum('strata_webhook_suspended'),
      (suspended) => suspended === 1,
    );

    const delivery = Promise.withResolvers<void>();
    at.chat.script({ kind: 'held', until: delivery.promise });
    const third = await at.core.organization();
    await at.webhook(third);
    await third.project();
    await waitUntil(
      async () => (await Metrics.read(port)).sum('strata_webhook_jobs', { strata_state: 'due' }),
      (due) => due === 1,
    );
    expect((await Metrics.read(port)).sum('strata_webhook_oldest_job_age_seconds')).toBeGreaterThan(0);
    delivery.resolve();
  });
});

test('the process reports its event loop, its processor time and its memory', async () => {
  const before = await Metrics.read(port);
  // After a reading, the monitor begins with the next run of its timer.
  await sleep(100);
  // Processor time, because other programs may have the processor for a while.
  const began = process.cpuUsage().user;
  while (process.cpuUsage().user - began < 200_000);
  await sleep(50);
  const after = await Metrics.read(port);

  expect(after.sum('nodejs_eventloop_delay_max_seconds')).toBeGreaterThan(0.1);
  for (const part of ['mean', 'p50', 'p99'])
    expect(after.sum(`nodejs_eventloop_delay_${part}_seconds`)).toBeGreaterThanOrEqual(0);
  expect(after.sum('nodejs_eventloop_utilization_ratio')).toBeGreaterThan(0);
  const cpu = (metrics: Metrics) => metrics.sum('process_cpu_time_seconds_total', { cpu_mode: 'user' });
  expect(cpu(after) - cpu(before)).toBeGreaterThan(0.05);
  expect(after.sum('process_memory_usage_bytes')).toBeGreaterThan(10_000_000);
  const [used, limit] = ['used', 'limit'].map((part) => after.sum(`v8js_memory_heap_${part}_bytes`));
  expect(used).toBeGreaterThan(0);
  expect(limit).toBeGreaterThan(used as number);
});

test('the metrics are those that the reference describes, and nothing else', async () => {
  const described = [CORE_METRICS, HTTP_METRICS, PROCESS_METRICS].flatMap((metrics) => Object.values(metrics));
  const names = described.map(({ name }) => name.replaceAll('.', '_'));
  expect(await org.owner.get('audit/')).toMatchObject({ status: 200 });
  const served = (await Metrics.read(port)).names.filter((name) => name !== 'target_info');

  expect(served.filter((name) => !names.some((expectedName) => name.startsWith(expectedName)))).toEqual([]);
  expect(names.filter((expectedName) => !served.some((name) => name.startsWith(expectedName)))).toEqual([]);
});

test('the main port has no metrics, and the port of the metrics has nothing else', async () => {
  const [main, metricsPort] = await Promise.all([
    fetch(`${at.core.origin}/metrics`),
    fetch(`http://127.0.0.1:${port}/api/v1/projects/`),
  ]);

  expect([main.status, metricsPort.status]).toEqual([404, 404]);
});

test('a core does not start if the port of its metrics is taken, and the error names the setting', async () => {
  await expect(at.core.another()).rejects.toThrow(
    `Another program listens on port ${port}. Set STRATA_METRICS_PORT to a free port.`,
  );
});

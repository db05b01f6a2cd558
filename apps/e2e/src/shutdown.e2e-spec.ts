import { findFreePort } from '@strata/processes';
import {
  createTestDatabase,
  ledgerProblems,
  organization,
  RawClient,
  type TestDatabase,
  type TestOrganization,
  testCredentials,
} from '@strata/testkit';
import pg from 'pg';
import { WebSocket } from 'ws';
import { buildMissingApps, eventually, fetchStatus, type Service, startService } from './processes.ts';
import { Writers } from './writers.ts';

const { ownerEmail, ownerPassword, rootKey } = testCredentials();
const GRACE_SECONDS = 4;

let database: TestDatabase;
let core: Service;
/** A second core on the same database that keeps running. */
let witness: Service;
let org: TestOrganization;
beforeAll(() => buildMissingApps('core', 'gateway'));
beforeEach(async () => {
  database = await createTestDatabase();
  [core, witness] = await Promise.all([start(), start()]);
  org = await organization({ origin: core.origin, ownerEmail, ownerPassword });
});
afterEach(async () => {
  await Promise.all([core.end('SIGKILL'), witness.end('SIGKILL')]);
  await database.drop();
});

const start = async () =>
  startService('core', await findFreePort(), {
    DATABASE_URL: database.url,
    STRATA_ROOT_KEY: rootKey,
    STRATA_LOG_LEVEL: 'error',
    STRATA_GRACE_SECONDS: String(GRACE_SECONDS),
  });

const owner = (at: Service) => new RawClient(at.origin, org.ownerAuthorization);

describe('a core that is stopped', () => {
  it('reports that it is not ready, continues to serve, and then exits: no acknowledged write is lost, and no response is cut off', async () => {
    const writers = await Writers.begin([org], 12);
    await eventually('writes', () => writers.count('acknowledged') > 50);

    core.process.kill('SIGTERM');
    await eventually('not ready', async () => (await fetchStatus(core.origin, 'readyz')) === 503);
    const soFar = writers.count('acknowledged');
    await eventually('writes that are served while it is not ready', () => writers.count('acknowledged') > soFar);
    expect(await fetchStatus(core.origin, 'readyz')).toBe(503);
    // The load balancer has noticed the shutdown by now, and sends no further requests.
    await writers.stop();
    expect(await core.ended).toEqual({ code: 0, signal: null });

    expect([writers.count('unknown'), writers.count('rejected')]).toEqual([0, 0]);
    expect(await writers.brokenFor(owner(witness))).toEqual([]);
    expect(await ledgerProblems(database.url)).toEqual([]);
  });

  it('waits for a write that waits for a lock', async () => {
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from organization_head where organization_id = $1 for update', [org.id]);
    const waiting = owner(core).post<{ url: string }>('projects/', { name: 'waits' });
    await eventually('the write waits', async () => {
      const { rowCount } = await holder.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rowCount === 1;
    });

    core.process.kill('SIGTERM');
    await eventually('the address is free', async () => (await fetchStatus(core.origin, 'healthz')) === 0);
    await holder.end();

    const response = await waiting;
    expect(response.status).toBe(201);
    expect(await core.ended).toEqual({ code: 0, signal: null });
    expect((await owner(witness).get(response.body.url)).status).toBe(200);
  });

  it('closes event streams so that clients reconnect elsewhere', async () => {
    const stream = await fetch(`${core.origin}/api/v1/events/stream/`, {
      headers: { authorization: org.ownerAuthorization, accept: 'text/event-stream' },
    });
    expect(stream.status).toBe(200);

    core.process.kill('SIGTERM');

    const text = await stream.text();
    expect(text).toContain('event: close');
    expect(text).toContain('"code":"draining"');
    expect(await core.ended).toEqual({ code: 0, signal: null });
  });

  it('exits at once on the second signal', async () => {
    core.process.kill('SIGTERM');
    await eventually('not ready', async () => (await fetchStatus(core.origin, 'readyz')) === 503);
    const startedAt = performance.now();
    core.process.kill('SIGTERM');

    expect(await core.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - startedAt).toBeLessThan(GRACE_SECONDS * 1_000);
  });
});

describe('a gateway that is stopped', () => {
  it('reports that it is not ready, continues to serve, and notifies sockets before it exits', async () => {
    const gateway = await startService('gateway', await findFreePort(), {
      STRATA_CORE_URL: core.origin,
      STRATA_GRACE_SECONDS: String(GRACE_SECONDS),
    });
    try {
      const socket = new WebSocket(`${gateway.origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      const closed = new Promise<number>((resolve) => socket.once('close', resolve));
      await new Promise((resolve) => socket.once('open', resolve));
      socket.send(JSON.stringify({ type: 'connection_init', payload: { Authorization: org.ownerAuthorization } }));
      await new Promise((resolve) => socket.once('message', resolve));

      gateway.process.kill('SIGTERM');
      await eventually('not ready', async () => (await fetchStatus(gateway.origin, 'readyz')) === 503);
      const response = await fetch(`${gateway.origin}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: org.ownerAuthorization },
        body: JSON.stringify({ query: '{ changesCursor }' }),
      });

      expect(await response.json()).toMatchObject({ data: { changesCursor: expect.any(String) } });
      expect(socket.readyState).toBe(WebSocket.OPEN);
      expect(await closed).toBe(1012);
      expect(await gateway.ended).toEqual({ code: 0, signal: null });
    } finally {
      await gateway.end('SIGKILL');
    }
  });
});

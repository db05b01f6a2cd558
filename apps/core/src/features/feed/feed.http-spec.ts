import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Event, EventPage } from '@strata/contract';
import { encodeCursor } from '@strata/domain';
import { type RawClient, type TestOrganization, testCredentials } from '@strata/testkit';
import { type CoreInProcess, moduleOfCore, startCoreInProcess } from '../../testing/core-in-process.ts';
import { insertHistory } from '../../testing/large-write.ts';
import { ListeningClient } from '../../testing/listening-client.ts';
import { query } from '../../testing/query.ts';

let core: CoreInProcess;
let origin: string;
let org: TestOrganization;

beforeAll(async () => {
  core = await startCoreInProcess({ STRATA_BOOTSTRAP_API_KEY: testCredentials().apiKey });
  const { StreamTimes } = await moduleOfCore<typeof import('./stream-socket.ts')>('./features/feed/stream-socket.js');
  Object.assign(core.core.app.get(StreamTimes), { bookmarkMs: 300, drainMs: 500, closingMs: 60_000 });
  origin = core.origin;
});
afterAll(() => core.close());
beforeEach(async () => {
  org = await core.organization();
});

async function list(query = '', client: RawClient = org.owner): Promise<EventPage> {
  const { status, body, text } = await client.get<EventPage>(`events/?${query}`);
  if (status !== 200) throw new Error(text);
  return body;
}

async function everythingAfter(cursor: string, client?: RawClient): Promise<Event[]> {
  const page = await list(`after=${cursor}&limit=50`, client);
  return page.more ? [...page.results, ...(await everythingAfter(page.cursor, client))] : [...page.results];
}

const now = async () => (await list('after=now')).cursor;
const names = (events: readonly Event[]) => events.map(({ object }) => object.name);

/** Opens a stream of the core in this file, as the owner of the test's organization by default. */
const open = (query = '', headers: Readonly<Record<string, string>> = { authorization: org.ownerAuthorization }) =>
  ListeningClient.open(origin, headers, query);

/** Creates environments in parallel, like sixteen concurrent users. */
async function writeInParallel(count: number): Promise<string[]> {
  const requested = Array.from({ length: count }, (_, n) => `env-${String(n).padStart(3, '0')}`);
  await Promise.all(requested.map((name) => org.environment({ name })));
  return requested;
}

describe('the list of events', () => {
  it('contains what happened, who did it and where, without any value', async () => {
    const after = await now();
    const environment = await org.environment({ name: 'canary' });
    const { results, more } = await list(`after=${after}`);
    expect(more).toBe(false);
    expect(results).toEqual([
      {
        cursor: expect.any(String),
        type: 'environment_created',
        action: 'create',
        revision: 2,
        at: environment.created_at,
        actor: { id: expect.any(String), name: 'Owner', type: 'interactive' },
        object: { type: 'Environment', id: environment.id, name: 'canary' },
        project: null,
        environment: { id: environment.id, name: 'canary' },
        parameter: null,
        changeset: 2,
        message: null,
      },
    ]);
  });

  it('starts with the oldest stored event, and continues after its cursor or after the cursor of any event', async () => {
    for (const name of ['a', 'b', 'c']) await org.environment({ name });
    const first = await list('limit=2');
    expect([names(first.results), first.more]).toEqual([['a', 'b'], true]);
    expect(names((await list(`after=${first.cursor}`)).results)).toEqual(['c']);
    expect(names((await list(`after=${first.results[0]?.cursor}`)).results)).toEqual(['b', 'c']);
  });

  it('advances its cursor past filtered events', async () => {
    const after = await now();
    await org.environment({ name: 'a' });
    const page = await list(`after=${after}&types=project_created,value_updated`);
    expect(page.results).toEqual([]);
    expect(page.cursor).toBe(await now());
  });

  it('can be filtered by environment', async () => {
    await org.environment({ name: 'a' });
    const { id } = await org.environment({ name: 'b' });
    expect(names((await list(`environment=${id}`)).results)).toEqual(['b']);
  });

  it.each(['environment=production', 'project=x'])('rejects %s, which is not an id', async (query) => {
    for (const path of ['events/', 'events/stream/']) {
      const { status, body } = await org.owner.get(`${path}?${query}`);
      expect([status, Object.keys(body as object)]).toEqual([400, [query.split('=')[0]]]);
    }
  });

  it('neither loses nor repeats an event during many writes, and has no gap for a concurrent reader', async () => {
    let cursor = await now();
    const seen: Event[] = [];
    const writing = writeInParallel(60);
    while (seen.length < 60) {
      const page = await list(`after=${cursor}&wait=5&limit=7`);
      seen.push(...page.results);
      cursor = page.cursor;
    }
    expect(names(seen).sort()).toEqual(await writing);
    expect(seen.map(({ revision }) => revision)).toEqual(Array.from({ length: 60 }, (_, n) => n + 2));
  });

  it('waits until an event happens', async () => {
    const after = await now();
    const waiting = list(`after=${after}&wait=20`);
    await sleep(50);
    await org.environment({ name: 'late' });
    expect(names((await waiting).results)).toEqual(['late']);
  });

  it('returns an empty page when the waiting time is over', async () => {
    const after = await now();
    expect(await list(`after=${after}&wait=1`)).toEqual({ results: [], cursor: after, more: false });
  });

  it.each(['wait=31', 'wait=-1', 'limit=0', 'limit=501', 'types=planet_created'])('rejects %s', async (query) => {
    expect((await org.owner.get(`events/?${query}`)).status).toBe(400);
  });

  it('never contains events of another organization', async () => {
    const otherOrganization = await core.organization();
    const after = await now();
    const theirs = await list('after=now', otherOrganization.owner);
    await otherOrganization.environment({ name: 'theirs' });
    await org.environment({ name: 'ours' });
    expect(names((await list(`after=${after}`)).results)).toEqual(['ours']);
    expect((await org.owner.get(`events/?after=${theirs.cursor}`)).status).toBe(410);
  });
});

describe('a cursor that cannot be resumed', () => {
  const parseEpoch = (cursor: string) =>
    (cursor.split('.')[1] ?? '').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

  async function expectGone(cursor: string): Promise<void> {
    for (const path of ['events/', 'events/stream/']) {
      const { status, headers, body } = await org.owner.get(`${path}?after=${encodeURIComponent(cursor)}`);
      expect([status, headers['x-error-code'], body]).toEqual([410, 'cursor_gone', { detail: expect.any(String) }]);
    }
  }

  it('returns 410 if it was never issued', () => expectGone('nonsense'));

  it('returns 410 if it is in the future', async () => {
    const epoch = parseEpoch(await now());
    await expectGone(encodeCursor({ epoch, revision: 1, ordinal: 1 }));
    await expectGone(encodeCursor({ epoch, revision: 2, ordinal: 0 }));
  });

  it('returns 410 if it is older than the stored history', async () => {
    const old = await now();
    await org.environment({ name: 'a' });
    await org.environment({ name: 'b' });
    await query(core, 'delete from changeset where organization_id = $1 and revision < 3', [org.id]);
    await expectGone(old);
    expect(names((await list()).results)).toEqual(['b']);
  });

  it('returns 410 after the history was replaced, which a running stream reports', async () => {
    const old = await now();
    const stream = await open();
    await query(core, 'update organization_head set epoch = gen_random_uuid() where organization_id = $1', [org.id]);
    await expectGone(old);
    await stream.ended;
    expect(stream.messages.at(-1)).toMatchObject({ event: 'close', data: { code: 'cursor_gone' } });
  });
});

describe('the stream of events', () => {
  it('starts with a bookmark, sends changes as they happen, and sends bookmarks while idle', async () => {
    const stream = await open();
    await stream.until(() => stream.messages.length === 1);
    expect(stream.response.headers['content-type']).toMatch('text/event-stream');
    expect(stream.messages[0]).toEqual({
      event: 'bookmark',
      id: await now(),
      data: { cursor: await now(), revision: 1 },
    });
    await org.environment({ name: 'a' });
    await stream.until(() => stream.changes.length === 1);
    const [change] = stream.messages.filter(({ event }) => event === 'change');
    expect(change?.data.object.name).toBe('a');
    expect(change?.id).toBe(change?.data.cursor);
    const received = stream.messages.length;
    await stream.until(() => stream.messages.length > received);
    expect(stream.messages.at(-1)).toMatchObject({ event: 'bookmark', id: change?.id, data: { revision: 2 } });
    stream.close();
  });

  it('responds to HEAD at once', async () => {
    const { status, headers } = await org.owner.send('HEAD', 'events/stream/');
    expect([status, headers['content-type']]).toEqual([200, expect.stringMatching('text/event-stream')]);
  });

  it('sends bookmarks that advance past events which the subscriber filtered out', async () => {
    const stream = await open('types=project_created');
    await org.environment({ name: 'a' });
    const here = await now();
    await stream.until(() => stream.messages.some(({ event, id }) => event === 'bookmark' && id === here));
    expect(stream.changes).toEqual([]);
    stream.close();
  });

  it('resumes after Last-Event-ID, which takes precedence over the query', async () => {
    const start = await now();
    await org.environment({ name: 'a' });
    const between = await now();
    await org.environment({ name: 'b' });
    const headers = { authorization: org.ownerAuthorization, 'last-event-id': between };
    const stream = await open(`after=${start}`, headers);
    await stream.until(() => stream.changes.length > 0);
    expect(names(stream.changes)).toEqual(['b']);
    stream.close();
  });

  it('sends every event once and in order to every subscriber, whenever they connect', async () => {
    const start = await now();
    const writing = writeInParallel(60);
    const streams: ListeningClient[] = [];
    for (let n = 0; n < 8; n += 1) {
      streams.push(await open(`after=${start}`));
      await sleep(10);
    }
    await writing;
    const revisions = Array.from({ length: 60 }, (_, n) => n + 2);
    for (const stream of streams) {
      await stream.until(() => stream.changes.length >= 60);
      expect(stream.changes.map(({ revision }) => revision)).toEqual(revisions);
      stream.close();
    }
  });

  it('catches up on more events than the cache holds, without a gap to new ones', async () => {
    const start = await now();
    const tip = await open();
    await insertHistory(core, org, 3_000, 'n');
    await tip.until(() => tip.changes.length === 3_000);
    const late = await open(`after=${start}`);
    await org.environment({ name: 'new' });
    await late.until(() => late.changes.some(({ object }) => object.name === 'new'));
    const expected = (await everythingAfter(start)).map(({ cursor }) => cursor);
    expect(expected).toHaveLength(3_001);
    await tip.until(() => tip.changes.length === 3_001);
    for (const stream of [tip, late]) {
      expect(stream.changes.map(({ cursor }) => cursor)).toEqual(expected);
      stream.close();
    }
  });

  it('closes a connection that the client does not read, sends the reason, and loses nothing after a reconnect', async () => {
    const start = await now();
    await insertHistory(core, org, 20_000, 'x'.repeat(500));
    const stream = await open(`after=${start}`);
    stream.response.pause();
    await sleep(4_000);
    stream.response.resume();
    await stream.ended;
    expect(stream.messages.at(-1)).toMatchObject({ event: 'close', data: { code: 'slow_consumer' } });
    const received = stream.changes.length;
    expect(received).toBeLessThan(20_000);
    const back = await open(`after=${stream.changes.at(-1)?.cursor ?? start}`);
    await back.until(() => received + back.changes.length >= 20_000);
    const ordinals = [...stream.changes, ...back.changes].map(({ object }) => Number(object.id));
    expect(ordinals).toEqual(Array.from({ length: 20_000 }, (_, n) => n + 1));
    back.close();
  });

  it('ends when the key is revoked', async () => {
    const { apiKey } = testCredentials();
    const stream = await open('', { authorization: `Api-Key ${apiKey}` });
    const prefix = apiKey.slice(0, apiKey.indexOf('.'));
    await stream.until(() => stream.messages.length > 0);
    await query(core, 'update api_key set revoked = true where prefix = $1', [prefix]);
    try {
      await stream.ended;
      expect(stream.messages.at(-1)).toMatchObject({ event: 'close', data: { code: 'credential_revoked' } });
    } finally {
      await query(core, 'update api_key set revoked = false where prefix = $1', [prefix]);
    }
  });

  it('ends for all subscribers when the process stops; another process resumes after the last cursor', async () => {
    const otherCore = await core.another();
    const headers = { authorization: org.ownerAuthorization };
    const [request] = [http.get(`${otherCore.origin}/api/v1/events/stream/`, { headers, agent: false })];
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await org.environment({ name: 'from the other process' });
    while (!text.includes('event: change')) await sleep(5);
    const whenEnded = once(response, 'close');
    await otherCore.close();
    await whenEnded;
    expect(text).toContain('event: close\ndata: {"code":"draining"');
    const lastId = [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '';
    await org.environment({ name: 'next' });
    expect(names((await list(`after=${lastId}`)).results)).toEqual(['next']);
  });
});

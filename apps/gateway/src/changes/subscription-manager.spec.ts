import { Failure, type FeedEvent } from '@strata/domain';
import { CorePool, type FollowMessage, RestClient } from '@strata/rest-client';
import { cursorAt, ScriptedCore } from '../testing/scripted-core.ts';
import { QUEUE_CAPACITY } from './bounded-queue.ts';
import { type ChangesQuery, SubscriptionManager } from './subscription-manager.ts';

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

let core: ScriptedCore;
let pool: CorePool;
let subscriptions: SubscriptionManager;

beforeEach(async () => {
  core = new ScriptedCore();
  await core.start();
  pool = new CorePool(core.origin);
  subscriptions = managerWith();
});

afterEach(async () => {
  subscriptions.close();
  await pool.close();
  await core.stop();
});

function managerWith(slowAfterMs?: number): SubscriptionManager {
  return new SubscriptionManager((authorization) => new RestClient({ pool, authorization }), slowAfterMs);
}

const subscribe = (query: Partial<ChangesQuery> = {}) =>
  subscriptions.changes({ authorization: 'Api-Key one', ...query });

async function take(changes: AsyncGenerator<FeedEvent>, count: number): Promise<number[]> {
  const taken: number[] = [];
  while (taken.length < count) {
    const { done, value } = await changes.next();
    if (done) break;
    taken.push(value.revision);
  }
  return taken;
}

const streamsOpened = () => core.requests.filter((path) => path.endsWith('/stream/')).length;

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('the stream of a credential', () => {
  it('is shared by all its subscriptions, and not by those of another credential', async () => {
    const after = cursorAt(0);
    const inputs = [{ after }, { after }, { after, authorization: 'Api-Key two' }];
    const taken = Promise.all(inputs.map((query) => take(subscribe(query), 2)));
    await until(() => streamsOpened() === 2);
    core.write(2);

    expect(await taken).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    expect(streamsOpened()).toBe(2);
  });

  it('closes with the last subscription, even if that one is idle', async () => {
    core.write(3);
    const [reading, waiting] = [subscribe({ after: cursorAt(1) }), subscribe()];
    await take(reading, 1);
    const pending = waiting.next();
    await until(() => subscriptions.streams === 1);

    await reading.return();
    expect(subscriptions.streams).toBe(1);
    await waiting.return();

    expect(await pending).toEqual({ done: true, value: undefined });
    expect(subscriptions.streams).toBe(0);
  });

  it('ends with its only subscription, even while the core is unavailable', async () => {
    await core.stop();
    const changes = subscribe();
    const pending = changes.next();
    await until(() => subscriptions.streams === 1);

    await changes.return();
    await pending;

    expect(subscriptions.streams).toBe(0);
  });
});

describe('a subscription that continues after a cursor', () => {
  it('yields the changes after the cursor and then new ones, without loss or repetition', async () => {
    core.write(1_203);
    const otherSubscription = subscribe();
    void otherSubscription.next();
    await until(() => streamsOpened() === 1);
    const changes = subscribe({ after: cursorAt(3) });

    expect(await take(changes, 700)).toEqual(numbers(4, 703));
    core.write(40);
    expect(await take(changes, 540)).toEqual(numbers(704, 1_243));
    core.write(2);
    expect(await take(changes, 2)).toEqual([1_244, 1_245]);
  });

  it('does not fetch old changes if the cursor is current', async () => {
    core.write(5);
    const changes = subscribe({ after: cursorAt(5) });
    const taken = take(changes, 1);
    await until(() => streamsOpened() === 1);
    // Gives the subscription time to join at the fifth change. If it joined later, it would have to fetch changes.
    await new Promise((resolve) => setTimeout(resolve, 50));
    core.write();

    expect(await taken).toEqual([6]);
    expect(core.requests).toEqual(['/api/v1/events/stream/']);
  });

  it('ignores a page of old changes that ends before the stream begins', async () => {
    core.write(10);
    core.listLag = 4;
    const changes = subscribe({ after: cursorAt(2) });

    expect(await take(changes, 8)).toEqual(numbers(3, 10));
  });

  it('yields only the requested changes, both old and new', async () => {
    core.write(6);
    const changes = subscribe({ after: cursorAt(6), types: ['value_updated'], projectId: 'p' });
    const taken = take(changes, 2);
    await until(() => streamsOpened() === 1);
    // The core would filter changes before the subscription joins, but the scripted core does not.
    await new Promise((resolve) => setTimeout(resolve, 50));
    core.write(6);

    expect(await taken).toEqual([8, 10]);
  });
});

const feed = (query: Partial<ChangesQuery> = {}) => subscriptions.feed({ authorization: 'Api-Key one', ...query });

/** Returns the next messages of a feed: the revision of a change, or `live at` and the revision of a bookmark. */
async function readMessages(messages: AsyncGenerator<FollowMessage>, count: number): Promise<(number | string)[]> {
  const seen: (number | string)[] = [];
  while (seen.length < count) {
    const { done, value } = await messages.next();
    if (done) break;
    seen.push(value.kind === 'change' ? value.event.revision : `live at ${value.revision}`);
  }
  return seen;
}

describe('a subscription with bookmarks', () => {
  it('starts with a bookmark: the first revision that is reported live, and the cursor to continue after', async () => {
    core.write(5);
    const messages = feed();
    expect((await messages.next()).value).toEqual({ kind: 'bookmark', cursor: cursorAt(5), revision: 5 });
    core.write();

    expect(await readMessages(messages, 1)).toEqual([6]);
  });

  it('yields a bookmark after the requested old changes, which are not repeated', async () => {
    core.write(700);
    const messages = feed({ after: cursorAt(3) });

    expect(await readMessages(messages, 698)).toEqual([...numbers(4, 700), 'live at 700']);
    core.write();
    expect(await readMessages(messages, 1)).toEqual([701]);
  });

  it('yields a bookmark after the changes that happened while the core was unavailable', async () => {
    const messages = feed({ after: cursorAt(0) });
    expect(await readMessages(messages, 1)).toEqual(['live at 0']);
    await core.stop();
    core.write(2);
    await core.start();

    const seen = await readMessages(messages, 3);
    expect(seen.filter((message) => typeof message === 'number')).toEqual([1, 2]);
    expect(seen.filter((message) => typeof message === 'string')).toHaveLength(1);
  });

  it('yields a bookmark after a burst that overflowed the queue has been delivered completely', async () => {
    const messages = feed({ after: cursorAt(0) });
    expect(await readMessages(messages, 1)).toEqual(['live at 0']);
    const burst = QUEUE_CAPACITY * 3;
    core.write(burst);
    await new Promise((resolve) => setTimeout(resolve, 100));

    expect(await readMessages(messages, burst + 1)).toEqual([...numbers(1, burst), `live at ${burst}`]);
  });

  it('yields a bookmark in place of changes that were not requested, if it has sent nothing else for a while', async () => {
    subscriptions = new SubscriptionManager((authorization) => new RestClient({ pool, authorization }), undefined, 0);
    const messages = feed({ types: ['value_deleted'] });
    expect(await readMessages(messages, 1)).toEqual(['live at 0']);
    core.write(2);

    expect(await readMessages(messages, 2)).toEqual(['live at 1', 'live at 2']);
  });
});

describe('a subscription with an interrupted stream', () => {
  it('continues after a restart of the core, and yields each change in between once', async () => {
    const changes = subscribe({ after: cursorAt(0) });
    const first = take(changes, 2);
    core.write(2);
    expect(await first).toEqual([1, 2]);

    await core.stop();
    core.write(3);
    await core.start();
    core.write(1);

    expect(await take(changes, 4)).toEqual([3, 4, 5, 6]);
  });

  it.each(['draining', 'slow_consumer'])('reconnects when the core reports %s', async (code) => {
    const changes = subscribe({ after: cursorAt(0) });
    const taken = take(changes, 3);
    await until(() => streamsOpened() === 1);
    core.write();
    core.announceClose(code);
    core.write(2);

    expect(await taken).toEqual([1, 2, 3]);
  });

  it.each`
    code                    | kind
    ${'credential_revoked'} | ${'bad_credential'}
    ${'cursor_gone'}        | ${'cursor_gone'}
  `('ends with $kind when the core reports $code', async ({ code, kind }) => {
    const changes = subscribe();
    const next = changes.next();
    await until(() => streamsOpened() === 1);
    core.announceClose(code);

    await expect(next).rejects.toMatchObject({ kind });
    expect(subscriptions.streams).toBe(0);
  });

  it('ends with the error of a rejected credential, while the next subscription connects again', async () => {
    core.error = { status: 403, code: 'bad_credential' };
    await expect(subscribe().next()).rejects.toBeInstanceOf(Failure);
    core.error = null;
    core.write(1);

    expect(await take(subscribe({ after: cursorAt(0) }), 1)).toEqual([1]);
  });

  it('delivers a burst to a slow reader, and buffers no more than one queue', async () => {
    const changes = subscribe({ after: cursorAt(0) });
    const first = take(changes, 1);
    core.write();
    expect(await first).toEqual([1]);
    const burst = QUEUE_CAPACITY * 4;
    core.write(burst);
    await new Promise((resolve) => setTimeout(resolve, 100));

    expect(await take(changes, burst)).toEqual(numbers(2, burst + 1));
  });

  it('disconnects a reader that stays behind, and returns the cursor to continue after', async () => {
    subscriptions = managerWith(50);
    const slow: string[] = [];
    const changes = subscribe({ after: cursorAt(0), onSlow: (cursor) => void slow.push(cursor) });
    core.write();
    expect(await take(changes, 1)).toEqual([1]);
    const live = take(changes, 1);
    core.write();
    expect(await live).toEqual([2]);
    core.write(QUEUE_CAPACITY + 10);
    await until(() => slow.length > 0);

    expect(slow).toEqual([cursorAt(2)]);
    await expect(changes.next()).rejects.toMatchObject({
      extensions: { code: 'SLOW_CONSUMER', cursor: cursorAt(2) },
    });
  });
});

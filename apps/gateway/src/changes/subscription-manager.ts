import { setTimeout as sleep } from 'node:timers/promises';
import { decodeCursor, Failure, type FeedEvent, type FeedEventType, isRequestedType } from '@strata/domain';
import { type FollowMessage, type RestClient, stopOnAbort } from '@strata/rest-client';
import { credentialKey } from '../credential-key.ts';
import { slowConsumerError } from '../errors.ts';
import { messageCursor, SharedFeed } from './shared-feed.ts';

/** The page size while catching up. */
const PAGE = 500;
/** A subscription that stays behind the live feed for this long is disconnected. */
const SLOW_AFTER_MS = 10_000;
/** Subscriptions with few matching changes receive a bookmark this often, so that their cursor stays current. */
const BOOKMARK_MS = 10_000;

export interface ChangeFilter {
  readonly types?: readonly FeedEventType[] | null;
  readonly projectId?: string | null;
  readonly environmentId?: string | null;
}

export interface ChangesQuery extends ChangeFilter {
  readonly authorization: string;
  /** The cursor to continue after. If absent, the subscription starts with the next change. */
  readonly after?: string | null;
  /** Called with the cursor of the last delivered change if the subscription is disconnected for being slow. */
  readonly onSlow?: (cursor: string) => void;
}

interface Member {
  readonly feed: SharedFeed;
  count: number;
}

/** All subscriptions of this gateway. Subscriptions with the same credential share one stream from the core. */
export class SubscriptionManager {
  private readonly members = new Map<string, Member>();

  constructor(
    private readonly clientFor: (authorization: string) => RestClient,
    private readonly slowAfterMs: number = SLOW_AFTER_MS,
    private readonly bookmarkMs: number = BOOKMARK_MS,
  ) {}

  /** The number of open streams to the core. */
  get streams(): number {
    return this.members.size;
  }

  /**
   * Yields the changes after the query's cursor, each exactly once and in order, also across restarts of the core.
   * Throws if retrying is pointless: the credential is rejected, the cursor is gone or the reader is too slow.
   */
  changes(query: ChangesQuery): AsyncGenerator<FeedEvent, void, undefined> {
    return stopOnAbort((signal) => changesIn(this.read(query, signal)));
  }

  /**
   * Yields changes and bookmarks. The first bookmark follows the old changes; everything after it is reported live.
   * Another one follows each recovered interruption, and idle periods without a requested change.
   */
  feed(query: ChangesQuery): AsyncGenerator<FollowMessage, void, undefined> {
    return stopOnAbort((signal) => this.read(query, signal));
  }

  close(): void {
    for (const { feed } of this.members.values()) feed.stop();
    this.members.clear();
  }

  private async *read(query: ChangesQuery, signal: AbortSignal): AsyncGenerator<FollowMessage, void, undefined> {
    const member = this.enter(query.authorization);
    const slowness = new Slowness(this.slowAfterMs, (cursor) => query.onSlow?.(cursor));
    const leave = onceOnly(() => {
      slowness.end();
      this.exit(query.authorization, member);
    });
    // A generator that waits at a `yield` for a reader who went away never gets to its `finally`.
    signal.addEventListener('abort', leave, { once: true });
    try {
      yield* this.fromFeed(query, member.feed, slowness, signal);
    } finally {
      leave();
    }
  }

  /**
   * Joins the shared feed first and reads the backlog second, so that no change is lost between them. Cursors are
   * ordered, so changes in both are delivered only once. If the queue overflows (a burst, or a slow reader), the
   * dropped changes are read as backlog.
   */
  private async *fromFeed(
    query: ChangesQuery,
    feed: SharedFeed,
    slowness: Slowness,
    signal: AbortSignal,
  ): AsyncGenerator<FollowMessage, void, undefined> {
    let position = query.after ?? null;
    let wasLive = false;
    while (!signal.aborted) {
      // A long backlog at the start does not mean that the reader is slow.
      const liveFeed = await feed.join(() => wasLive && slowness.begin(), signal);
      if (liveFeed === null) return;
      const stop = () => feed.leave(liveFeed.queue);
      signal.addEventListener('abort', stop, { once: true });
      try {
        if (position !== null && position !== liveFeed.position) {
          for await (const step of this.backlog(query, position, liveFeed.position, signal)) {
            position = step.cursor;
            slowness.at(position);
            slowness.check();
            if (step.event) yield { kind: 'change', event: step.event };
          }
        }
        position ??= liveFeed.position;
        slowness.at(position);
        if (!liveFeed.queue.overflowed) {
          slowness.end();
          wasLive = true;
          yield bookmarkAt(position);
        }
        let toldAt = performance.now();
        // The feed is ordered, so all changes after the first new one are new as well.
        let isNew = false;
        for (let message = await liveFeed.queue.next(); message; message = await liveFeed.queue.next()) {
          isNew ||= isAfter(messageCursor(message), position);
          if (!isNew && messageCursor(message) !== position) continue;
          if (!isNew && message.kind === 'change') continue;
          position = messageCursor(message);
          slowness.at(position);
          const isWanted = message.kind === 'bookmark' || matchesFilter(message.event, query);
          if (!isWanted && performance.now() - toldAt < this.bookmarkMs) continue;
          toldAt = performance.now();
          yield isWanted ? message : bookmarkAt(position);
        }
        slowness.check();
      } finally {
        signal.removeEventListener('abort', stop);
        stop();
      }
    }
  }

  /**
   * Yields the changes between two cursors, page by page, as fast as the reader accepts them. A core that lags behind
   * the streaming core may serve the pages, so the first "no more" is checked again.
   */
  private async *backlog(query: ChangesQuery, after: string, until: string, signal: AbortSignal) {
    const { events } = this.clientFor(query.authorization);
    const filter = {
      ...(query.types && { types: query.types }),
      ...(query.projectId && { project: query.projectId }),
      ...(query.environmentId && { environment: query.environmentId }),
    };
    for (let position = after, attempt = 1; !signal.aborted; ) {
      try {
        const page = await events.list({ ...filter, after: position, limit: PAGE }, signal);
        for (const event of page.results) yield { event, cursor: event.cursor };
        yield { event: null, cursor: page.cursor };
        position = page.cursor;
        attempt = 1;
        if (page.more) continue;
        if (!isBefore(position, until)) return;
        await pause(1, null, signal);
      } catch (error) {
        const isTemporary = error instanceof Failure && (error.kind === 'unavailable' || error.kind === 'limited');
        if (!isTemporary) throw error;
        await pause(attempt++, error.retryAfterSeconds, signal);
      }
    }
  }

  private enter(authorization: string): Member {
    const key = credentialKey(authorization);
    const currentMember = this.members.get(key);
    if (currentMember) {
      currentMember.count += 1;
      return currentMember;
    }
    const feed = new SharedFeed(this.clientFor(authorization).events, () => {
      // The next subscription must open a new feed instead of this one, which has ended.
      if (this.members.get(key)?.feed === feed) this.members.delete(key);
    });
    const member = { feed, count: 1 };
    this.members.set(key, member);
    return member;
  }

  private exit(authorization: string, member: Member): void {
    member.count -= 1;
    if (member.count > 0) return;
    member.feed.stop();
    const key = credentialKey(authorization);
    if (this.members.get(key) === member) this.members.delete(key);
  }
}

/** Measures how long a subscription has been behind and ends it after the limit, even if it reads nothing. */
class Slowness {
  private timer: NodeJS.Timeout | null = null;
  private cut = false;
  private cursor = '';

  constructor(
    private readonly afterMs: number,
    private readonly tell: (cursor: string) => void,
  ) {}

  at(cursor: string): void {
    this.cursor = cursor;
  }

  begin(): void {
    this.timer ??= setTimeout(() => {
      this.cut = true;
      this.tell(this.cursor);
    }, this.afterMs);
  }

  end(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  check(): void {
    if (!this.cut) return;
    throw slowConsumerError(
      'Changes occur faster than this subscription reads them. Continue after `cursor`.',
      this.cursor,
    );
  }
}

async function* changesIn(messages: AsyncIterable<FollowMessage>): AsyncGenerator<FeedEvent, void, undefined> {
  for await (const message of messages) if (message.kind === 'change') yield message.event;
}

function bookmarkAt(cursor: string): FollowMessage {
  return { kind: 'bookmark', cursor, revision: decodeCursor(cursor)?.revision ?? 0 };
}

/** Returns true if the cursors cannot be compared, because a repeated change is better than a lost one. */
function isAfter(cursor: string, position: string): boolean {
  return difference(cursor, position) > 0;
}

function isBefore(cursor: string, position: string): boolean {
  return difference(cursor, position) < 0;
}

/** Only a restored backup starts a new epoch. The core then rejects cursors of the previous epoch. */
function difference(cursor: string, position: string): number {
  const [cursorPosition, eventPosition] = [decodeCursor(cursor), decodeCursor(position)];
  if (!cursorPosition || !eventPosition || cursorPosition.epoch !== eventPosition.epoch) return 1;
  return cursorPosition.revision - eventPosition.revision || cursorPosition.ordinal - eventPosition.ordinal;
}

function onceOnly(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}

function matchesFilter(event: FeedEvent, { types, projectId, environmentId }: ChangeFilter): boolean {
  return (
    isRequestedType(event.type, types) &&
    (!projectId || event.project?.id === projectId) &&
    (!environmentId || event.environment?.id === environmentId)
  );
}

async function pause(attempt: number, seconds: number | null, signal: AbortSignal): Promise<void> {
  const ms = Math.max((seconds ?? 0) * 1_000, Math.min(2_000, 100 * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2));
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

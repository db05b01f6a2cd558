import { createClient } from 'graphql-ws/client';
import { ChangeFeed, type ChangeFeedSubscription } from '../graphql/changes.graphql.ts';
import { requestBody } from '../graphql/document.ts';
import { isSignedIn } from './session.ts';

export type FeedMessage = ChangeFeedSubscription['changeFeed'];
export type ReportedChange = NonNullable<FeedMessage['change']>;

export interface FeedListener {
  /** A change, or a bookmark without a change: all changes up to its revision have been delivered. */
  onMessage(message: FeedMessage): void;
  /** Some changes were missed and are no longer available, so everything must be refreshed. */
  onGap(): void;
  /** The connection is lost. The feed reconnects. */
  onCut(): void;
  /** The session has ended, so the feed stops. */
  onSignedOut(): void;
}

/** The time without a message after which the connection counts as lost. The gateway sends a message at least every ten seconds. */
const SILENCE_MS = 25_000;
const WAIT_MIN_MS = 400;
const WAIT_MAX_MS = 15_000;

/**
 * Receives the changes of the organization across reconnects, each exactly once. It checks the session before each connection, because the
 * browser reports no reason for a rejected websocket. Returns a function that stops the feed.
 */
export function followFeed(listener: FeedListener): () => void {
  const line = new Line();
  let isOver = false;
  let cursor: string | null = null;
  let failures = 0;

  const follow = async () => {
    if (!(await isSignedIn())) {
      isOver = true;
      return listener.onSignedOut();
    }
    for await (const message of line.messages(cursor)) {
      if (isOver) return;
      failures = 0;
      cursor = message.cursor;
      listener.onMessage(message);
    }
  };
  const run = async () => {
    while (!isOver) {
      try {
        await follow();
      } catch (error) {
        if (isCursorGone(error)) {
          cursor = null;
          listener.onGap();
        }
      }
      if (isOver) return;
      listener.onCut();
      await line.pause(waitAfter(failures));
      failures += 1;
    }
  };
  void run();
  return () => {
    isOver = true;
    line.end();
  };
}

/** Holds the current websocket, if any. */
class Line {
  private readonly client = createClient({
    url: () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`,
    // The library must not reconnect by itself, because the session is checked in between.
    retryAttempts: 0,
    connectionAckWaitTimeout: SILENCE_MS,
  });
  private readonly ended = new AbortController();
  private silence: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    // An offline browser closes the connection at once instead of waiting for the timeout.
    addEventListener('offline', this.cut, { signal: this.ended.signal });
  }

  async *messages(after: string | null): AsyncGenerator<FeedMessage> {
    try {
      this.listen();
      for await (const { data, errors } of this.client.iterate<ChangeFeedSubscription>({
        // The protocol requires a query text, although the gateway identifies the document by its hash.
        query: '',
        ...requestBody(ChangeFeed, { after }),
      })) {
        if (errors) throw errors;
        this.listen();
        if (data) yield data.changeFeed;
      }
    } finally {
      clearTimeout(this.silence);
    }
  }

  /** Waits for a delay, or until the browser is online again or the page becomes visible. */
  pause(forMs: number): Promise<void> {
    return new Promise((resolve) => {
      const abortController = new AbortController();
      const go = () => {
        clearTimeout(timer);
        abortController.abort();
        resolve();
      };
      const timer = setTimeout(go, forMs);
      addEventListener('online', go, { signal: abortController.signal });
      document.addEventListener('visibilitychange', () => document.hidden || go(), { signal: abortController.signal });
      this.ended.signal.addEventListener('abort', go, { signal: abortController.signal });
    });
  }

  end(): void {
    clearTimeout(this.silence);
    this.ended.abort();
    void this.client.dispose();
  }

  private listen(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(this.cut, SILENCE_MS);
  }

  private readonly cut = (): void => this.client.terminate();
}

/** Returns a growing delay with jitter, so that many browsers do not reconnect at the same time. */
const waitAfter = (failures: number): number =>
  Math.min(WAIT_MAX_MS, WAIT_MIN_MS * 2 ** Math.min(failures, 10)) * (0.75 + Math.random() / 2);

function isCursorGone(error: unknown): boolean {
  const errors: readonly unknown[] = Array.isArray(error) ? error : [error];
  return errors.some((error) => (error as { extensions?: { code?: string } })?.extensions?.code === 'CURSOR_EXPIRED');
}

import { createClient } from 'graphql-ws/client';
import { ChangeFeed, type ChangeFeedSubscription } from '../graphql/changes.graphql.ts';
import { requestBody } from '../graphql/document.ts';
import { isSignedIn } from './session.ts';

export type FeedMessage = ChangeFeedSubscription['changeFeed'];
export type ReportedChange = NonNullable<FeedMessage['change']>;

export interface FeedListener {
  /** A change, or without one a bookmark: everything before it was told. */
  onMessage(message: FeedMessage): void;
  /** What happened meanwhile cannot be told any more: everything must be read again. */
  onGap(): void;
  /** The line is cut; it is tried again. */
  onCut(): void;
  /** Nobody is signed in any more, so that nothing will be told. */
  onSignedOut(): void;
}

/** The gateway says something every ten seconds at least. */
const SILENCE_MS = 25_000;
const WAIT_MIN_MS = 400;
const WAIT_MAX_MS = 15_000;

/**
 * Follows the changes of the organization across lines that are cut: none is missed and none told twice. Whether somebody is
 * signed in is asked before each opening, since a websocket that is refused does not say why. Returns what ends it.
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

/** One websocket at a time. */
class Line {
  private readonly client = createClient({
    url: () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`,
    // When to come back is decided here: whether somebody is signed in is asked in between.
    retryAttempts: 0,
    connectionAckWaitTimeout: SILENCE_MS,
  });
  private readonly ended = new AbortController();
  private silence: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    // A browser that knows it is offline need not wait for the silence.
    addEventListener('offline', this.cut, { signal: this.ended.signal });
  }

  async *messages(after: string | null): AsyncGenerator<FeedMessage> {
    try {
      this.listen();
      for await (const { data, errors } of this.client.iterate<ChangeFeedSubscription>({
        // The protocol wants a text, also of who names one by its hash.
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

  /** Waits; not longer than until the browser is online again, or somebody looks at the page. */
  pause(forMs: number): Promise<void> {
    return new Promise((resolve) => {
      const over = new AbortController();
      const go = () => {
        clearTimeout(timer);
        over.abort();
        resolve();
      };
      const timer = setTimeout(go, forMs);
      addEventListener('online', go, { signal: over.signal });
      document.addEventListener('visibilitychange', () => document.hidden || go(), { signal: over.signal });
      this.ended.signal.addEventListener('abort', go, { signal: over.signal });
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

/** Longer each time, and not the same for all browsers that lost their line together. */
const waitAfter = (failures: number): number =>
  Math.min(WAIT_MAX_MS, WAIT_MIN_MS * 2 ** Math.min(failures, 10)) * (0.75 + Math.random() / 2);

function isCursorGone(error: unknown): boolean {
  const told: readonly unknown[] = Array.isArray(error) ? error : [error];
  return told.some((one) => (one as { extensions?: { code?: string } })?.extensions?.code === 'CURSOR_EXPIRED');
}

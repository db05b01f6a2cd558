import type { ServerResponse } from 'node:http';
import { type Bookmark, CLOSE_CODES, type StreamClose } from '@strata/contract';
import { encodeCursor, Failure, type Position } from '@strata/domain';
import type { LedgerEvent, LedgerPage } from '../../platform/ledger/ledger.ts';
import type { FeedReader } from './feed.service.ts';
import type { CloseCode, ListenerSession } from './listeners.ts';

/** Intervals and timeouts in milliseconds. Tests replace them through dependency injection. */
export class StreamTimes {
  /** The interval of bookmarks. They keep idle connections open, and advance the cursor of subscribers with filters. */
  readonly bookmarkMs: number = 10_000;
  /** The time that a client has to drain a full socket before the connection is closed. */
  readonly drainMs: number = 10_000;
  /** The time that a client has to read the last frame before the connection is closed. */
  readonly closingMs: number = 1_000;
}

const BUFFER_BYTES_MAX = 1_048_576;
const RETRY_MS = 2_000;

const DETAILS: Record<CloseCode, string> = {
  slow_consumer: 'Events occur faster than you read them. Connect again with the last cursor, and read faster.',
  draining: 'This process is stopping. Connect again with the last cursor.',
  credential_revoked: 'The credential has expired or was revoked.',
  cursor_gone: 'The history was replaced. Read the current state again, and continue from a new cursor.',
};

/**
 * Serves one subscriber's connection, from the first bookmark to the close frame. Buffers at most one page of events.
 */
export class EventStream {
  private lastSent = performance.now();

  constructor(
    private readonly raw: ServerResponse,
    private readonly listening: ListenerSession,
    private readonly receivable: (page: LedgerPage) => Promise<readonly LedgerEvent[]>,
    private readonly times: StreamTimes,
  ) {}

  /** Sends events until the client disconnects, stops reading, or the service closes the connection. */
  async run(reader: FeedReader): Promise<void> {
    try {
      await this.send(`retry: ${RETRY_MS}\n\n${bookmark(reader.position)}`);
      await this.sendPages(reader);
    } catch (error) {
      const code = closeCodeOf(error);
      if (code) return this.close(code);
      // Destroys the socket, so that the client reconnects with its cursor.
      this.raw.destroy();
      return;
    }
    const { closeCode } = this.listening;
    if (closeCode) this.close(closeCode);
    else this.raw.destroy();
  }

  private async sendPages(reader: FeedReader): Promise<void> {
    const { signal } = this.listening;
    while (!signal.aborted) {
      const idleMs = this.lastSent + this.times.bookmarkMs - performance.now();
      const events = await this.receivable(await reader.next(idleMs, signal));
      if (signal.aborted) return;
      const frames = events.map(frameOf);
      if (frames.length > 0) await this.send(frames.join(''));
      else if (performance.now() - this.lastSent >= this.times.bookmarkMs) await this.send(bookmark(reader.position));
    }
  }

  /** Waits until the socket has accepted the data, so that the core reads no further events for a slow client. */
  private async send(text: string): Promise<void> {
    this.lastSent = performance.now();
    if (this.raw.write(text)) return;
    if (this.raw.writableLength > BUFFER_BYTES_MAX) throw new Slow();
    if (!(await this.drained())) throw new Slow();
  }

  private drained(): Promise<boolean> {
    const { signal } = this.listening;
    return new Promise((resolve) => {
      const done = (isDrained: boolean) => {
        clearTimeout(timer);
        this.raw.off('drain', onDrain);
        signal.removeEventListener('abort', onDrain);
        resolve(isDrained);
      };
      const onDrain = () => done(true);
      const timer = setTimeout(() => done(false), this.times.drainMs);
      this.raw.once('drain', onDrain);
      signal.addEventListener('abort', onDrain);
    });
  }

  /**
   * Sends the close code and ends the response. Its header contains `connection: close`, so the server then closes the
   * connection.
   */
  private close(code: CloseCode): void {
    const frame: StreamClose = { code, detail: DETAILS[code] };
    const timer = setTimeout(() => this.raw.destroy(), this.times.closingMs);
    this.raw.once('close', () => clearTimeout(timer));
    this.raw.end(`event: close\ndata: ${JSON.stringify(frame)}\n\n`);
  }
}

class Slow extends Error {}

function closeCodeOf(error: unknown): CloseCode | null {
  if (error instanceof Slow) return 'slow_consumer';
  if (!(error instanceof Failure)) return null;
  return CLOSE_CODES.find((code) => code === error.code) ?? null;
}

function bookmark(position: Position): string {
  const cursor = encodeCursor(position);
  const data: Bookmark = { cursor, revision: position.revision };
  return `id: ${cursor}\nevent: bookmark\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Caches the frame of an event, since many subscribers receive the same one. */
const frames = new WeakMap<LedgerEvent, string>();

function frameOf(happened: LedgerEvent): string {
  const known = frames.get(happened);
  if (known !== undefined) return known;
  const frame = `id: ${happened.event.cursor}\nevent: change\ndata: ${JSON.stringify(happened.event)}\n\n`;
  frames.set(happened, frame);
  return frame;
}

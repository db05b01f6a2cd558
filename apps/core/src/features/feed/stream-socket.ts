import type { ServerResponse } from 'node:http';
import { CLOSE_CODES } from '@strata/contract';
import { Failure } from '@strata/domain';
import type { CloseCode } from './listeners.ts';

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
/** Long texts are sent in parts, so that a client that reads them has no full socket for long. */
const PART_LENGTH = 262_144;

export const CLOSE_DETAILS: Record<CloseCode, string> = {
  slow_consumer: 'Events occur faster than you read them. Connect again with the last cursor, and read faster.',
  draining: 'This process is stopping. Connect again with the last cursor.',
  credential_revoked: 'The credential has expired or was revoked.',
  cursor_gone: 'The history was replaced. Read the current state again, and continue from a new cursor.',
};

class Slow extends Error {}

/** Returns the close code for an error that ends a stream; null if the socket must be destroyed. */
export function chooseCloseCode(error: unknown): CloseCode | null {
  if (error instanceof Slow) return 'slow_consumer';
  if (!(error instanceof Failure)) return null;
  return CLOSE_CODES.find((code) => code === error.code) ?? null;
}

/** Writes a response that stays open, no faster than the client reads it. */
export class StreamSocket {
  /** A reading of `performance.now()`. */
  lastSent = performance.now();

  constructor(
    private readonly raw: ServerResponse,
    private readonly signal: AbortSignal,
    private readonly times: StreamTimes,
  ) {}

  /** Waits until the socket has accepted the data, so that the core reads no further events for a slow client. */
  async send(text: string): Promise<void> {
    const parts = text.length <= PART_LENGTH ? [text] : splitBytes(Buffer.from(text));
    for (const part of parts) {
      this.lastSent = performance.now();
      if (this.raw.write(part)) continue;
      if (this.raw.writableLength > BUFFER_BYTES_MAX) throw new Slow();
      if (!(await this.drained())) throw new Slow();
    }
  }

  /**
   * Sends the last text and ends the response. Its header contains `connection: close`, so the server then closes the
   * connection.
   */
  end(text: string): void {
    const timer = setTimeout(() => this.raw.destroy(), this.times.closingMs);
    this.raw.once('close', () => clearTimeout(timer));
    this.raw.end(text);
  }

  /** Closes the connection without a last text. */
  destroy(): void {
    this.raw.destroy();
  }

  private drained(): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (isDrained: boolean) => {
        clearTimeout(timer);
        this.raw.off('drain', onDrain);
        this.signal.removeEventListener('abort', onDrain);
        resolve(isDrained);
      };
      const onDrain = () => done(true);
      const timer = setTimeout(() => done(false), this.times.drainMs);
      this.raw.once('drain', onDrain);
      this.signal.addEventListener('abort', onDrain);
    });
  }
}

function* splitBytes(bytes: Buffer): Generator<Buffer, void> {
  for (let from = 0; from < bytes.length; from += PART_LENGTH) yield bytes.subarray(from, from + PART_LENGTH);
}

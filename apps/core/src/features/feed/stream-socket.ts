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
/** Messages are sent in parts of at most this length, so that a client that reads them has no full socket for long. */
const PART_LENGTH = 262_144;

export const CLOSE_DETAILS: Record<CloseCode, string> = {
  slow_consumer: 'Events occur faster than you read them. Connect again with the last cursor, and read faster.',
  draining: 'This process is stopping. Connect again with the last cursor.',
  credential_revoked: 'The credential has expired or was revoked.',
  cursor_gone: 'The history was replaced. Read the current state again, and continue from a new cursor.',
};

class SlowClientError extends Error {}

/** Returns the close code for an error that ends a stream; null if the socket must be destroyed. */
export function chooseCloseCode(error: unknown): CloseCode | null {
  if (error instanceof SlowClientError) return 'slow_consumer';
  if (!(error instanceof Failure)) return null;
  return CLOSE_CODES.find((code) => code === error.code) ?? null;
}

/** Writes a response that stays open, no faster than the client reads it. */
export class StreamSocket {
  /** A reading of `performance.now()`. */
  lastSent = performance.now();
  /** Whether the last message was sent in part only. */
  private isInsideMessage = false;

  constructor(
    private readonly raw: ServerResponse,
    private readonly signal: AbortSignal,
    private readonly times: StreamTimes,
  ) {}

  /** Waits until the socket has accepted the messages, so that the core reads no further events for a slow client. */
  async send(messages: readonly string[]): Promise<void> {
    for (const { data, isEnd } of toParts(messages)) {
      this.lastSent = performance.now();
      this.isInsideMessage = !isEnd;
      if (this.raw.write(data)) continue;
      if (this.raw.writableLength > BUFFER_BYTES_MAX) throw new SlowClientError();
      if (!(await this.drained())) throw new SlowClientError();
    }
  }

  /**
   * Sends the last message and ends the response. Its header contains `connection: close`, so the server then closes the
   * connection. If a message was sent in part only, the client would read the last message as the rest of it, and take
   * the event as received. Then the connection is closed without a last message.
   */
  end(message: string): void {
    if (this.isInsideMessage) {
      this.destroy();
      return;
    }
    const timer = setTimeout(() => this.raw.destroy(), this.times.closingMs);
    this.raw.once('close', () => clearTimeout(timer));
    this.raw.end(message);
  }

  /** Closes the connection without a last message. */
  destroy(): void {
    this.raw.destroy();
  }

  private drained(): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (isDrained: boolean) => {
        clearTimeout(timer);
        this.raw.off('drain', onDrain);
        this.signal.removeEventListener('abort', onDrain);
        resolve(isDrained);
      };
      const onDrain = () => finish(true);
      const timer = setTimeout(() => finish(false), this.times.drainMs);
      this.raw.once('drain', onDrain);
      this.signal.addEventListener('abort', onDrain);
    });
  }
}

interface Part {
  readonly data: string | Buffer;
  /** Whether the part ends with the end of a message. */
  readonly isEnd: boolean;
}

/** Returns the parts to send. Only messages that are longer than a part are split. */
function* toParts(messages: readonly string[]): Generator<Part, void> {
  let joinedFrames = '';
  for (const message of messages) {
    if (joinedFrames !== '' && joinedFrames.length + message.length > PART_LENGTH) {
      yield { data: joinedFrames, isEnd: true };
      joinedFrames = '';
    }
    if (message.length <= PART_LENGTH) {
      joinedFrames += message;
      continue;
    }
    const bytes = Buffer.from(message);
    for (let from = 0; from < bytes.length; from += PART_LENGTH) {
      const to = from + PART_LENGTH;
      yield { data: bytes.subarray(from, to), isEnd: to >= bytes.length };
    }
  }
  if (joinedFrames !== '') yield { data: joinedFrames, isEnd: true };
}

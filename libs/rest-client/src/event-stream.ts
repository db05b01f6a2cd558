import { Bookmark, Event, type EventPage, StreamClose } from '@strata/contract';
import { Failure, type FeedEventType } from '@strata/domain';
import { coreUnreachable } from './failure.ts';
import { type SseMessage, SseParser } from './sse.ts';
import { stoppable } from './stoppable.ts';
import type { Query, Transport } from './transport.ts';

const PATH = '/api/v1/events/';

interface EventFilter {
  readonly types?: readonly FeedEventType[];
  readonly project?: string;
  readonly environment?: string;
}

interface StreamOptions extends EventFilter {
  /** The cursor to start after. If absent, the stream starts with the next event. */
  readonly after?: string;
  readonly signal?: AbortSignal;
}

interface FollowOptions extends StreamOptions {
  /** Returns the milliseconds to wait before the nth consecutive reconnect, counted from 1. */
  readonly backoff?: (attempt: number) => number;
}

export type FollowMessage =
  | { readonly kind: 'change'; readonly event: Event }
  | ({ readonly kind: 'bookmark' } & Bookmark);
export type StreamMessage = FollowMessage | ({ readonly kind: 'close' } & StreamClose);

/** The events of the organization that the core authorizes for this credential. */
export class Events {
  constructor(private readonly transport: Transport) {}

  /** Returns one page; with `wait`, a long poll of up to thirty seconds. */
  async list(
    query: EventFilter & { readonly after?: string; readonly wait?: number; readonly limit?: number } = {},
    signal?: AbortSignal,
  ): Promise<EventPage> {
    const { body } = await this.transport.send<EventPage>({ method: 'GET', path: PATH, query: { ...query }, signal });
    if (body === null) throw coreUnreachable();
    return body;
  }

  /**
   * Opens one connection and yields its messages from the first bookmark on. Ends normally when aborted, when the
   * iterator returns (immediately, even on a silent stream), and when the core ends it. Throws `unavailable` if the
   * connection breaks.
   */
  stream(options: StreamOptions = {}): AsyncGenerator<StreamMessage, void, undefined> {
    return stoppable((signal) => this.read(options, signal), options.signal);
  }

  /**
   * Follows the events across interruptions. Reconnects with increasing delays and continues after the last cursor, so
   * that no event is lost or repeated. Throws if retrying is pointless: the credential is rejected or the cursor is
   * gone.
   */
  follow(options: FollowOptions = {}): AsyncGenerator<FollowMessage, void, undefined> {
    return stoppable((signal) => this.readOn(options, signal), options.signal);
  }

  private async *read(options: StreamOptions, signal: AbortSignal): AsyncGenerator<StreamMessage, void, undefined> {
    const { after, types, project, environment } = options;
    const query: Query = { after, types, project, environment };
    const headers = { accept: 'text/event-stream' };
    const body = await this.transport.open({ method: 'GET', path: `${PATH}stream/`, query, headers, signal });
    const decoder = new TextDecoder();
    const parser = new SseParser();
    for await (const chunk of unbroken(body)) {
      for (const message of parser.push(decoder.decode(chunk, { stream: true }))) {
        const known = streamMessage(message);
        if (known !== null) yield known;
        if (known?.kind === 'close') return;
      }
    }
  }

  private async *readOn(options: FollowOptions, signal: AbortSignal): AsyncGenerator<FollowMessage, void, undefined> {
    const { backoff = politeBackoff } = options;
    let { after } = options;
    let failures = 0;
    while (!signal.aborted) {
      let attempts = 0;
      try {
        for await (const message of this.read({ ...options, after }, signal)) {
          if (message.kind === 'close') {
            stopIfFinal(message);
            break;
          }
          failures = 0;
          after = message.kind === 'change' ? message.event.cursor : message.cursor;
          yield message;
        }
      } catch (error) {
        if (!isPassing(error)) throw error;
        attempts = (error.retryAfterSeconds ?? 0) * 1_000;
      }
      failures += 1;
      await sleep(Math.max(backoff(failures), attempts), signal);
    }
  }
}

/** Only errors of the connection itself are retried, not errors in its content. */
async function* unbroken(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body;
  } catch {
    throw coreUnreachable();
  }
}

/**
 * Returns a delay that doubles from 100 ms to 5 s. Half of it is random, so that clients do not reconnect at the same
 * time.
 */
function politeBackoff(attempt: number): number {
  const ceiling = Math.min(5_000, 100 * 2 ** (attempt - 1));
  return ceiling / 2 + (Math.random() * ceiling) / 2;
}

/** A core of the previous version does not send changesets. */
function eventOf(data: { readonly revision?: unknown }): Event {
  return Event.parse({ changeset: data.revision, message: null, ...data });
}

/** Ignores unknown messages, which a newer core may send. */
function streamMessage({ event, data }: SseMessage): StreamMessage | null {
  if (event === 'change') return { kind: 'change', event: eventOf(JSON.parse(data)) };
  if (event === 'bookmark') return { kind: 'bookmark', ...Bookmark.parse(JSON.parse(data)) };
  if (event === 'close') return { kind: 'close', ...StreamClose.parse(JSON.parse(data)) };
  return null;
}

function stopIfFinal({ code, detail }: StreamClose): void {
  if (code === 'credential_revoked') throw new Failure({ kind: 'bad_credential', code, message: detail });
  if (code === 'cursor_gone') throw new Failure({ kind: 'cursor_gone', code, message: detail });
}

function isPassing(error: unknown): error is Failure {
  return error instanceof Failure && (error.kind === 'unavailable' || error.kind === 'limited');
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, Failure, type FailureKind } from '@strata/domain';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { coreUnreachableError } from './failure.ts';
import { stopOnAbort } from './stoppable.ts';
import type { Query, Transport } from './transport.ts';

/** The default maximum length of a message. It prevents a server that never ends its message from filling the memory. */
const MESSAGE_LENGTH_MAX = 1_048_576;

/** The last message of a stream that the core ends. */
interface CloseMessage {
  readonly kind: 'close';
  readonly code: string;
  readonly detail: string;
}

/** A stream of the core. A client continues it after the cursor of the last message that it received. */
export interface CursorStream<Message extends { readonly kind: string }> {
  readonly path: string;
  readonly query: Query;
  /** The maximum characters of one message. */
  readonly messageMax?: number;
  /** Returns null for an unknown message, which a newer core may send. */
  parse(message: EventSourceMessage): Message | CloseMessage | null;
  readCursor(message: Message): string;
}

export interface StreamOptions {
  /** The cursor to start after. */
  readonly after?: string;
  readonly signal?: AbortSignal;
}

export interface FollowOptions extends StreamOptions {
  /** Returns the milliseconds to wait before the nth consecutive reconnect, counted from 1. */
  readonly backoff?: (attempt: number) => number;
}

/**
 * Opens one connection and yields its messages. Ends normally when aborted, when the iterator returns (immediately, even
 * on a silent stream), and when the core ends it. Throws `unavailable` if the connection breaks.
 */
export function readStream<Message extends { readonly kind: string }>(
  transport: Transport,
  stream: CursorStream<Message>,
  { after, signal }: StreamOptions,
): AsyncGenerator<Message | CloseMessage, void, undefined> {
  return stopOnAbort((innerSignal) => read(transport, stream, after, innerSignal), signal);
}

/**
 * Follows a stream across interruptions. Reconnects with increasing delays and continues after the last cursor, so that
 * no message is lost or repeated. Throws if retrying is pointless: the credential is rejected, the cursor is gone, or
 * the caller may no longer read the stream.
 */
export function followStream<Message extends { readonly kind: string }>(
  transport: Transport,
  stream: CursorStream<Message>,
  options: FollowOptions,
): AsyncGenerator<Message, void, undefined> {
  return stopOnAbort((signal) => readOn(transport, stream, options, signal), options.signal);
}

async function* read<Message extends { readonly kind: string }>(
  transport: Transport,
  { path, query, messageMax = MESSAGE_LENGTH_MAX, parse }: CursorStream<Message>,
  after: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Message | CloseMessage, void, undefined> {
  const headers = { accept: 'text/event-stream, application/problem+json' };
  const body = await transport.open({ method: 'GET', path, query: { after, ...query }, headers, signal });
  const decoder = new TextDecoder();
  const messages: EventSourceMessage[] = [];
  const parser = createParser({
    maxBufferSize: messageMax,
    onEvent: (message) => messages.push(message),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw new Error('A message of the stream is too long.');
    },
  });
  for await (const chunk of unbroken(body)) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    for (const message of messages.splice(0)) {
      const parsedMessage = parse(message);
      if (parsedMessage !== null) yield parsedMessage;
      if (parsedMessage?.kind === 'close') return;
    }
  }
}

async function* readOn<Message extends { readonly kind: string }>(
  transport: Transport,
  stream: CursorStream<Message>,
  options: FollowOptions,
  signal: AbortSignal,
): AsyncGenerator<Message, void, undefined> {
  const { backoff = politeBackoff } = options;
  let { after } = options;
  let failures = 0;
  while (!signal.aborted) {
    let retryAfterMs = 0;
    try {
      for await (const message of read(transport, stream, after, signal)) {
        if (isClose(message)) {
          stopIfFinal(message);
          break;
        }
        failures = 0;
        after = stream.readCursor(message);
        yield message;
      }
    } catch (error) {
      if (!isPassing(error)) throw error;
      retryAfterMs = (error.retryAfterSeconds ?? 0) * 1_000;
    }
    failures += 1;
    await pause(Math.max(backoff(failures), retryAfterMs), signal);
  }
}

/** Only errors of the connection itself are retried, not errors in its content. */
async function* unbroken(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body;
  } catch {
    throw coreUnreachableError();
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

function isClose<Message extends { readonly kind: string }>(message: Message | CloseMessage): message is CloseMessage {
  return message.kind === 'close';
}

/** The reasons after which a reconnect would fail as well. */
const FINAL: Readonly<Record<string, FailureKind>> = {
  credential_revoked: 'bad_credential',
  cursor_gone: 'cursor_gone',
  forbidden: 'forbidden',
  not_found: 'not_found',
};

function stopIfFinal({ code, detail }: CloseMessage): void {
  const kind = FINAL[code];
  if (kind) throw new Failure({ kind, code: code as ErrorCode, message: detail });
}

function isPassing(error: unknown): error is Failure {
  return error instanceof Failure && (error.kind === 'unavailable' || error.kind === 'limited');
}

/** Waits, or returns earlier if the signal is aborted. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

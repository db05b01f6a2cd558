import http from 'node:http';
import https from 'node:https';
import type { FetchFunction } from '@slack/web-api';
import { type AddressGuard, PRIVATE_ADDRESS } from '@strata/outbound';
import { type ChatResponse, type NotSentCause, readBody } from './chat-response.ts';

/**
 * The maximum length of a response. Valid responses are shorter; the limit prevents a malicious response from filling
 * the memory.
 */
const BODY_BYTES_MAX = 65_536;
const CONNECT_TIMEOUT_MS = 3_000;

/** The outcome of one request at the network level. */
export type Exchange =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: http.IncomingHttpHeaders;
      readonly text: string;
    }
  | Exclude<ChatResponse, { kind: 'answered' }>;

interface SentRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal | undefined;
  /** Absent for an address that the operator has set. */
  readonly guard?: AddressGuard;
  /** Whether status 200 is a success only with a complete body. Otherwise every status is conclusive without its body. */
  readonly requiresBody: boolean;
}

/**
 * Returns a `fetch` for one request that also records the exchange. The client library reports a refused connection, a
 * lost response, a timeout and a redirect as the same error and reads bodies of any length. Those differences decide
 * whether a message may already be in the channel. Redirects are returned and never followed.
 */
export function createObservedFetch(): { readonly fetch: FetchFunction; readonly exchange: () => Exchange | null } {
  let seenExchange: Exchange | null = null;
  const fetch: FetchFunction = async (url, init) => {
    const body = init?.body;
    if (typeof body !== 'string') throw new Error('Only text can be sent.');
    seenExchange = await sendOnce(new URL(url), {
      method: init?.method ?? 'POST',
      headers: init?.headers ?? {},
      body,
      signal: init?.signal,
      requiresBody: true,
    });
    if (seenExchange.kind !== 'answered') throw new Error(seenExchange.cause);
    return new Response(seenExchange.text, { status: seenExchange.status });
  };
  return { fetch, exchange: () => seenExchange };
}

/** Sends one request once. Never throws, never retries and never follows a redirect. */
export function sendOnce(url: URL, sentRequest: SentRequest): Promise<Exchange> {
  try {
    sentRequest.guard?.assertHost(url);
  } catch {
    return Promise.resolve({ kind: 'unsent', cause: 'private_address' });
  }
  let request: http.ClientRequest;
  try {
    request = openRequest(url, sentRequest);
  } catch (error) {
    return Promise.resolve({ kind: 'unsent', cause: unsentCause(error as NodeJS.ErrnoException) });
  }
  return new Promise((resolve) => {
    let isReached = false;
    const onFailed = (error: NodeJS.ErrnoException): void => {
      clearTimeout(timer);
      const timedOut = sentRequest.signal?.aborted === true;
      if (isReached) resolve({ kind: 'unanswered', cause: timedOut ? 'timeout' : 'connection_lost' });
      else resolve({ kind: 'unsent', cause: timedOut ? 'connect_timeout' : unsentCause(error) });
    };
    const timer = setTimeout(() => {
      request.destroy(Object.assign(new Error('No connection.'), { code: 'ETIMEDOUT' }));
    }, CONNECT_TIMEOUT_MS);
    request.once('socket', (socket) => {
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        isReached = true;
        clearTimeout(timer);
      });
    });
    request.on('error', onFailed);
    // Node reports a response that switches the protocol neither as a response nor as an error.
    request.once('close', () => onFailed(Object.assign(new Error('No response.'), { code: 'ECONNRESET' })));
    request.once('response', (response) => {
      // From here on the response reports errors, together with the status.
      request
        .off('error', onFailed)
        .removeAllListeners('close')
        .on('error', () => undefined);
      collect(response, sentRequest).then(resolve, onFailed);
    });
    request.end(sentRequest.body);
  });
}

/**
 * Uses a new connection for each message. The server may close a reused one while we write to it, and it would then be
 * unknown whether the message arrived. Throws for a URL or a header that Node cannot send.
 */
function openRequest(url: URL, { method, headers, guard, signal }: SentRequest): http.ClientRequest {
  return (url.protocol === 'https:' ? https : http).request(url, {
    method,
    headers,
    agent: false,
    ...(guard && { lookup: guard.lookup }),
    ...(signal && { signal }),
  });
}

/** Reads the body up to the limit. A status other than 200 is always conclusive, even if its body is incomplete. */
async function collect(
  response: http.IncomingMessage,
  { requiresBody, signal }: Pick<SentRequest, 'requiresBody' | 'signal'>,
): Promise<Exchange> {
  const status = response.statusCode ?? 0;
  const { headers } = response;
  const toAnswered = (text: string): Exchange => ({ kind: 'answered', status, headers, text });
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      // Leaving the loop closes the connection.
      if (length > BODY_BYTES_MAX) return toAnswered('');
      chunks.push(chunk);
    }
  } catch {
    if (!requiresBody || status !== 200) return toAnswered('');
    return { kind: 'unanswered', cause: signal?.aborted === true ? 'timeout' : 'connection_lost' };
  }
  return toAnswered(Buffer.concat(chunks).toString('utf8'));
}

function unsentCause(error: NodeJS.ErrnoException): NotSentCause {
  switch (error.code) {
    case 'ECONNREFUSED':
      return 'connection_refused';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'name_not_found';
    case 'ETIMEDOUT':
      return 'connect_timeout';
    case PRIVATE_ADDRESS:
      return 'private_address';
    default:
      return /CERT|SSL|TLS|VERIFY/.test(error.code ?? '') ? 'tls_failed' : 'unreachable';
  }
}

/** Converts the exchange to a result. */
export function toChatResponse(exchange: Exchange | null, usernameSent: boolean): ChatResponse {
  // Nothing is recorded only if no request can be made for the address.
  if (exchange === null) return { kind: 'unsent', cause: 'unreachable' };
  if (exchange.kind !== 'answered') return exchange;
  const { status, headers, text } = exchange;
  return { kind: 'answered', status, retryAfter: headers['retry-after'] ?? null, body: readBody(text), usernameSent };
}

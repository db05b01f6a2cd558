/** The fields of the chat service's response that Strata uses. */
export type ChatResponseBody =
  | { readonly ok: true; readonly ts: string }
  | { readonly ok: false; readonly error: string; readonly neededScope: string | null };

/** The result of one attempt to post a message, before it is classified. */
export type ChatResponse =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The Retry-After header as received. */
      readonly retryAfter: string | null;
      /** The parsed body. Null if it was not a JSON object of the expected kind or was too long. */
      readonly body: ChatResponseBody | null;
      /** Whether the message set a user name, which requires a separate permission. */
      readonly usernameSent: boolean;
    }
  /** The request was sent but no complete response arrived, so the message may or may not be in the channel. */
  | { readonly kind: 'unanswered'; readonly cause: 'timeout' | 'connection_lost' }
  /** The request never reached the chat service. */
  | { readonly kind: 'unsent'; readonly cause: NotSentCause };

export type NotSentCause =
  | 'connection_refused'
  | 'name_not_found'
  | 'connect_timeout'
  | 'unreachable'
  | 'tls_failed'
  | 'private_address'
  | 'malformed_token';

/** Matches the error codes of the chat service. Other texts are not repeated, because they might contain anything. */
const CODE = /^[a-z][a-z0-9_]{0,63}$/;
const SCOPE = /^[a-z][a-z0-9_:.,]{0,127}$/;

/** Parses the response body; returns null for anything that is not a response of the chat service. */
export function readBody(text: string): ChatResponseBody | null {
  const { ok, ts, error, needed } = parseObject(text);
  if (ok === true) return { ok, ts: typeof ts === 'string' ? ts.slice(0, 40) : '' };
  if (ok !== false) return null;
  return {
    ok,
    error: typeof error === 'string' && CODE.test(error) ? error : 'unreadable_error',
    neededScope: typeof needed === 'string' && SCOPE.test(needed) ? needed : null,
  };
}

type Fields = Readonly<Partial<Record<'ok' | 'ts' | 'error' | 'needed', unknown>>>;

function parseObject(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

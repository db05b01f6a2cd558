/** The part of the chat service's answer that we look at. */
export type ChatResponseBody =
  | { readonly ok: true; readonly ts: string }
  | { readonly ok: false; readonly error: string; readonly neededScope: string | null };

/** How one attempt to post ended, before anything is concluded from it. */
export type ChatResponse =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The Retry-After header as it came. */
      readonly retryAfter: string | null;
      /** Null when it was no JSON object of the expected kind, or too long. */
      readonly body: ChatResponseBody | null;
      /** Whether the message asked to appear under another name, which needs its own permission. */
      readonly usernameSent: boolean;
    }
  /** The request went out and no complete answer came: the message may or may not be in the channel. */
  | { readonly kind: 'unanswered'; readonly cause: 'timeout' | 'connection_lost' }
  /** The request never reached the chat service. */
  | { readonly kind: 'unsent'; readonly cause: UnsentCause };

export type UnsentCause =
  | 'connection_refused'
  | 'name_not_found'
  | 'connect_timeout'
  | 'unreachable'
  | 'malformed_token';

/** Error codes of the chat service are words like these; anything else is not repeated, it might hold anything. */
const CODE = /^[a-z][a-z0-9_]{0,63}$/;
const SCOPE = /^[a-z][a-z0-9_:.,]{0,127}$/;

/** Reads the answer's body; null for everything that is not an answer of the chat service. */
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

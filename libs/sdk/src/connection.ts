import { configAfterMessage, configAfterPoll } from './received-config.ts';
import { isFinal, StrataError } from './strata-error.ts';
import { backoffDelay, type Times } from './times.ts';
import type { Polled, StreamEnd } from './transport.ts';
import type { ConfigState } from './values.ts';
import type { Close, StreamedMessage } from './wire.ts';

/** The configuration as far as the program knows it, and the attempts so far. */
interface Progress {
  /** The configuration that Strata delivered last. The program can have rejected it. */
  readonly received: ConfigState | null;
  /** The position after the last message; null if the next stream has to begin with a snapshot. */
  readonly cursor: string | null;
  /** Consecutive attempts that failed or ended early. */
  readonly failures: number;
  /** Consecutive streams that ended early. */
  readonly earlyEnds: number;
  /** Consecutive periods of polling. */
  readonly periods: number;
  /** The reading of `performance.now()` until which the program polls. */
  readonly pollsUntil: number;
}

/** The connection of a program to Strata. A state names the activity that produces the next event. */
export type ConnectionState =
  /** Requests a stream, and waits for its first message. */
  | (Progress & { readonly name: 'opening'; readonly status: 'stale' | 'polling' })
  /** Reads the messages of a stream. */
  | (Progress & { readonly name: 'streaming'; readonly status: 'live' })
  /** Sends a poll. Strata waits for a change only if the status is `polling`. */
  | (Progress & { readonly name: 'polling'; readonly status: 'stale' | 'polling' })
  /** Pauses before the next attempt. */
  | (Progress & { readonly name: 'pausing'; readonly status: 'stale' | 'polling'; readonly pauseMs: number })
  /** Does nothing more. `error` is null after `close`. */
  | { readonly name: 'stopped'; readonly status: 'stopped'; readonly error: StrataError | null };

type ConnectedName = Exclude<ConnectionState['name'], 'stopped'>;
type State<Name extends ConnectedName> = Extract<ConnectionState, { readonly name: Name }>;

export type ConnectionEvent =
  | { readonly name: 'message'; readonly message: Exclude<StreamedMessage, Close> }
  /** `lastedMs` is the time since the stream was requested. `close` is the last message, if Strata ended the stream. */
  | {
      readonly name: 'ended';
      readonly end: StreamEnd;
      readonly lastedMs: number;
      readonly close: Close | null;
      readonly now: number;
    }
  /** `tookMs` is the time until the response. */
  | { readonly name: 'polled'; readonly polled: Polled; readonly tookMs: number; readonly now: number }
  | { readonly name: 'failed'; readonly error: StrataError }
  | { readonly name: 'paused'; readonly now: number };

type EventNamed<Name> = Extract<ConnectionEvent, { readonly name: Name }>;

/** The events that each state can produce. */
interface EventsOf {
  readonly opening: 'message' | 'ended' | 'failed';
  readonly streaming: 'message' | 'ended';
  readonly polling: 'polled' | 'failed';
  readonly pausing: 'paused';
}

/** The next state for each state and event. */
export type Transitions = {
  readonly [Name in ConnectedName]: {
    readonly [Event in EventsOf[Name]]: (state: State<Name>, event: EventNamed<Event>) => ConnectionState;
  };
};

/** The number of consecutive streams that end early, after which the program polls. */
const EARLY_ENDS_MAX = 3;

const NO_ATTEMPTS = { failures: 0, earlyEnds: 0, periods: 0 } as const;

export const FIRST: ConnectionState = {
  name: 'opening',
  status: 'stale',
  received: null,
  cursor: null,
  pollsUntil: 0,
  ...NO_ATTEMPTS,
};

/** `renews`: whether the program can provide another credential. */
export function createTransitions(times: Times, renews: boolean, random = Math.random): Transitions {
  const retry = (state: Progress, status: 'stale' | 'polling', leastMs = 0): State<'pausing'> => {
    const failures = state.failures + 1;
    const pauseMs = Math.max(backoffDelay(failures, times.backoffMs, random), leastMs);
    return { ...state, name: 'pausing', status, failures, pauseMs };
  };

  const pollInstead = (state: Progress, now: number): ConnectionState => {
    const periods = state.periods + 1;
    const pollsUntil = now + backoffDelay(periods, times.pollingMs, random);
    return { ...state, name: 'polling', status: 'stale', earlyEnds: 0, periods, pollsUntil };
  };

  const onClose = (state: Progress, { code, detail }: Close): ConnectionState => {
    if (code === 'forbidden' || code === 'not_found') return stoppedState(new StrataError(code, detail));
    if (code === 'credential_revoked' && !renews) return stoppedState(new StrataError('credential_rejected', detail));
    const next = retry(code === 'cursor_gone' ? { ...state, cursor: null } : state, 'stale');
    // Strata closes streams in normal operation, so the first attempt after it does not wait.
    return state.failures === 0 ? { ...next, pauseMs: 0 } : next;
  };

  const onMessage = (state: State<'opening' | 'streaming'>, { message }: EventNamed<'message'>): ConnectionState => {
    const base = state.cursor === null ? null : state.received;
    const receivedConfig = configAfterMessage(base, message) ?? state.received;
    const cursor = message.kind === 'reset' ? null : message.cursor;
    return { ...state, name: 'streaming', status: 'live', received: receivedConfig, cursor };
  };

  const onEnded = (state: State<'opening' | 'streaming'>, event: EventNamed<'ended'>): ConnectionState => {
    const { end, close, lastedMs, now } = event;
    const isSteady = lastedMs >= times.steadyMs;
    const earlyEnds = isSteady ? 0 : state.earlyEnds + (end === 'closed' ? 0 : 1);
    const next = { ...state, ...(isSteady && NO_ATTEMPTS), earlyEnds, cursor: end === 'garbled' ? null : state.cursor };
    if (close !== null) return onClose(next, close);
    return end === 'blocked' || earlyEnds >= EARLY_ENDS_MAX ? pollInstead(next, now) : retry(next, 'stale');
  };

  const onFailed = (state: State<'opening' | 'polling'>, { error }: EventNamed<'failed'>): ConnectionState => {
    const { code, retryAfterMs } = error;
    if (code === 'bad_request' && state.cursor !== null)
      return retry({ ...state, cursor: null }, state.status, retryAfterMs);
    if (isFinal(error)) return stoppedState(error);
    // If Strata evaluates the configuration again, the next poll returns it.
    if (code === 'evaluation_failed') return retry(state, state.status, retryAfterMs);
    return retry({ ...state, pollsUntil: 0 }, 'stale', retryAfterMs);
  };

  const onPolled = (state: State<'polling'>, { polled, tookMs, now }: EventNamed<'polled'>): ConnectionState => {
    const receivedConfig = configAfterPoll(state.received, polled);
    const isUnchanged = state.received !== null && receivedConfig?.digest === state.received.digest;
    // A later stream would apply its changes to an earlier configuration.
    const cursor = polled.values === undefined ? state.cursor : null;
    const next = { ...state, received: receivedConfig, cursor, failures: 0, status: 'polling' } as const;
    // A proxy can answer from its cache, and then does not wait for a change.
    const isFromCache = state.status === 'polling' && isUnchanged && tookMs < times.steadyMs;
    return isFromCache ? { ...next, name: 'pausing', pauseMs: times.steadyMs } : attempt(next, now);
  };

  return {
    opening: { message: onMessage, ended: onEnded, failed: onFailed },
    streaming: { message: onMessage, ended: onEnded },
    polling: { polled: onPolled, failed: onFailed },
    pausing: { paused: (state, { now }) => attempt(state, now) },
  };
}

function attempt(
  { pollsUntil, ...state }: Progress & { readonly status: 'stale' | 'polling' },
  now: number,
): ConnectionState {
  return { ...state, pollsUntil, name: now < pollsUntil ? 'polling' : 'opening' };
}

export function stoppedState(error: StrataError | null): ConnectionState {
  return { name: 'stopped', status: 'stopped', error };
}

/** Returns the state after an event. Throws if the state cannot produce the event, or if a message does not fit. */
export function nextState(transitions: Transitions, state: ConnectionState, event: ConnectionEvent): ConnectionState {
  const row: Partial<Record<string, (state: never, event: never) => ConnectionState>> =
    state.name === 'stopped' ? {} : transitions[state.name];
  const transition = row[event.name];
  if (transition === undefined) throw new Error(`A connection that is ${state.name} has no event ${event.name}.`);
  return transition(state as never, event as never);
}

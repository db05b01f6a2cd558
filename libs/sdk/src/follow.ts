import type { ConnectionStatus } from './config.ts';
import { type ConnectionEvent, type ConnectionState, createTransitions, FIRST, nextState } from './connection.ts';
import type { Requests } from './requests.ts';
import { StrataError } from './strata-error.ts';
import { pause, type Times } from './times.ts';
import type { ConfigTransport } from './transport.ts';
import type { ConfigState } from './values.ts';
import type { Close } from './wire.ts';

/** The events that a session handles while it follows its configuration. */
export interface ProgramEvents {
  readonly onStatus: (status: ConnectionStatus) => void;
  /** Strata delivered a configuration, or confirmed the one that it delivered last. */
  readonly onConfig: (config: ConfigState, isConfirmed: boolean) => Promise<void>;
  /** Strata cannot evaluate the configuration, so it delivers none. */
  readonly onProblem: (error: StrataError) => void;
  /** An attempt failed, and another one follows. */
  readonly onFailure: (error: StrataError) => void;
}

export interface FollowContext {
  readonly requests: Requests;
  readonly transport: ConfigTransport;
  readonly times: Times;
  readonly program: ProgramEvents;
  readonly signal: AbortSignal;
}

/**
 * Follows the configuration by streams. While streams fail but other requests work, it polls. Returns null after the
 * signal was aborted, or the error after which the program has to be changed or restarted.
 */
export async function follow(context: FollowContext): Promise<StrataError | null> {
  const { requests, times, program, signal } = context;
  const transitions = createTransitions(times, requests.renews);
  let state: ConnectionState = FIRST;

  const enter = async (event: ConnectionEvent): Promise<ConnectionState> => {
    const before = receivedIn(state);
    const next = nextState(transitions, state, event);
    state = next;
    // The session stops after it has reported the error.
    if (next.name !== 'stopped') program.onStatus(next.status);
    const receivedConfig = receivedIn(next);
    if (receivedConfig !== null && receivedConfig !== before)
      await program.onConfig(receivedConfig, receivedConfig.digest === before?.digest);
    return next;
  };

  while (state.name !== 'stopped') {
    const event = await runActivity(state, context, enter).catch(
      (error: StrataError): ConnectionEvent => ({ name: 'failed', error }),
    );
    if (signal.aborted) return null;
    const next = await enter(event);
    if (event.name === 'failed' && next.name !== 'stopped') program.onFailure(event.error);
  }
  return state.error;
}

/** Performs the activity of a state, and returns the event that ends it. A stream passes on its messages before. */
async function runActivity(
  state: Exclude<ConnectionState, { readonly name: 'stopped' }>,
  { requests, transport, times, program, signal }: FollowContext,
  onEvent: (event: ConnectionEvent) => Promise<unknown>,
): Promise<ConnectionEvent> {
  const startedAt = performance.now();
  if (state.name === 'pausing') {
    await pause(state.pauseMs, signal);
    return { name: 'paused', now: performance.now() };
  }
  if (state.name === 'polling') {
    const digest = state.received?.digest ?? null;
    const waitMs = state.status === 'polling' && digest !== null ? times.pollWaitMs : 0;
    const pollResult = await transport.poll(digest, waitMs, signal);
    const now = performance.now();
    return { name: 'polled', polled: pollResult, tookMs: now - startedAt, now };
  }
  let close: Close | null = null;
  const end = await transport.stream(state.cursor, signal, async (message) => {
    if (message.kind === 'close') {
      close = message;
      if (message.code === 'credential_revoked') requests.expire();
      return;
    }
    await onEvent({ name: 'message', message });
    if (message.kind === 'problem') program.onProblem(evaluationError(message.detail, message.names));
  });
  const now = performance.now();
  return { name: 'ended', end, close, lastedMs: now - startedAt, now };
}

const receivedIn = (state: ConnectionState): ConfigState | null => (state.name === 'stopped' ? null : state.received);

function evaluationError(detail: string, names: readonly string[]): StrataError {
  const list = names.length > 0 ? ` (${names.join(', ')})` : '';
  return new StrataError('evaluation_failed', `Strata cannot evaluate the configuration${list}: ${detail}`);
}

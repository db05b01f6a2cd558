import type { Follower } from './follower.ts';
import type { Requests } from './requests.ts';
import { isFinal, StrataError } from './strata-error.ts';
import { backoffOf, pause, type Times } from './times.ts';
import type { ConfigTransport } from './transport.ts';
import type { StreamedMessage } from './wire.ts';

type Close = Extract<StreamedMessage, { readonly kind: 'close' }>;

export interface LoopEvents {
  readonly onStatus: (status: 'live' | 'polling' | 'stale') => void;
  /** An attempt failed, and another one follows. */
  readonly onFailure: (error: StrataError) => void;
}

/** The number of consecutive streams that end early, after which the program polls. */
const EARLY_ENDS_MAX = 3;

/** Follows the configuration by streams. While streams fail but other requests work, it polls. */
export class Loop {
  /** Consecutive attempts that failed or ended early. */
  private failures = 0;
  private earlyEnds = 0;
  /** Consecutive periods of polling. */
  private periods = 0;
  private hasPolled = false;
  /** The reading of `performance.now()` until which the program polls. */
  private pollsUntil = 0;
  private close: Close | null = null;

  constructor(
    private readonly transport: ConfigTransport,
    private readonly follower: Follower,
    private readonly requests: Requests,
    private readonly times: Times,
    private readonly events: LoopEvents,
  ) {}

  /** Returns after the signal was aborted. Throws a StrataError if the program has to be changed or restarted. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await this.attempt(signal).catch((error: StrataError) => {
        if (signal.aborted) return 0;
        return this.onFailure(error);
      });
      if (waitMs > 0) await pause(waitMs, signal);
    }
  }

  /** Returns the time to wait before the next attempt. */
  private attempt(signal: AbortSignal): Promise<number> {
    return performance.now() < this.pollsUntil ? this.poll(signal) : this.stream(signal);
  }

  private async stream(signal: AbortSignal): Promise<number> {
    const startedAt = performance.now();
    this.close = null;
    const end = await this.transport.stream(this.follower.cursor, signal, async (message) => {
      if (message.kind === 'close') this.close = message;
      else this.events.onStatus('live');
      await this.follower.onMessage(message);
    });
    if (signal.aborted) return 0;
    this.events.onStatus('stale');
    if (performance.now() - startedAt >= this.times.steadyMs) this.failures = this.earlyEnds = this.periods = 0;
    else if (end !== 'closed') this.earlyEnds += 1;
    if (end === 'garbled') this.follower.restart();
    if (this.close !== null) return this.onClose(this.close);
    if (end !== 'blocked' && this.earlyEnds < EARLY_ENDS_MAX) return this.retry();
    this.earlyEnds = 0;
    this.periods += 1;
    this.pollsUntil = performance.now() + backoffOf(this.periods, this.times.pollingMs);
    this.hasPolled = false;
    return 0;
  }

  private async poll(signal: AbortSignal): Promise<number> {
    const startedAt = performance.now();
    const { digest } = this.follower;
    const waits = this.hasPolled && digest !== null;
    const polled = await this.transport.poll(digest, waits ? this.times.pollWaitMs : 0, signal);
    this.hasPolled = true;
    this.events.onStatus('polling');
    this.failures = 0;
    await this.follower.onPoll(polled);
    // A proxy can answer from its cache, and then does not wait for a change.
    const hasWaited = performance.now() - startedAt >= this.times.steadyMs;
    return waits && this.follower.digest === digest && !hasWaited ? this.times.steadyMs : 0;
  }

  private onClose({ code, detail }: Close): number {
    if (code === 'forbidden' || code === 'not_found') throw new StrataError(code, detail);
    if (code === 'credential_revoked') {
      if (!this.requests.renews) throw new StrataError('credential_rejected', detail);
      this.requests.expire();
    }
    if (code === 'cursor_gone') this.follower.restart();
    const waitMs = this.retry();
    return this.failures === 1 ? 0 : waitMs;
  }

  private onFailure(error: StrataError): number {
    const mayHaveBadCursor = error.code === 'bad_request' && this.follower.cursor !== null;
    if (isFinal(error) && !mayHaveBadCursor) throw error;
    if (mayHaveBadCursor) this.follower.restart();
    // If Strata evaluates the configuration again, the next poll returns it.
    else if (error.code !== 'evaluation_failed') {
      this.pollsUntil = 0;
      this.events.onStatus('stale');
    }
    this.events.onFailure(error);
    return Math.max(this.retry(), error.retryAfterMs);
  }

  private retry(): number {
    this.failures += 1;
    return backoffOf(this.failures, this.times.backoffMs);
  }
}

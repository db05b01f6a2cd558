/** A write, as far as the observer of its batch needs it. */
export interface ObservedWrite {
  /** When the write began to wait, and when it was taken from the queue, on this process's monotonic clock. */
  readonly since: number;
  readonly takenAt: number;
  /** The trace of its request, as `traceContext` returned it. */
  readonly trace: string | null;
}

/**
 * The work that the core reports while it is observed. It knows nothing about metrics, traces and exporters; `telemetry`
 * implements it.
 */
export interface CoreObserver {
  /** Returns the W3C trace context of the running work, which is short and contains only random ids; null without one. */
  traceContext(): string | null;
  /** A statement is sent. Call the returned function once with its error, or with null when its response has arrived. */
  statement(text: string): (error: unknown) => void;
  /** A request waits for a connection of the pool. Call the returned function at the end of the wait. */
  connectionWait(): () => void;
  /** Runs a batch of writes in the trace of its first one. `work` returns the writes of the batch. */
  writeBatch(first: string | null, work: () => Promise<readonly ObservedWrite[]>): Promise<void>;
  /** A read that a standby may answer was answered by the primary server for this reason, or by a standby. */
  read(reason: string | null): void;
  /** A stored response was sent, in a request of its own or in a batch. */
  storedResponse(): void;
  /** The oldest new event of an organization was read this long after its commit. */
  feedLag(seconds: number): void;
  /** An encrypted text is not the one that the core has stored. */
  rejectedSecret(): void;
  /** An attempt to sign in has ended: `succeeded`, or an error code. */
  signIn(result: string): void;
  /** The job of expirations has handled a value. */
  expiration(state: 'expired' | 'rotated' | 'failed'): void;
  /** A checkpoint was published, or not signed because the ledger is damaged. */
  checkpoint(result: 'published' | 'damaged'): void;
  /** A witness was requested to cosign a checkpoint. */
  cosignature(result: 'cosigned' | 'ahead' | 'rejected' | 'unknown_log' | 'invalid' | 'unreachable'): void;
  /** Delivers the messages of a webhook in the trace of the change that caused them. */
  delivery<Result>(trace: string | null, work: () => Promise<Result>): Promise<Result>;
  /** Sends one message to the chat service. `outcomeOf` returns the outcome and the kind of failure, if any. */
  message<Result>(
    work: () => Promise<Result>,
    outcomeOf: (result: Result) => { readonly outcome: string; readonly failure: string | null },
  ): Promise<Result>;
}

/** The observer of this process; null unless telemetry is on. */
export let coreObserver: CoreObserver | null = null;

export function setObserver(next: CoreObserver | null): void {
  coreObserver = next;
}

import type { RequestFence } from '@strata/outbound';
import { LeaseLost } from './sync-keys.ts';

/** The part of a lease in which requests may be sent. The rest is for requests that are on their way. */
const REQUEST_PART = 0.75;

/**
 * The time in which this process alone may write to the store of an integration. Requests end before the stored lease
 * does, so that a process that was paused sends nothing after another one has taken over.
 */
export class RunLease implements RequestFence {
  private readonly closing = new AbortController();
  private openUntil = 0;
  private timer: NodeJS.Timeout | null = null;

  /** `extend` extends the stored lease, and returns false if another process has it. */
  constructor(
    private readonly extend: () => Promise<boolean>,
    private readonly leaseMs: number,
  ) {}

  get signal(): AbortSignal {
    return this.closing.signal;
  }

  isOpen(): boolean {
    return !this.signal.aborted && now() < this.openUntil;
  }

  /** Throws `LeaseLost` if the lease has ended. */
  async renew(): Promise<void> {
    // The stored lease begins later than this, because the request takes time.
    const sentAt = now();
    if (this.signal.aborted || !(await this.extend())) {
      this.close();
      throw new LeaseLost();
    }
    this.openUntil = sentAt + this.leaseMs * REQUEST_PART;
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.close(), this.openUntil - now()).unref();
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer);
    this.closing.abort();
  }
}

/** Also advances while the process is paused. */
const now = (): number => performance.now();

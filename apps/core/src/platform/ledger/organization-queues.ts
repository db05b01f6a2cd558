import { setImmediate as nextTurn } from 'node:timers/promises';
import { Failure, type OrganizationId } from '@strata/domain';

/** More waiting writers of one organization could not be served before their clients time out. */
const WAITING_MAX = 500;
/** Limits the wait for further writers, if requests never stop arriving. */
const ROUNDS_MAX = 4;
/** The interval at which overdue writers are rejected. */
const LOOK_EVERY_MS = 100;

export interface QueuedWrite {
  /** The time when the write began to wait, on this process's monotonic clock, in milliseconds. */
  readonly since: number;
  /** Called if the write has waited for too long. */
  reject(reason: unknown): void;
}

/**
 * Writers of one organization wait for each other in memory, in order of arrival, so that one organization uses at most
 * one database connection for writes. The head row's lock orders the writers of several processes. The queue keeps one
 * busy organization from taking the whole pool, and lets waiting writers commit in one group. No writer waits for
 * longer than `waitMsMax`.
 */
export class OrganizationQueues<Item extends QueuedWrite> {
  private readonly queues = new Map<OrganizationId, Item[]>();
  private timer: NodeJS.Timeout | null = null;

  /** `serve` takes at least one item from the front of the queue, settles what it took, and never throws. */
  constructor(
    private readonly waitMsMax: number,
    private readonly serve: (organizationId: OrganizationId, queue: Item[]) => Promise<void>,
  ) {}

  /** Throws `contention` if too many writers wait. */
  add(organizationId: OrganizationId, item: Item): void {
    const queue = this.queues.get(organizationId);
    if (!queue) {
      const started = [item];
      this.queues.set(organizationId, started);
      void this.drain(organizationId, started);
    } else if (queue.length >= WAITING_MAX) throw contention();
    else {
      this.timer ??= setInterval(() => this.rejectOverdue(), LOOK_EVERY_MS);
      queue.push(item);
    }
  }

  private async drain(organizationId: OrganizationId, queue: Item[]): Promise<void> {
    try {
      while (queue.length > 0) {
        await waitForMoreWriters(queue);
        if (queue.length > 0) await this.serve(organizationId, queue);
      }
    } finally {
      this.queues.delete(organizationId);
    }
  }

  /** The first item of each queue has waited longest. */
  private rejectOverdue(): void {
    const waitingSince = performance.now() - this.waitMsMax;
    for (const queue of this.queues.values()) {
      while (queue[0] && queue[0].since < waitingSince) queue.shift()?.reject(contention());
    }
    if (this.queues.size > 0 || !this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}

/** Waits a few rounds of the event loop while more writers arrive: well below a millisecond. */
async function waitForMoreWriters(queue: readonly unknown[]): Promise<void> {
  for (let round = 0, previousLength = 0; round < ROUNDS_MAX && queue.length > previousLength; round += 1) {
    previousLength = queue.length;
    await nextTurn();
  }
}

function contention(): Failure {
  return new Failure({
    kind: 'unavailable',
    code: 'contention',
    message: 'Too many changes at once. Nothing was stored; try again in a moment.',
    retryAfterSeconds: 1,
  });
}

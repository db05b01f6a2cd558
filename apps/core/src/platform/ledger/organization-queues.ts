import { setImmediate as nextTurn } from 'node:timers/promises';
import { Failure, type OrganizationId } from '@strata/domain';

/** More waiting writers of one organization could not be served before their clients time out. */
const WAITING_MAX = 500;
/** Limits the wait for further writers, if requests never stop arriving. */
const ROUNDS_MAX = 4;
/** The longest wait for as many writers as there were lately. It is shorter than a transaction. */
const GATHER_MS_MAX = 2;
/** The interval at which overdue writers are rejected and unused queues are removed. */
const LOOK_EVERY_MS = 100;

export interface QueuedWrite {
  /** The time when the write began to wait, on this process's monotonic clock, in milliseconds. */
  readonly since: number;
  /** Called if the write has waited for too long. */
  reject(reason: unknown): void;
}

interface Queue<Item> {
  readonly items: Item[];
  /** How many writers there were at the end of the latest group: those it served, and those that waited. */
  writers: number;
  isDraining: boolean;
  /** Whether it was used since the timer looked at it. */
  isUsed: boolean;
  /** Called when an item arrives. */
  onArrival: () => void;
}

const doNothing = () => undefined;

/**
 * Writers of one organization wait for each other in memory, in order of arrival, so that one organization uses at most
 * one database connection for writes. The head row's lock orders the writers of several processes. The queue keeps one
 * busy organization from taking the whole pool, and lets waiting writers commit in one group. No writer waits for
 * longer than `waitMsMax`.
 */
export class OrganizationQueues<Item extends QueuedWrite> {
  private readonly queues = new Map<OrganizationId, Queue<Item>>();
  private timer: NodeJS.Timeout | null = null;

  /**
   * `serve` takes at least one item from the front of the queue, settles what it took, and never throws. It returns how
   * many items it took.
   */
  constructor(
    private readonly waitMsMax: number,
    private readonly serve: (organizationId: OrganizationId, items: Item[]) => Promise<number>,
    /** The largest number of items that `serve` takes. */
    private readonly groupMax: number,
  ) {}

  /** Throws `contention` if too many writers wait. */
  add(organizationId: OrganizationId, item: Item): void {
    const queue = this.queues.get(organizationId) ?? this.open(organizationId);
    if (queue.items.length >= WAITING_MAX) throw contentionError();
    queue.isUsed = true;
    queue.items.push(item);
    queue.onArrival();
    if (!queue.isDraining) void this.drain(organizationId, queue);
  }

  private open(organizationId: OrganizationId): Queue<Item> {
    const queue = { items: [], writers: 0, isDraining: false, isUsed: true, onArrival: doNothing };
    this.queues.set(organizationId, queue);
    this.timer ??= setInterval(() => this.look(), LOOK_EVERY_MS).unref();
    return queue;
  }

  private async drain(organizationId: OrganizationId, queue: Queue<Item>): Promise<void> {
    queue.isDraining = true;
    try {
      while (queue.items.length > 0) {
        await waitForMoreWriters(queue.items);
        await waitForGroup(queue, this.groupMax);
        if (queue.items.length > 0)
          queue.writers = (await this.serve(organizationId, queue.items)) + queue.items.length;
      }
    } finally {
      queue.isDraining = false;
    }
  }

  /** Rejects overdue writers: the first item of each queue has waited longest. Removes unused queues. */
  private look(): void {
    const waitingSince = performance.now() - this.waitMsMax;
    for (const [organizationId, queue] of this.queues) {
      const { items, isDraining, isUsed } = queue;
      while (items[0] && items[0].since < waitingSince) items.shift()?.reject(contentionError());
      if (!isDraining && !isUsed) this.queues.delete(organizationId);
      queue.isUsed = false;
    }
    if (this.queues.size > 0 || !this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}

/** Waits a few rounds of the event loop while more writers arrive: well below a millisecond. */
async function waitForMoreWriters(items: readonly unknown[]): Promise<void> {
  for (let round = 0, previousLength = 0; round < ROUNDS_MAX && items.length > previousLength; round += 1) {
    previousLength = items.length;
    await nextTurn();
  }
}

/**
 * Waits until as many writers have arrived as there were lately. Those that received their responses together write again
 * together, and a group costs less than the same writes alone.
 */
async function waitForGroup(queue: Queue<unknown>, groupMax: number): Promise<void> {
  const expected = Math.min(queue.writers, groupMax);
  if (queue.items.length >= expected) return;
  await new Promise<void>((resolve) => {
    const timeout = setTimeout(resolve, GATHER_MS_MAX);
    queue.onArrival = () => {
      if (queue.items.length < expected) return;
      clearTimeout(timeout);
      resolve();
    };
  });
  queue.onArrival = doNothing;
}

export function contentionError(): Failure {
  return new Failure({
    kind: 'unavailable',
    code: 'contention',
    message: 'Too many changes at once. Nothing was stored; try again in a moment.',
    retryAfterSeconds: 1,
  });
}

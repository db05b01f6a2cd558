import { Failure } from '@strata/domain';
import { afterRunning } from '../running-time.ts';

export interface FairQueueLimits {
  /** The limit for one holder: an organization or an address. */
  readonly perHolder: number;
  /** The limit for all holders together. */
  readonly total: number;
  /** The number of requests of one holder that may wait. */
  readonly waitingMax: number;
  /** Time in which the process does not run does not count: nothing could have been released. */
  readonly waitMsMax: number;
  /** Creates the error for a rejected entry. */
  readonly createError: () => Failure;
}

/** Returns the acquired weight to the queue. Call it once. */
export type Release = () => void;

/** An entry that waits in the queue. */
export interface WaitingEntry {
  /** Rejects if the entry waits too long or leaves the queue. */
  readonly admitted: Promise<Release>;
  leave(): void;
}

interface QueueEntry {
  readonly weight: number;
  admit(release: Release): void;
}

class Account {
  heldWeight = 0;
  readonly waiting: QueueEntry[] = [];

  /** The sequence number of the holder's last admission. A new holder starts with the current number minus one. */
  constructor(public lastServed: number) {}
}

/**
 * A limited resource that several holders share, with a limit for each. If there is no room, an entry waits. Holders
 * are served in turns, and the entries of one holder in order, so an entry waits for at most one entry of every other
 * holder.
 */
export class FairQueue {
  private readonly accounts = new Map<string, Account>();
  private totalWeight = 0;
  private waiting = 0;
  private served = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /** Returns whether the holder may acquire this weight. A holder that has acquired nothing may acquire any weight. */
  fits(holder: string, weight: number): boolean {
    const heldWeight = this.accounts.get(holder)?.heldWeight ?? 0;
    return heldWeight === 0 || heldWeight + weight <= this.limits.perHolder;
  }

  /**
   * Returns a release if there is room, otherwise a waiting entry. Throws the queue's error if too many entries wait.
   */
  enter(holder: string, requestedWeight = 1): Release | WaitingEntry {
    const account = this.findOrCreateAccount(holder);
    // an entry that exceeds the holder's limit waits until the holder has released everything
    const weight = Math.min(requestedWeight, this.limits.perHolder);
    if (account.waiting.length === 0 && this.hasRoom(account, weight)) return this.take(holder, account, weight);
    if (account.waiting.length >= this.limits.waitingMax) throw this.limits.createError();
    return this.wait(holder, account, weight);
  }

  /** Acquires the weight even if there is no room. Use it for memory that is already allocated. */
  add(holder: string, weight: number): Release {
    return this.take(holder, this.findOrCreateAccount(holder), weight);
  }

  private findOrCreateAccount(holder: string): Account {
    const existingAccount = this.accounts.get(holder);
    if (existingAccount) return existingAccount;
    const newAccount = new Account(this.served - 1);
    this.accounts.set(holder, newAccount);
    return newAccount;
  }

  private hasRoom({ heldWeight }: Account, weight: number): boolean {
    return heldWeight + weight <= this.limits.perHolder && this.totalWeight + weight <= this.limits.total;
  }

  private take(holder: string, account: Account, weight: number): Release {
    account.heldWeight += weight;
    this.totalWeight += weight;
    this.served += 1;
    account.lastServed = this.served;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      account.heldWeight -= weight;
      this.totalWeight -= weight;
      this.serve();
      this.deleteIdle(holder, account);
    };
  }

  private wait(holder: string, account: Account, weight: number): WaitingEntry {
    const { promise, resolve, reject } = Promise.withResolvers<Release>();
    const entry: QueueEntry = {
      weight,
      admit: (release) => {
        cancel();
        resolve(release);
      },
    };
    const leave = () => {
      cancel();
      const at = account.waiting.indexOf(entry);
      if (at < 0) return;
      account.waiting.splice(at, 1);
      this.waiting -= 1;
      reject(this.limits.createError());
      // the entry behind this one may be lighter
      this.serve();
      this.deleteIdle(holder, account);
    };
    const cancel = afterRunning(this.limits.waitMsMax, leave);
    account.waiting.push(entry);
    this.waiting += 1;
    return { admitted: promise, leave };
  }

  private deleteIdle(holder: string, { heldWeight, waiting }: Account): void {
    if (heldWeight === 0 && waiting.length === 0) this.accounts.delete(holder);
  }

  /**
   * Admits entries of the holder that was served longest ago. If its entry is too heavy for now, other holders wait,
   * too.
   */
  private serve(): void {
    while (this.waiting > 0) {
      const [holder, account] = this.nextInTurn() ?? [];
      const next = account?.waiting[0];
      if (holder === undefined || !account || !next) return;
      if (this.totalWeight + next.weight > this.limits.total) return;
      account.waiting.shift();
      this.waiting -= 1;
      next.admit(this.take(holder, account, next.weight));
    }
  }

  /** Skips holders whose next entry exceeds their own limit. */
  private nextInTurn(): readonly [string, Account] | null {
    let first: readonly [string, Account] | null = null;
    for (const entry of this.accounts) {
      const [, account] = entry;
      const [firstEntry] = account.waiting;
      if (!firstEntry || account.heldWeight + firstEntry.weight > this.limits.perHolder) continue;
      if (first === null || account.lastServed < first[1].lastServed) first = entry;
    }
    return first;
  }
}

/** Spreads the retries of clients that were rejected at the same time. */
const RETRY_AFTER_SECONDS_MAX = 5;

export function overloadedError(): Failure {
  return new Failure({
    kind: 'unavailable',
    code: 'overloaded',
    message: 'Your organization exceeds its share of the service. The request had no effect; try again in a moment.',
    retryAfterSeconds: 1 + Math.floor(Math.random() * RETRY_AFTER_SECONDS_MAX),
  });
}

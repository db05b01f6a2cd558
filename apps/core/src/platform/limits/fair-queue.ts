import { Failure } from '@strata/domain';

export interface FairQueueLimits {
  /** How much one of them may hold: an organization, an address. */
  readonly perHolder: number;
  /** How much all of them together may hold. */
  readonly total: number;
  /** How many requests of one holder may wait. */
  readonly waitingMax: number;
  readonly waitMsMax: number;
  /** What is told to whom nothing can be given. */
  readonly refusal: () => Failure;
}

/** Gives back what was held; to be called once. */
export type Release = () => void;

/** A place in the queue. */
export interface Waiting {
  /** Rejects with the refusal when it takes too long, or the place is given up. */
  readonly admitted: Promise<Release>;
  leave(): void;
}

interface Place {
  readonly weight: number;
  admit(release: Release): void;
}

class Account {
  held = 0;
  readonly waiting: Place[] = [];

  /** The number of the last time that it was served, or of the time before it came. */
  constructor(public lastServed: number) {}
}

/**
 * Something that several share, each up to a part. Whoever finds no room waits; those who wait are served in turns, one holder
 * after the other and each in its own order, so that nobody waits for more than one of everybody else's.
 */
export class FairQueue {
  private readonly accounts = new Map<string, Account>();
  private held = 0;
  private waiting = 0;
  private served = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /** Whether somebody may hold so much more. Whoever holds nothing may hold anything. */
  fits(holder: string, weight: number): boolean {
    const held = this.accounts.get(holder)?.held ?? 0;
    return held === 0 || held + weight <= this.limits.perHolder;
  }

  /** A release where there is room, otherwise a place in the queue. Throws the refusal when too many wait already. */
  enter(holder: string, asked = 1): Release | Waiting {
    const account = this.accountOf(holder);
    // whatever is heavier than a part waits until the part is empty
    const weight = Math.min(asked, this.limits.perHolder);
    if (account.waiting.length === 0 && this.hasRoom(account, weight)) return this.take(holder, account, weight);
    if (account.waiting.length >= this.limits.waitingMax) throw this.limits.refusal();
    return this.wait(holder, account, weight);
  }

  /** Holds it whether or not there is room, for what is there already. */
  add(holder: string, weight: number): Release {
    return this.take(holder, this.accountOf(holder), weight);
  }

  private accountOf(holder: string): Account {
    const known = this.accounts.get(holder);
    if (known) return known;
    const made = new Account(this.served - 1);
    this.accounts.set(holder, made);
    return made;
  }

  private hasRoom({ held }: Account, weight: number): boolean {
    return held + weight <= this.limits.perHolder && this.held + weight <= this.limits.total;
  }

  private take(holder: string, account: Account, weight: number): Release {
    account.held += weight;
    this.held += weight;
    this.served += 1;
    account.lastServed = this.served;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      account.held -= weight;
      this.held -= weight;
      this.serve();
      this.forgetIdle(holder, account);
    };
  }

  private wait(holder: string, account: Account, weight: number): Waiting {
    const { promise, resolve, reject } = Promise.withResolvers<Release>();
    const place: Place = {
      weight,
      admit: (release) => {
        clearTimeout(timer);
        resolve(release);
      },
    };
    const leave = () => {
      clearTimeout(timer);
      const at = account.waiting.indexOf(place);
      if (at < 0) return;
      account.waiting.splice(at, 1);
      this.waiting -= 1;
      reject(this.limits.refusal());
      // whoever stood behind may be lighter
      this.serve();
      this.forgetIdle(holder, account);
    };
    const timer = setTimeout(leave, this.limits.waitMsMax);
    account.waiting.push(place);
    this.waiting += 1;
    return { admitted: promise, leave };
  }

  private forgetIdle(holder: string, { held, waiting }: Account): void {
    if (held === 0 && waiting.length === 0) this.accounts.delete(holder);
  }

  /** Whoever was served longest ago comes first, and is not overtaken by others if it is too heavy for now. */
  private serve(): void {
    while (this.waiting > 0) {
      const [holder, account] = this.nextInTurn() ?? [];
      const next = account?.waiting[0];
      if (holder === undefined || !account || !next) return;
      if (this.held + next.weight > this.limits.total) return;
      account.waiting.shift();
      this.waiting -= 1;
      next.admit(this.take(holder, account, next.weight));
    }
  }

  /** Of those who wait for others, not for themselves. */
  private nextInTurn(): readonly [string, Account] | null {
    let first: readonly [string, Account] | null = null;
    for (const entry of this.accounts) {
      const [, account] = entry;
      const [place] = account.waiting;
      if (!place || account.held + place.weight > this.limits.perHolder) continue;
      if (first === null || account.lastServed < first[1].lastServed) first = entry;
    }
    return first;
  }
}

/** Those who were refused together shall not come back together. */
const RETRY_AFTER_SECONDS_MAX = 5;

export function overloaded(): Failure {
  return new Failure({
    kind: 'unavailable',
    code: 'overloaded',
    message:
      'Your organization asks for more at once than its share of the service. Nothing was done; try again in a moment.',
    retryAfterSeconds: 1 + Math.floor(Math.random() * RETRY_AFTER_SECONDS_MAX),
  });
}

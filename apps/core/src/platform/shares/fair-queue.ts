import { Failure, type OrganizationId } from '@strata/domain';

export interface FairQueueLimits {
  /** How much one organization may hold. */
  readonly perOrganization: number;
  /** How much all of them together may hold. */
  readonly total: number;
  /** How many requests of one organization may wait. */
  readonly waitingMax: number;
  readonly waitMsMax: number;
}

/** Gives back what was held; to be called once. */
export type Release = () => void;

/** A place in the queue. */
export interface Waiting {
  /** Rejects with `overloaded` when it takes too long, or the place is given up. */
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
 * Something that organizations share, each up to its part. Whoever finds no room waits; those who wait are served in turns, one
 * organization after the other and each in its own order, so that nobody waits for more than one of everybody else's.
 */
export class FairQueue {
  private readonly accounts = new Map<OrganizationId, Account>();
  private held = 0;
  private waiting = 0;
  private served = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /** Whether an organization may hold so much more. Whoever holds nothing may hold anything. */
  fits(organizationId: OrganizationId, weight: number): boolean {
    const held = this.accounts.get(organizationId)?.held ?? 0;
    return held === 0 || held + weight <= this.limits.perOrganization;
  }

  /** A release where there is room, otherwise a place in the queue. Throws `overloaded` when too many wait already. */
  enter(organizationId: OrganizationId, asked = 1): Release | Waiting {
    const account = this.accountOf(organizationId);
    // whatever is heavier than a part waits until the part is empty
    const weight = Math.min(asked, this.limits.perOrganization);
    if (account.waiting.length === 0 && this.hasRoom(account, weight))
      return this.take(organizationId, account, weight);
    if (account.waiting.length >= this.limits.waitingMax) throw overloaded();
    return this.wait(organizationId, account, weight);
  }

  /** Holds it whether or not there is room, for what is there already. */
  add(organizationId: OrganizationId, weight: number): Release {
    return this.take(organizationId, this.accountOf(organizationId), weight);
  }

  private accountOf(organizationId: OrganizationId): Account {
    const known = this.accounts.get(organizationId);
    if (known) return known;
    const made = new Account(this.served - 1);
    this.accounts.set(organizationId, made);
    return made;
  }

  private hasRoom({ held }: Account, weight: number): boolean {
    return held + weight <= this.limits.perOrganization && this.held + weight <= this.limits.total;
  }

  private take(organizationId: OrganizationId, account: Account, weight: number): Release {
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
      this.forgetIdle(organizationId, account);
    };
  }

  private wait(organizationId: OrganizationId, account: Account, weight: number): Waiting {
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
      reject(overloaded());
      // whoever stood behind may be lighter
      this.serve();
      this.forgetIdle(organizationId, account);
    };
    const timer = setTimeout(leave, this.limits.waitMsMax);
    account.waiting.push(place);
    this.waiting += 1;
    return { admitted: promise, leave };
  }

  private forgetIdle(organizationId: OrganizationId, { held, waiting }: Account): void {
    if (held === 0 && waiting.length === 0) this.accounts.delete(organizationId);
  }

  /** Whoever was served longest ago comes first, and is not overtaken by others if it is too heavy for now. */
  private serve(): void {
    while (this.waiting > 0) {
      const [organizationId, account] = this.nextInTurn() ?? [];
      const next = account?.waiting[0];
      if (organizationId === undefined || !account || !next) return;
      if (this.held + next.weight > this.limits.total) return;
      account.waiting.shift();
      this.waiting -= 1;
      next.admit(this.take(organizationId, account, next.weight));
    }
  }

  /** Of those who wait for others, not for themselves. */
  private nextInTurn(): readonly [OrganizationId, Account] | null {
    let first: readonly [OrganizationId, Account] | null = null;
    for (const entry of this.accounts) {
      const [, account] = entry;
      const [place] = account.waiting;
      if (!place || account.held + place.weight > this.limits.perOrganization) continue;
      if (first === null || account.lastServed < first[1].lastServed) first = entry;
    }
    return first;
  }
}

/** Those who were refused together shall not come back together. */
const RETRY_AFTER_SECONDS_MAX = 5;

export function overloaded(): Failure {
  return new Failure(
    'unavailable',
    'overloaded',
    'Your organization asks for more at once than its share of the service. Nothing was done; try again in a moment.',
    'detail',
    [],
    1 + Math.floor(Math.random() * RETRY_AFTER_SECONDS_MAX),
  );
}

import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { MASK, type OrganizationId } from '@strata/domain';
import { CpuTurns } from './cpu-turns.ts';
import { type FairQueue, overloaded, type Release, type Waiting } from './fair-queue.ts';

/** What requests of all organizations share. */
export interface SharedQueues {
  /** Places to read rows and to make answers of them: as many as there are connections. */
  readonly work: FairQueue;
  /** Bytes that answers take while they are made and sent. */
  readonly memory: FairQueue;
}

/**
 * What one request holds of its organization's share. It holds nothing until it reads rows, so that an answer that is at hand
 * costs nothing here.
 */
export class RequestLimits {
  private slotAcquired: Promise<void> | null = null;
  private slot: Release | null = null;
  private readonly memory: Release[] = [];
  private waiting: Waiting | null = null;
  /** The answer is on its way; nothing more is read for it. */
  private isAnswered = false;
  private isWatchingConnection = false;
  /** All of it was sent, or nobody is there any more to read it. */
  private isClosed = false;

  constructor(
    private readonly resources: SharedQueues,
    readonly organizationId: OrganizationId,
    private readonly raw: ServerResponse<IncomingMessage>,
    /** A write takes no part: writes of an organization wait for each other anyway, and one that is done must be told. */
    private isRead: boolean,
  ) {}

  /** For what writes nothing, whatever its method. */
  limitAsRead(): void {
    this.isRead = true;
  }

  /** Before rows are read, as often as one likes: waits for a place to work at. Throws `overloaded`. */
  acquireSlot(): Promise<void> {
    this.slotAcquired ??= this.enterWorkQueue();
    return this.slotAcquired;
  }

  /**
   * Before something is read or made that takes so many bytes until it has been sent. Whoever waits for them has no place to
   * work at meanwhile, so that those who want little can go on. Throws `overloaded`.
   */
  async reserveMemory(bytes: number): Promise<void> {
    // whoever holds some must not wait for more: others of them may do the same
    if (this.hasReservedMemory || !this.isRead) return this.addMemory(bytes);
    this.releaseSlot();
    this.memory.push(await this.enter(this.resources.memory, bytes));
    await this.enterWorkQueue();
  }

  /** Whether what it takes was accounted for before it was made. */
  get hasReservedMemory(): boolean {
    return this.memory.length > 0;
  }

  /** Whether so many bytes more are within the organization's share. */
  canAddMemory(bytes: number): boolean {
    return this.resources.memory.fits(this.organizationId, bytes);
  }

  /** Accounts for what is there already, until it has been sent. */
  addMemory(bytes: number): void {
    this.watchConnection();
    this.memory.push(this.resources.memory.add(this.organizationId, bytes));
    if (this.isClosed && this.isAnswered) this.releaseMemory();
  }

  /** Gives the place back, and the memory as soon as all is sent. False when it was told before. */
  answered(): boolean {
    if (this.isAnswered) return false;
    this.isAnswered = true;
    this.releaseSlot();
    if (this.isClosed) this.releaseMemory();
    return true;
  }

  private async enterWorkQueue(): Promise<void> {
    if (this.isAnswered || !this.isRead) return;
    const place = await this.enter(this.resources.work, 1);
    if (this.isAnswered) place();
    else this.slot = place;
  }

  private releaseSlot(): void {
    this.slot?.();
    this.slot = null;
  }

  private async enter(queue: FairQueue, weight: number): Promise<Release> {
    this.watchConnection();
    if (this.isClosed) throw overloaded();
    const entered = queue.enter(this.organizationId, weight);
    if (typeof entered === 'function') return entered;
    this.waiting = entered;
    try {
      return await entered.admitted;
    } finally {
      this.waiting = null;
    }
  }

  private watchConnection(): void {
    if (this.isWatchingConnection) return;
    this.isWatchingConnection = true;
    const { socket } = this.raw.req;
    const over = () => {
      this.raw.off('finish', over).off('close', over);
      socket.off('close', over);
      this.isClosed = true;
      // nobody would hear the answer that is waited for
      this.waiting?.leave();
      if (this.isAnswered) this.releaseMemory();
    };
    this.raw.once('finish', over).once('close', over);
    // a request that was sent behind others may never get a response of its own to close
    socket.once('close', over);
    if (socket.destroyed) over();
  }

  private releaseMemory(): void {
    for (const release of this.memory.splice(0)) release();
  }
}

interface RequestScope {
  readonly share?: RequestLimits | undefined;
  /** The answer shows a secret in clear. */
  revealed?: true;
  /** A stored secret was validated or compared for the caller. */
  validated?: true;
  /** A stored secret was decrypted. */
  opened?: true;
}

const current = new AsyncLocalStorage<RequestScope>();

/** Carries on with a request at hand: what it awaits finds its share. */
export function withinRequest(request: RequestScope, next: () => void): void {
  current.run(request, next);
}

/** The share of the request that is being answered; undefined for what the service does on its own account. */
export function currentLimits(): RequestLimits | undefined {
  return current.getStore()?.share;
}

/** Binds work that runs later, in a queue that requests share, to the request that is current now. */
export function boundToRequest<Input, Result>(work: (input: Input) => Result): (input: Input) => Result {
  const holder = current.getStore();
  return holder ? (input) => current.run(holder, () => work(input)) : work;
}

/** A text that a response is about to show. */
export interface TextToShow {
  readonly isSecret: boolean;
  /** Whether the caller requested masks. */
  readonly isMasked: boolean;
  readonly isNull: boolean;
  /** Returns the text in clear. It is not called for a masked secret, which is not even decrypted then. */
  readonly clear: () => string | null;
}

/**
 * Returns a text as a response shows it. Every response gets its texts here: this is the only function that records a secret in clear,
 * and the access log lists the response if it is sent.
 */
export function shownText({ isSecret, isMasked, isNull, clear }: TextToShow): string | null {
  if (isSecret && isMasked) return isNull ? null : MASK;
  const text = clear();
  const scope = current.getStore();
  if (isSecret && text !== null && scope) scope.revealed = true;
  return text;
}

/**
 * Call this wherever a stored secret is validated or compared because of what the caller sent. The access log records it whatever the
 * answer is, because success says as much about the secret as a refusal.
 */
export function recordSecretValidation(): void {
  const holder = current.getStore();
  if (holder) holder.validated = true;
}

/** Called by the vault for each stored secret that it decrypts. The access log records it if the request is refused. */
export function recordSecretDecryption(): void {
  const holder = current.getStore();
  if (holder) holder.opened = true;
}

/** For what is made, but shown to nobody; or to none but who has just written it. */
export function withoutDisclosure<Result>(make: () => Result): Result {
  return current.run({ share: currentLimits() }, make);
}

/** Whether the answer to a request shows a secret in clear. */
export function hasRevealedSecret(request: object): boolean {
  return (request as RequestScope).revealed === true;
}

/** Whether the answer to a request, sent with this status, lets its caller learn something about a stored secret. */
export function hasDisclosedSecret(request: object, status: number): boolean {
  const { revealed, validated, opened } = request as RequestScope;
  if (status >= 400) return validated === true || opened === true;
  const hasBody = status >= 200 && status < 300 && status !== 204;
  return validated === true || (revealed === true && hasBody);
}

const turns = new CpuTurns();

/** For long work, after some milliseconds of it: resolves when it is its organization's turn to go on. */
export function nextTurn(): Promise<void> {
  return turns.next(currentLimits()?.organizationId ?? null);
}

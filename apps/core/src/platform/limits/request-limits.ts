import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Failure, MASK, mayReveal, type OrganizationId, type Permissions } from '@strata/domain';
import { CpuTurns } from './cpu-turns.ts';
import { type FairQueue, overloadedError, type Release, type WaitingEntry } from './fair-queue.ts';

/** The queues that requests of all organizations share. */
export interface SharedQueues {
  /** Slots to read rows and build responses, as many as there are database connections. */
  readonly work: FairQueue;
  /** The bytes of responses while the core builds and sends them. */
  readonly memory: FairQueue;
}

/**
 * The resources that one request holds of its organization's share. A request holds nothing until it reads rows, so a
 * cached response costs nothing here.
 */
export class RequestLimits {
  private slotAcquired: Promise<void> | null = null;
  private slot: Release | null = null;
  private readonly memory: Release[] = [];
  private waiting: WaitingEntry | null = null;
  /** True once the response is being sent and nothing more is read for it. */
  private isAnswered = false;
  private isWatchingConnection = false;
  /** True once the response was sent completely or the client disconnected. */
  private isClosed = false;

  constructor(
    private readonly resources: SharedQueues,
    readonly organizationId: OrganizationId,
    private readonly raw: ServerResponse<IncomingMessage>,
    /**
     * Writes take no slot: the writes of an organization already wait for each other, and the result of a committed
     * write must be returned.
     */
    private isRead: boolean,
  ) {}

  /** Applies the limits of a read to a request that writes nothing but uses the method of a write. */
  limitAsRead(): void {
    this.isRead = true;
  }

  /** Whether the request writes nothing. */
  get isReadOnly(): boolean {
    return this.isRead;
  }

  /** Waits for a slot before the request reads rows. You can call it several times. Throws `overloaded`. */
  acquireSlot(): Promise<void> {
    this.slotAcquired ??= this.enterWorkQueue();
    return this.slotAcquired;
  }

  /**
   * Waits for memory before the request reads or builds that many bytes; they count until they are sent. The request
   * releases its slot while it waits, so that smaller requests continue. Throws `overloaded`.
   */
  async reserveMemory(bytes: number): Promise<void> {
    // a request that holds memory must not wait for more: two such requests would wait for each other
    if (this.hasReservedMemory || !this.isRead) return this.addMemory(bytes);
    this.releaseSlot();
    this.slotAcquired = null;
    this.memory.push(await this.enter(this.resources.memory, bytes));
    await this.acquireSlot();
  }

  /** True if the memory was reserved before the response was built. */
  get hasReservedMemory(): boolean {
    return this.memory.length > 0;
  }

  /** Returns whether that many more bytes are within the organization's share. */
  canAddMemory(bytes: number): boolean {
    return this.resources.memory.fits(this.organizationId, bytes);
  }

  /** Counts memory that is already allocated, until it has been sent. */
  addMemory(bytes: number): void {
    this.watchConnection();
    this.memory.push(this.resources.memory.add(this.organizationId, bytes));
    if (this.isClosed && this.isAnswered) this.releaseMemory();
  }

  /**
   * Releases the slot at once, and the memory when the response has been sent. Returns false if it was called before.
   */
  answered(): boolean {
    if (this.isAnswered) return false;
    this.isAnswered = true;
    this.releaseSlot();
    if (this.isClosed) this.releaseMemory();
    return true;
  }

  /** Releases everything before the request waits for an event. It acquires resources again when it reads again. */
  pause(): void {
    this.releaseSlot();
    this.slotAcquired = null;
    this.releaseMemory();
  }

  private async enterWorkQueue(): Promise<void> {
    if (this.isAnswered || !this.isRead) return;
    const turn = await this.enter(this.resources.work, 1);
    if (this.isAnswered) turn();
    else this.slot = turn;
  }

  private releaseSlot(): void {
    this.slot?.();
    this.slot = null;
  }

  private async enter(queue: FairQueue, weight: number): Promise<Release> {
    this.watchConnection();
    if (this.isClosed) throw overloadedError();
    const turn = queue.enter(this.organizationId, weight);
    if (typeof turn === 'function') return turn;
    this.waiting = turn;
    try {
      return await turn.admitted;
    } finally {
      this.waiting = null;
    }
  }

  private watchConnection(): void {
    if (this.isWatchingConnection) return;
    this.isWatchingConnection = true;
    const { socket } = this.raw.req;
    const giveUp = () => {
      this.raw.off('finish', giveUp).off('close', giveUp);
      socket.off('close', giveUp);
      this.isClosed = true;
      // the client has disconnected, so the request need not wait any more
      this.waiting?.leave();
      if (this.isAnswered) this.releaseMemory();
    };
    this.raw.once('finish', giveUp).once('close', giveUp);
    // a pipelined request may never get a response of its own to close
    socket.once('close', giveUp);
    if (socket.destroyed) giveUp();
  }

  private releaseMemory(): void {
    for (const release of this.memory.splice(0)) release();
  }
}

interface RequestScope {
  readonly id?: string;
  readonly share?: RequestLimits | undefined;
  /** The caller, once the request is authenticated. */
  readonly user?: Pick<Permissions, 'revealsSecrets'>;
  /** The caller lost the ability to reveal secrets while the request waited. */
  mayNotReveal?: true;
  /** The response shows a secret in clear. */
  revealed?: true;
  /** A stored secret was validated or compared for the caller. */
  validated?: true;
  /** A stored secret was decrypted. */
  opened?: true;
}

const currentScope = new AsyncLocalStorage<RequestScope>();

/** Runs `next` so that all code it awaits finds the limits of this request. */
export function runWithinRequest(request: RequestScope, next: () => void): void {
  currentScope.run(request, next);
}

/** Returns the limits of the current request, or undefined for work of the service itself. */
export function currentLimits(): RequestLimits | undefined {
  return currentScope.getStore()?.share;
}

/** Returns the id of the current request; empty for work of the service itself. */
export function currentRequestId(): string {
  return currentScope.getStore()?.id ?? '';
}

/** Binds work that runs later, in a queue that requests share, to the current request. */
export function bindToRequest<Input, Result>(work: (input: Input) => Result): (input: Input) => Result {
  const holder = currentScope.getStore();
  return holder ? (input) => currentScope.run(holder, () => work(input)) : work;
}

const MAY_NOT_SHOW =
  'You may not reveal secrets. Send mask_secrets=true (a stream: omit reveal) to get masks in their place, or ask an ADMIN for the ability to reveal secrets.';
const MAY_NOT_VALIDATE =
  'You may not reveal secrets, and the result of this request would depend on the text of a stored secret. Ask an ADMIN for the ability to reveal secrets.';

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
 * Throws 403 if the caller of the current request may not reveal secrets. Work of the service itself, and text that is
 * never shown, has no caller.
 */
function assertMayReveal(message: string, pointer?: string): void {
  const scope = currentScope.getStore();
  if (!scope || (mayReveal(scope.user ?? {}) && !scope.mayNotReveal)) return;
  throw new Failure({ kind: 'forbidden', code: 'reveal_forbidden', message, pointer });
}

/** Throws 403 if the caller of the current request may not reveal secrets. For requests that name no text yet. */
export function requireReveal(): void {
  assertMayReveal(MAY_NOT_SHOW, '/reveal');
}

/** A write calls it once it knows the permissions that hold now, because they may have changed while it waited. */
export function useCurrentPermissions(permissions: Pick<Permissions, 'revealsSecrets'>): void {
  const scope = currentScope.getStore();
  if (scope && !mayReveal(permissions)) scope.mayNotReveal = true;
}

/**
 * Returns a text as a response shows it. Every response gets its texts here, and the access log lists a response that shows a secret
 * in clear if it is sent. Only `noteRevealedSecret` records secrets besides this function. Throws 403 if the caller may not reveal secrets.
 */
export function shownText({ isSecret, isMasked, isNull, clear }: TextToShow): string | null {
  if (isSecret && isMasked) return isNull ? null : MASK;
  if (isSecret && !isNull) assertMayReveal(MAY_NOT_SHOW, '/mask_secrets');
  const text = clear();
  const scope = currentScope.getStore();
  if (isSecret && text !== null && scope) scope.revealed = true;
  return text;
}

/**
 * Call this wherever a caller's input makes the core validate or compare a stored secret. The access log records it for
 * every status, because a success reveals as much about the secret as an error. Throws 403 if the caller may not reveal
 * secrets.
 */
export function recordSecretValidation(): void {
  assertMayReveal(MAY_NOT_VALIDATE);
  const holder = currentScope.getStore();
  if (holder) holder.validated = true;
}

/**
 * Called by the vault for each stored secret that it decrypts. The access log records the secret if the request is
 * rejected.
 */
export function recordSecretDecryption(): void {
  const holder = currentScope.getStore();
  if (holder) holder.opened = true;
}

/** Use this for text that is never sent, or is sent only to the caller that has just written it. */
export function withoutDisclosure<Result>(make: () => Result): Result {
  return currentScope.run({ share: currentLimits() }, make);
}

/** Runs work that several requests share, so that nothing that it reads counts for the one that happened to start it. */
export function runOutsideRequests<Result>(work: () => Result): Result {
  return currentScope.exit(work);
}

/** Call this before a stored response that shows a secret in clear is sent again. */
export function noteRevealedSecret(request: object): void {
  (request as RequestScope).revealed = true;
}

/** Returns whether the response to a request shows a secret in clear. */
export function hasRevealedSecret(request: object): boolean {
  return (request as RequestScope).revealed === true;
}

/** Returns whether the response to a request, sent with this status, discloses anything about a stored secret. */
export function mustRecordSecretAccess(request: object, status: number): boolean {
  const { revealed, validated, opened } = request as RequestScope;
  if (status >= 400) return validated === true || opened === true;
  const hasBody = status >= 200 && status < 300 && status !== 204;
  return validated === true || (revealed === true && hasBody);
}

const turns = new CpuTurns();

/**
 * Call this in long work after some milliseconds. Resolves when the organization may continue. Before a request is
 * admitted, pass its organization or address.
 */
export function waitForTurn(holder: string | null = currentLimits()?.organizationId ?? null): Promise<void> {
  return turns.next(holder);
}

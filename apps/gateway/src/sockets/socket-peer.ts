import type { IncomingMessage } from 'node:http';
import type { SubscribePayload } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { GatewayContext } from '../context.ts';
import { credentialKey } from '../credential-key.ts';
import type { CredentialWatch } from './credential-watch.ts';
import { RejectionBudget } from './rejection-budget.ts';
import { CLOSE_REASONS, type CloseReason, SOCKET_LIMITS, type SocketUsageLimits } from './socket-limits.ts';
import { UsageCounter } from './usage-counter.ts';

/** The limits that all peers of a gateway share, by address and by credential. */
export class PeerLimits {
  readonly socketsOfAddress: UsageCounter;
  readonly socketsOfCredential: UsageCounter;
  readonly subscriptionsOfAddress: UsageCounter;
  readonly subscriptionsOfCredential: UsageCounter;

  constructor(max: SocketUsageLimits) {
    this.socketsOfAddress = new UsageCounter(max.socketsPerAddress);
    this.socketsOfCredential = new UsageCounter(max.socketsPerCredential);
    this.subscriptionsOfAddress = new UsageCounter(max.subscriptionsPerAddress);
    this.subscriptionsOfCredential = new UsageCounter(max.subscriptionsPerCredential);
  }
}

export interface PeerOptions {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  /** The address of the client. */
  readonly clientAddress: string;
  /** The address that is counted for the limits. */
  readonly address: string;
  readonly shares: PeerLimits;
  readonly watch: CredentialWatch;
  readonly close: (goodbye: CloseReason) => void;
  readonly contextFor: (
    authorization: string,
    closeSocket: (code: number, reason: string) => void,
    clientAddress: string,
  ) => GatewayContext;
  /** Sends complete, encoded messages. */
  readonly write: (message: Buffer) => Promise<void>;
}

/** The peer of a socket and the units of the shared limits that it uses. */
export class SocketPeer {
  private readonly options: Omit<PeerOptions, 'request'>;
  private authorization = '';
  private readonly rejectionBudget = new RejectionBudget();
  /** The running operations, each with the function that releases its units. */
  private readonly operations = new Map<SubscribePayload, readonly (() => void)[]>();
  private readonly releases: (() => void)[] = [];
  /** The request that opened the socket. It is dropped after the sign-in, because it takes kilobytes. */
  private upgradeRequest: IncomingMessage | null;

  constructor({ request, ...options }: PeerOptions) {
    this.upgradeRequest = request;
    this.options = options;
    const release = options.shares.socketsOfAddress.take(options.address);
    if (release) this.releases.push(release);
  }

  get request(): IncomingMessage | null {
    return this.upgradeRequest;
  }

  get write(): (message: Buffer) => Promise<void> {
    return this.options.write;
  }

  /** Whether the core has accepted its credential. */
  get isKnown(): boolean {
    return this.authorization !== '';
  }

  close(goodbye: CloseReason): void {
    this.options.close(goodbye);
  }

  /**
   * Counts the socket for its credential. Returns false if the limit is reached or the socket was closed meanwhile. The
   * socket is closed at `endsAtMs`, even if the credential is valid for longer.
   */
  signIn(authorization: string, endsAtMs: number | null): boolean {
    const { socket, shares, watch } = this.options;
    if (socket.readyState !== socket.OPEN) return false;
    const release = shares.socketsOfCredential.take(credentialKey(authorization));
    if (!release) {
      this.close(CLOSE_REASONS.sockets);
      return false;
    }
    this.authorization = authorization;
    this.upgradeRequest = null;
    this.releases.push(
      release,
      watch.join(authorization, () => this.close(CLOSE_REASONS.credential)),
    );
    if (endsAtMs !== null) {
      const timer = setTimeout(() => this.close(CLOSE_REASONS.credential), endsAtMs - Date.now()).unref();
      this.releases.push(() => clearTimeout(timer));
    }
    return true;
  }

  contextFor(): GatewayContext {
    const closeSocket = (code: number, reason: string) => this.close({ code, reason });
    return this.options.contextFor(this.authorization, closeSocket, this.options.clientAddress);
  }

  /** Counts an operation until its end. Returns the reason if the operation cannot start, else null. */
  begin(operation: SubscribePayload, isSubscription: boolean): string | null {
    if (this.operations.size >= SOCKET_LIMITS.operations) {
      return `At most ${SOCKET_LIMITS.operations} operations can run on one socket. End some, or open another socket.`;
    }
    const takenShares = isSubscription ? this.takeSubscription() : [];
    if (takenShares === null) return 'Too many subscriptions of this address or credential are open. End some.';
    this.operations.set(operation, takenShares);
    return null;
  }

  end(operation: SubscribePayload): void {
    for (const release of this.operations.get(operation) ?? []) release();
    this.operations.delete(operation);
  }

  /** Call this for each error that is sent. It disconnects a peer that sends too many invalid operations. */
  spendRejection(): void {
    if (!this.rejectionBudget.spend()) this.close(CLOSE_REASONS.rejections);
  }

  /** Releases all units after the socket was closed. */
  leave(): void {
    for (const operation of this.operations.keys()) this.end(operation);
    for (const release of this.releases.splice(0)) release();
  }

  private takeSubscription(): readonly (() => void)[] | null {
    const { shares, address } = this.options;
    const ofAddress = shares.subscriptionsOfAddress.take(address);
    const ofCredential = shares.subscriptionsOfCredential.take(credentialKey(this.authorization));
    if (ofAddress && ofCredential) return [ofAddress, ofCredential];
    ofAddress?.();
    ofCredential?.();
    return null;
  }
}

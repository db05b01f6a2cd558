import { setImmediate, setTimeout } from 'node:timers/promises';
import { decodeText } from '@strata/domain';
import { MessageType, parseMessage } from 'graphql-ws';
import type { RawData, WebSocket } from 'ws';
import { CLOSE_REASONS, type CloseReason, SOCKET_LIMITS } from './socket-limits.ts';

export interface MessageQueueOptions {
  /** Processes a message. Resolves when its response is complete; for a subscription, when it ends. */
  readonly take: (text: string) => Promise<void>;
  /** Returns whether the peer is authenticated. */
  readonly isKnown: () => boolean;
  readonly close: (goodbye: CloseReason) => void;
  readonly unreadMs: number;
}

const LOOK_AGAIN_MS = 50;

/**
 * Processes the messages of one socket no faster than the peer reads the responses, and one per turn of the event loop,
 * so that a flood on one socket does not delay others. Meanwhile the connection is paused, so unprocessed messages stay
 * in the memory of the peer.
 */
export class MessageIntake {
  /** The messages that were received but not yet processed. */
  private readonly waiting: RawData[] = [];
  private isTaking = false;
  private hasBegun = false;

  constructor(
    private readonly socket: WebSocket,
    private readonly options: MessageQueueOptions,
  ) {
    socket.on('message', (data) => this.put(data));
    // The library answers pings itself, even if the send buffer is full.
    socket.on('ping', () => this.put(null));
  }

  private put(data: RawData | null): void {
    if (!this.isOpen) return;
    if (data !== null) this.waiting.push(data);
    else if (this.socket.bufferedAmount <= SOCKET_LIMITS.unread) return;
    if (!this.isTaking) void this.takeAll();
  }

  private async takeAll(): Promise<void> {
    this.isTaking = true;
    this.socket.pause();
    do {
      await this.untilRead();
      const data = this.waiting.shift();
      if (data !== undefined && this.isOpen) this.takeBytes(data);
      await setImmediate();
    } while (this.waiting.length > 0 && this.isOpen);
    this.waiting.length = 0;
    this.isTaking = false;
    this.socket.resume();
  }

  private get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /** The library validates only frames of text, and a message can also be sent as a binary frame. */
  private takeBytes(data: RawData): void {
    const bytes = Array.isArray(data) ? Buffer.concat(data) : new Uint8Array(data);
    const { text } = decodeText(bytes);
    if (text === undefined) this.options.close(CLOSE_REASONS.notUtf8);
    else this.takeOne(text);
  }

  /** Before the acknowledgement, a client sends one `connection_init` and, while it waits, pings and pongs. */
  private takeOne(text: string): void {
    const { take, isKnown, close } = this.options;
    if (isKnown()) return void take(text);
    if (this.hasBegun) {
      const type = readType(text);
      if (type === MessageType.ConnectionInit) close(CLOSE_REASONS.repeatedInit);
      else if (type !== MessageType.Ping && type !== MessageType.Pong) close(CLOSE_REASONS.unknown);
      return;
    }
    this.hasBegun = true;
    void take(text).then(() => {
      if (!isKnown() && this.isOpen) close(CLOSE_REASONS.unknown);
    });
  }

  /** Waits until the peer reads, and closes the socket of a peer that does not. */
  private async untilRead(): Promise<void> {
    let least = Number.POSITIVE_INFINITY;
    let windowStart = performance.now();
    while (this.isOpen && this.socket.bufferedAmount > SOCKET_LIMITS.unread) {
      if (this.socket.bufferedAmount < least) {
        least = this.socket.bufferedAmount;
        windowStart = performance.now();
      } else if (performance.now() - windowStart > this.options.unreadMs) {
        return this.options.close(CLOSE_REASONS.unread);
      }
      await setTimeout(LOOK_AGAIN_MS);
    }
  }
}

/** Returns null if the text is not a message of the protocol. */
function readType(text: string): MessageType | null {
  try {
    return parseMessage(text).type;
  } catch {
    return null;
  }
}

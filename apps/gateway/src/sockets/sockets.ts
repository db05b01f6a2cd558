import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { clientNetwork, headerValues } from '@strata/domain';
import { handleProtocols, makeServer } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { isHost } from '../host.ts';
import { gatewayObserver } from '../observer.ts';
import { CredentialWatch } from './credential-watch.ts';
import { MessageIntake } from './message-intake.ts';
import { createOperations, type OperationsOptions } from './operations.ts';
import {
  CLOSE_REASONS,
  type CloseReason,
  SOCKET_LIMITS,
  type SocketTimes,
  type SocketUsageLimits,
} from './socket-limits.ts';
import { PeerLimits, type PeerOptions, SocketPeer } from './socket-peer.ts';

const PATH = '/graphql';

export interface SocketsOptions extends Omit<OperationsOptions, 'initMs'>, Pick<PeerOptions, 'contextFor'> {
  readonly allowedOrigins: readonly string[];
  readonly shares: SocketUsageLimits;
  readonly times: SocketTimes;
  /** The client address; behind a proxy, the one that the proxy reports. */
  readonly readAddress: (request: IncomingMessage) => string;
}

export interface Sockets {
  /** Returns the numbers of open websockets and running subscriptions. */
  counts(): { readonly sockets: number; readonly subscriptions: number };
  /** Makes all clients reconnect elsewhere and accepts no new ones. */
  drain(): Promise<void>;
}

/** Serves GraphQL over websockets (protocol graphql-transport-ws) on the port of the HTTP server. */
export function attachSockets(server: Server, options: SocketsOptions): Sockets {
  const { times, log } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: SOCKET_LIMITS.message,
    // Compression is off: a small compressed message could use much memory, and changes are short.
    perMessageDeflate: false,
    handleProtocols,
  });
  const graphql = makeServer<Record<string, unknown>, SocketPeer>(
    createOperations({ ...options, initMs: times.initMs }),
  );
  const shares = new PeerLimits(options.shares);
  const watch = new CredentialWatch({ isAllowed: options.isAllowed, everyMs: times.credentialMs });
  let draining = false;

  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', ignoreError);
    const address = clientNetwork(options.readAddress(request));
    const isFull = draining || sockets.clients.size >= SOCKET_LIMITS.sockets;
    const status = rejectionStatus(request, options.allowedOrigins, isFull, shares.socketsOfAddress.isFull(address));
    if (status) return rejectUpgrade(stream, status);
    sockets.handleUpgrade(request, stream, head, (socket) => open(socket, request, address));
  };

  const open = (socket: WebSocket, request: IncomingMessage, address: string) => {
    const { close, send, write } = lineTo(socket, times);
    const limits = { address, shares, watch };
    const { contextFor } = options;
    const clientAddress = options.readAddress(request);
    const peer = new SocketPeer({ socket, request, ...limits, close, contextFor, clientAddress, write });
    const onClosed = graphql.opened(
      {
        protocol: socket.protocol,
        send,
        close: (code = 1000, reason = '') => close({ code, reason }),
        // The payload of a ping is dropped, because returning it would make the response as large as the ping.
        onPing: async () => {
          if (peer.isKnown) await send('{"type":"pong"}');
        },
        onMessage: (take) => {
          const takeSafely = (text: string) =>
            take(text).catch((error: unknown) => {
              log(error);
              close(CLOSE_REASONS.broken);
            });
          new MessageIntake(socket, { take: takeSafely, isKnown: () => peer.isKnown, close, unreadMs: times.unreadMs });
        },
      },
      peer,
    );
    socket.once('close', (code, reason) => {
      peer.leave();
      onClosed(code, String(reason)).catch(log);
    });
  };

  server.on('upgrade', onUpgrade);
  return {
    counts: () => ({ sockets: sockets.clients.size, subscriptions: shares.subscriptionsOfAddress.total }),
    async drain() {
      draining = true;
      for (const socket of sockets.clients) announceClose(socket, CLOSE_REASONS.restart, times.closingMs);
      await Promise.all([...sockets.clients].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
      server.off('upgrade', onUpgrade);
    },
  };
}

/** A function within `attachSockets` would keep the request that opened the socket in memory. */
function ignoreError(): void {}

/** Processes the messages of a socket until it closes. */
function lineTo(socket: WebSocket, { pingMs, closingMs }: SocketTimes) {
  // The socket closes by itself after a message that is too long, a malformed frame or a lost connection.
  socket.on('error', () => {});
  socket.once('close', keepAlive(socket, pingMs));
  return {
    send: (text: string) => taken(socket, (done) => socket.send(text, done)),
    write: (message: Buffer) => taken(socket, (done) => socket.send(message, { binary: false }, () => done())),
    close: (goodbye: CloseReason) => announceClose(socket, goodbye, closingMs),
  };
}

/** Waits until the connection has accepted the message, which slows down the source of messages for slow readers. */
function taken(socket: WebSocket, send: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState === socket.OPEN) send(resolve);
    else resolve();
  });
}

/** Sends the close frame, and ends the connection if the peer does not respond. */
function announceClose(socket: WebSocket, { code, reason }: CloseReason, closingMs: number): void {
  // A close reason may have at most 123 bytes.
  socket.close(code, Buffer.from(reason).subarray(0, 123));
  const timer = setTimeout(() => socket.terminate(), closingMs);
  socket.once('close', () => clearTimeout(timer));
}

function keepAlive(socket: WebSocket, everyMs: number): () => void {
  let isAnswered = true;
  socket.on('pong', () => {
    isAnswered = true;
  });
  const timer = setInterval(() => {
    if (!isAnswered) return socket.terminate();
    isAnswered = false;
    socket.ping();
  }, everyMs);
  return () => clearInterval(timer);
}

/** Returns the HTTP status to reject an upgrade with. */
function rejectionStatus(
  request: IncomingMessage,
  allowedOrigins: readonly string[],
  isFull: boolean,
  isShareFull: boolean,
): number | null {
  if (request.url?.split('?')[0] !== PATH) return 404;
  const { origin, host } = request.headers;
  if (!isHost(host) || headerValues('host', request.rawHeaders).length > 1) return 400;
  if (isFull) return 503;
  if (isShareFull) return 429;
  // Programs send no origin. Pages of other sites need an allowed origin; their session is ignored anyway
  // (`requestCredentialAt`).
  if (origin === undefined || allowedOrigins.includes('*') || allowedOrigins.includes(origin)) return null;
  return URL.parse(origin)?.host === host ? null : 403;
}

/** Closes the connection, because a rejected peer could keep it open forever. */
function rejectUpgrade(stream: Duplex, status: number): void {
  gatewayObserver?.socketRejected(status);
  const retry = status === 429 || status === 503 ? 'Retry-After: 5\r\n' : '';
  stream.once('finish', () => stream.destroy());
  stream.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\n${retry}Content-Length: 0\r\n\r\n`);
}

import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type ExecutionArgs,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { type Context, handleProtocols, makeServer, type SubscribePayload } from 'graphql-ws';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { type SocketSubscription, subscribeShared } from './changes/shared-messages.ts';
import type { GatewayContext } from './context.ts';
import { toGraphQLError } from './errors.ts';
import { assertWithinLimits, LIMITS, measure } from './limits.ts';
import { withRequestId } from './schema/settings.ts';

/** What one socket may cost. */
export const SOCKET_LIMITS = {
  /** Bytes of one message; queries are small. */
  message: 64 * 1024,
  /** Operations that run at the same time on one socket. */
  operations: 50,
  /** Sockets of one gateway; each costs memory even when silent. */
  sockets: 5_000,
  /** A socket must say who it is within this time. */
  initMs: 10_000,
  /** A peer that has not answered the last ping when the next is due is gone. */
  pingMs: 20_000,
  /** A peer that does not read its goodbye is cut off. */
  closingMs: 5_000,
  /** Bytes that wait to be read; a peer that goes on sending with more of them does not read what it asks for. */
  unread: 1024 * 1024,
} as const;

const PATH = '/graphql';

export interface SocketsOptions {
  readonly schema: GraphQLSchema;
  /** Whether clients may ask for the schema, and are helped with its names. */
  readonly introspection: boolean;
  readonly allowedOrigins: readonly string[];
  readonly contextFor: (
    authorization: string,
    closeSocket: (code: number, reason: string) => void,
    request: IncomingMessage,
  ) => GatewayContext;
  /** Whether the core accepts this credential; throws when it cannot be asked. */
  readonly isAllowed: (authorization: string) => Promise<boolean>;
  readonly log: (error: unknown) => void;
  /** A peer that does not read its goodbye within this time is cut off. */
  readonly closingMs: number;
}

export interface Sockets {
  /** Asks all clients to connect elsewhere and takes no new ones. */
  drain(): Promise<void>;
}

interface Extra {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  /** Takes whole messages that were made elsewhere. */
  readonly write: (message: Buffer) => Promise<void>;
  authorization: string;
}

type SocketContext = Context<Record<string, unknown>, Extra>;

/** GraphQL over websockets (graphql-transport-ws alone), beside the HTTP server of the same port. */
export function attachSockets(server: Server, options: SocketsOptions): Sockets {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: SOCKET_LIMITS.message,
    // Compression would let a small message cost much memory, and changes are short.
    perMessageDeflate: false,
    handleProtocols,
  });
  const graphql = makeServer<Record<string, unknown>, Extra>(serverOptions(options));
  let draining = false;

  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => {});
    const refusal = draining ? 503 : refusalOf(request, options.allowedOrigins, sockets.clients.size);
    if (refusal) {
      stream.end(`HTTP/1.1 ${refusal} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => open(socket, request));
  };

  const open = (socket: WebSocket, request: IncomingMessage) => {
    // Too long a message, a broken frame, a lost line: the socket closes by itself, and nobody else is concerned.
    socket.on('error', () => {});
    const stopPings = keepAlive(socket);
    for (const event of ['message', 'ping']) socket.on(event, () => cutOffUnread(socket));
    const closed = graphql.opened(
      {
        protocol: socket.protocol,
        send: (text) => taken(socket, (done) => socket.send(text, done)),
        close: (code = 1000, reason = '') => announceClose(socket, code, reason, options),
        onMessage: (take) => socket.on('message', (data) => void receive(socket, take, data, options)),
      },
      {
        socket,
        request,
        write: (message) => taken(socket, (done) => socket.send(message, { binary: false }, () => done())),
        authorization: '',
      },
    );
    socket.once('close', (code, reason) => {
      stopPings();
      closed(code, String(reason)).catch(options.log);
    });
  };

  server.on('upgrade', onUpgrade);
  return {
    async drain() {
      draining = true;
      const reason = 'The service restarts. Connect again.';
      for (const socket of sockets.clients) announceClose(socket, 1012, reason, options);
      await Promise.all([...sockets.clients].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
      server.off('upgrade', onUpgrade);
    },
  };
}

/** Waiting until the line took the message is what makes a slow reader felt upstream. */
function taken(socket: WebSocket, send: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState === socket.OPEN) send(resolve);
    else resolve();
  });
}

async function receive(
  socket: WebSocket,
  take: (text: string) => Promise<void>,
  data: RawData,
  options: SocketsOptions,
): Promise<void> {
  try {
    await take(String(data));
  } catch (error) {
    options.log(error);
    announceClose(socket, 4500, 'Internal error', options);
  }
}

/** Answers are written however full the line is: one who never reads must not fill our memory with them. */
function cutOffUnread(socket: WebSocket): void {
  if (socket.bufferedAmount > SOCKET_LIMITS.unread) socket.terminate();
}

/** The close frame; and the end of the line should the peer not answer it. */
function announceClose(socket: WebSocket, code: number, reason: string, { closingMs }: SocketsOptions): void {
  // A reason may have 123 bytes.
  socket.close(code, Buffer.from(reason).subarray(0, 123));
  const timer = setTimeout(() => socket.terminate(), closingMs);
  socket.once('close', () => clearTimeout(timer));
}

function keepAlive(socket: WebSocket): () => void {
  let answered = true;
  socket.on('pong', () => {
    answered = true;
  });
  const timer = setInterval(() => {
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
  }, SOCKET_LIMITS.pingMs);
  return () => clearInterval(timer);
}

/** The HTTP status to refuse an upgrade with. */
function refusalOf(request: IncomingMessage, allowed: readonly string[], open: number): number | null {
  if (request.url?.split('?')[0] !== PATH) return 404;
  if (open >= SOCKET_LIMITS.sockets) return 503;
  const { origin, host } = request.headers;
  // Programs send no origin. A page of another site must be known, although no cookie could help it.
  if (origin === undefined || allowed.includes('*') || allowed.includes(origin)) return null;
  return URL.parse(origin)?.host === host ? null : 403;
}

function serverOptions(options: SocketsOptions) {
  const { schema, contextFor, isAllowed, log } = options;
  /** By what each operation came in with: its answers are told apart by that. */
  const requestIds = new WeakMap<SubscribePayload, string>();
  const format = (error: GraphQLError, operation: SubscribePayload) =>
    withRequestId(toGraphQLError(error.toJSON(), error, log), requestIds.get(operation) ?? '');
  return {
    schema,
    subscribe: (args: ExecutionArgs) => subscribeShared(args as SocketSubscription),
    connectionInitWaitTimeout: SOCKET_LIMITS.initMs,
    async onConnect({ connectionParams, extra }: SocketContext) {
      const { Authorization, authorization = Authorization } = connectionParams ?? {};
      const credential = authorization ?? extra.request.headers.authorization;
      if (typeof credential !== 'string' || credential === '') return false;
      extra.authorization = credential;
      try {
        return await isAllowed(credential);
      } catch {
        announceClose(extra.socket, 1013, 'The service cannot be reached. Try again in a moment.', options);
        return false;
      }
    },
    onSubscribe(
      context: SocketContext,
      id: string,
      payload: SubscribePayload,
    ): SocketSubscription | readonly GraphQLError[] {
      const { extra } = context;
      const closeSocket = (code: number, reason: string) => announceClose(extra.socket, code, reason, options);
      const contextValue = contextFor(extra.authorization, closeSocket, extra.request);
      requestIds.set(payload, contextValue.requestId);
      if (Object.keys(context.subscriptions).length > SOCKET_LIMITS.operations) {
        const message = `At most ${SOCKET_LIMITS.operations} operations run on one socket. End some, or open another.`;
        return [new GraphQLError(message, { extensions: { code: 'TOO_MANY_OPERATIONS' } })];
      }
      const args = prepare(options, payload, contextValue);
      return 'schema' in args ? { ...args, id, key: operationKey(payload), write: extra.write } : args;
    },
    onNext(
      _context: SocketContext,
      _id: string,
      payload: SubscribePayload,
      _args: unknown,
      result: { errors?: readonly GraphQLError[] },
    ) {
      if (result.errors) return { ...result, errors: result.errors.map((error) => format(error, payload)) };
    },
    onError(_context: SocketContext, _id: string, payload: SubscribePayload, errors: readonly GraphQLError[]) {
      return errors.map((error): GraphQLFormattedError => format(error, payload));
    },
  };
}

function operationKey({ query, operationName, variables }: SubscribePayload): string {
  return JSON.stringify([query, operationName, variables]);
}

/** The same steps, and the same limits, as Apollo takes over HTTP. */
function prepare(
  { schema, introspection }: SocketsOptions,
  { query, operationName, variables }: SubscribePayload,
  contextValue: GatewayContext,
): ExecutionArgs | readonly GraphQLError[] {
  try {
    const document = parse(query, { maxTokens: LIMITS.tokens });
    const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
    const errors = validate(schema, document, rules, { hideSuggestions: !introspection });
    if (errors.length > 0) return errors;
    const operation = getOperationAST(document, operationName);
    if (!operation) return [new GraphQLError('There is no such operation in this document.')];
    assertWithinLimits(document, measure(schema, document, operation, variables ?? {}));
    return { schema, document, operationName, variableValues: variables, contextValue };
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { DynamicModule, LoggerService } from '@nestjs/common';
import { BadRequestException, ConsoleLogger, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { canDropBody, decodeBody, Failure, headerValues, parseJsonText } from '@strata/domain';
import { CorePool } from '@strata/rest-client';
import type { FastifyInstance } from 'fastify';
import { SubscriptionManager } from './changes/subscription-manager.ts';
import { serveConsole } from './console/console.ts';
import { ConsoleFiles } from './console/console-files.ts';
import { createContext, type IncomingRequest } from './context.ts';
import { createClient, createCoreClient } from './core.ts';
import { Documents } from './documents/documents.ts';
import { ValueSubscriptions } from './effective-values/value-subscriptions.ts';
import { addCompression } from './encoding.ts';
import type { GatewayEnv } from './env.ts';
import { createErrorLogger } from './error-log.ts';
import { errorBody } from './errors.ts';
import { GatewayModule } from './gateway.module.ts';
import type { Draining } from './health.controller.ts';
import { isHost } from './host.ts';
import { LIMITS } from './limits.ts';
import { playgroundPolicy } from './playground/playground.ts';
import { GraphQLResponseStore } from './response-store/graphql-response-store.ts';
import type { ResponseSources } from './response-store/response-sources.ts';
import { addStoredResponses } from './response-store/stored-responses.ts';
import { readCaller, requestCredentialAt } from './session/request-credential.ts';
import { Sessions } from './session/sessions.ts';
import { SOCKET_TIMES, type SocketTimes } from './sockets/socket-limits.ts';
import { attachSockets } from './sockets/sockets.ts';
import { type GatewayTelemetry, startGatewayTelemetry } from './telemetry/telemetry.ts';
import { rejectUnreadablePath, rejectUnreadableRequest, SECURITY_HEADERS } from './unreadable-requests.ts';

/** How often Node checks for requests that take too long to arrive. */
const ARRIVAL_LOOK_MS = 1_000;

export interface GatewayOptions {
  readonly logger?: LoggerService | false;
  /** How long a subscription may stay behind before it is disconnected. Tests use a shorter time. */
  readonly slowAfterMs?: number;
  /** The time limits of sockets. Tests use shorter ones, or longer ones on a busy machine. */
  readonly socketTimes?: Partial<SocketTimes>;
}

export interface Gateway {
  readonly app: NestFastifyApplication;
  /** The open streams to the core. */
  readonly subscriptions: SubscriptionManager;
  listen(port: number, host: string): Promise<void>;
  /** `http://127.0.0.1:4000`, once it listens. */
  url(): Promise<string>;
  /**
   * Reports the gateway as not ready, so that load balancers stop sending requests. Existing and new requests still
   * succeed.
   */
  drain(): void;
  /**
   * Closes sockets so that clients reconnect elsewhere, lets requests finish, and frees all resources. Safe to call
   * twice.
   */
  close(): Promise<void>;
}

/** Builds the gateway without listening. */
export async function createGateway(env: GatewayEnv, options: GatewayOptions = {}): Promise<Gateway> {
  const telemetry = await startGatewayTelemetry(env);
  try {
    return await assemble(env, options, telemetry);
  } catch (error) {
    await telemetry?.close();
    throw error;
  }
}

async function assemble(
  env: GatewayEnv,
  options: GatewayOptions,
  telemetry: GatewayTelemetry | null,
): Promise<Gateway> {
  const files = env.console ? ConsoleFiles.read() : null;
  const documents = createDocuments(files, env);
  const pool = new CorePool(env.coreUrl);
  const clientFor = (authorization: string) => createClient(pool, authorization);
  const subscriptions = new SubscriptionManager(clientFor, options.slowAfterMs);
  const valueSubscriptions = new ValueSubscriptions(clientFor, options.slowAfterMs);
  const drainState: Draining = { now: false };
  const sessions = new Sessions({ key: env.sessionKey, publicUrl: env.publicUrl });
  const createCallerClient = (caller: IncomingRequest) => createClient(pool, caller.authorization, caller);
  const coreFor = (caller: IncomingRequest, responseSources: ResponseSources) =>
    createCoreClient(createCallerClient(caller), { sources: responseSources, idempotencyKey: caller.idempotencyKey });
  const apiUrl = new URL('/api/v1', env.publicUrl ?? env.coreUrl).href;
  const sharedContext = { subscriptions, valueSubscriptions, apiUrl };
  const contextFor = (arrival: IncomingRequest) => createContext(arrival, coreFor, sharedContext);

  const module = GatewayModule.of({ env, documents, pool, draining: drainState, sessions, contextFor });
  const app = await createApplication(module, env, options);
  telemetry?.observeApplication(app);
  prepare(app, env, drainState);
  const responses = new GraphQLResponseStore(createCallerClient);
  addStoredResponses(getFastify(app), responses, (request) => readCaller(request, sessions));
  addCompression(getFastify(app));
  if (env.console) addConsole(app, files);
  await app.init();

  const readAddress = (request: IncomingMessage) => clientAddress(request, env.trustProxy);
  const sockets = attachSockets(app.getHttpServer(), {
    schema: app.get(GraphQLSchemaHost).schema,
    documents,
    introspection: env.introspection,
    allowedOrigins: env.allowedOrigins,
    shares: env.socketShares,
    times: { ...SOCKET_TIMES, ...options.socketTimes },
    readAddress,
    contextFor: (authorization, closeSocket, address) =>
      contextFor({ authorization, requestId: randomUUID(), address, closeSocket }),
    isAllowed: (authorization) => isAllowed(pool, authorization),
    readCredential: (request) => requestCredentialAt(request, sessions, Boolean(env.trustProxy)),
    log: createErrorLogger(new Logger('Sockets')),
  });
  const streams = () => subscriptions.streams + valueSubscriptions.streams;
  telemetry?.addGauges(() => ({ ...sockets.counts(), streams: streams() }));

  let closePromise: Promise<void> | null = null;
  const close = async () => {
    drainState.now = true;
    await sockets.drain();
    subscriptions.close();
    valueSubscriptions.close();
    await app.close();
    await pool.close();
    await telemetry?.close();
  };
  return {
    app,
    subscriptions,
    listen: async (port, host) => void (await app.listen(port, host)),
    url: () => app.getUrl(),
    drain: () => {
      drainState.now = true;
    },
    close: () => (closePromise ??= close()),
  };
}

function createApplication(module: DynamicModule, env: GatewayEnv, options: GatewayOptions) {
  const logger = options.logger ?? new ConsoleLogger({ json: true, logLevels: ['fatal', 'error', 'warn'] });
  return NestFactory.create<NestFastifyApplication>(module, createAdapter(env), {
    ...{ logger, abortOnError: false },
    // Stored responses are found by the bytes of the body.
    rawBody: true,
  });
}

function createAdapter({ requestSeconds, trustProxy }: GatewayEnv): FastifyAdapter {
  const arrivalMs = requestSeconds * 1_000;
  return new FastifyAdapter({
    bodyLimit: LIMITS.body,
    requestTimeout: arrivalMs,
    // Node does not enforce the request timeout if it is shorter than the headers timeout, which is one minute by
    // default
    http: {
      headersTimeout: arrivalMs,
      connectionsCheckingInterval: ARRIVAL_LOOK_MS,
      // Node would respond without our headers: see rejectMalformedHosts
      requireHostHeader: false,
    },
    return503OnClosing: false,
    // Clients can forge the earlier entries of X-Forwarded-For.
    trustProxy: trustProxy !== false && ((_: string, hop: number) => hop < trustProxy),
    genReqId: readRequestId,
    frameworkErrors: rejectUnreadablePath,
    clientErrorHandler: rejectUnreadableRequest,
    logger: false,
  });
}

/** Adds the common headers and the routes outside of the module. */
function prepare(app: NestFastifyApplication, env: GatewayEnv, drainState: Draining): void {
  if (env.allowedOrigins.length > 0) {
    app.enableCors({ origin: env.allowedOrigins.includes('*') ? '*' : [...env.allowedOrigins] });
  }
  addHeaders(app, drainState);
  app.useBodyParser('application/json', { bodyLimit: LIMITS.body }, async (_: unknown, body: Buffer) =>
    parseBody(body),
  );
  rejectMalformedHosts(app);
}

const getFastify = (app: NestFastifyApplication) => app.getHttpAdapter().getInstance() as unknown as FastifyInstance;

/** Parses JSON as strictly as the core, with errors in the form of the gateway. */
function parseBody(body: Buffer): unknown {
  try {
    return parseJsonText(decodeBody(body));
  } catch (error) {
    throw error instanceof Failure ? new BadRequestException(error.message) : error;
  }
}

/** Throws if neither the console's documents nor other documents are accepted, because every request would fail. */
function createDocuments(files: ConsoleFiles | null, { otherDocuments }: GatewayEnv): Documents {
  if (files !== null || otherDocuments) return new Documents(files?.documents ?? new Map(), otherDocuments);
  throw new Error(
    'The console is not built, and STRATA_GRAPHQL_OTHER_DOCUMENTS=off, so the gateway could not serve any request. Build the console.',
  );
}

/** Without a built console the gateway starts anyway and logs a warning. */
function addConsole(app: NestFastifyApplication, files: ConsoleFiles | null): void {
  const missingMessage = 'The console is not built, so it is not served. Build it, or set STRATA_CONSOLE=off.';
  if (files === null) new Logger('Console').warn(missingMessage);
  else serveConsole(getFastify(app), files);
}

/**
 * Checked when a socket opens and then periodically, so that a rejected credential is reported before the first
 * operation.
 */
async function isAllowed(pool: CorePool, authorization: string): Promise<boolean> {
  try {
    await createClient(pool, authorization).request({ method: 'GET', path: '/api/v1/users/current/' });
    return true;
  } catch (error) {
    if (error instanceof Failure && ['unauthenticated', 'bad_credential', 'forbidden'].includes(error.kind))
      return false;
    throw error;
  }
}

/** Returns the client address of a socket; behind proxies, the one that the outermost trusted proxy reports. */
function clientAddress({ headers, socket }: IncomingMessage, trustProxy: number | false): string {
  const forwardedAddresses = trustProxy ? String(headers['x-forwarded-for'] ?? '').split(',') : [];
  return (
    forwardedAddresses.at(-Math.min(Number(trustProxy), forwardedAddresses.length))?.trim() ||
    (socket.remoteAddress ?? '')
  );
}

/** Uses the request id that a caller has sent, so that one request can be followed through several services. */
function readRequestId(request: { headers: IncomingMessage['headers'] }): string {
  const args = request.headers['x-request-id'];
  return typeof args === 'string' && /^[\w.-]{1,100}$/.test(args) ? args : randomUUID();
}

/**
 * Rejects requests with a malformed Host, which code that parses the URL cannot handle, and with several Hosts (RFC
 * 9112), because a proxy may have routed by another one. Requests in HTTP/1.0, such as health checks of old load
 * balancers, need no Host.
 */
function rejectMalformedHosts(app: NestFastifyApplication): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', async (request, reply) => {
      const hosts = headerValues('host', request.raw.rawHeaders).length;
      const isOne = hosts === 1 || (hosts === 0 && request.raw.httpVersion === '1.0');
      const isFit =
        [request.headers.host, request.host].every(isHost) || /^\/(api\/)?(healthz|readyz)/.test(request.url);
      if (isOne && isFit) return;
      return reply.status(400).send(errorBody('The `Host` of this request is malformed.', 'BAD_REQUEST', request.id));
    });
}

function addHeaders(app: NestFastifyApplication, drainState: Draining): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', async (request, reply) => {
      reply.header('x-request-id', request.id);
      if (canDropBody(request.headers)) reply.removeHeader('connection');
      // A redirected client must not return on the same connection.
      if (drainState.now) reply.header('connection', 'close');
      reply.headers(SECURITY_HEADERS);
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
      const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
      if (isPage && !reply.hasHeader('content-security-policy')) {
        reply.header('content-security-policy', playgroundPolicy(request.host));
      }
    });
}

import type { RawBodyRequest } from '@nestjs/common';
import { etagMatches } from '@strata/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingRequest } from '../context.ts';
import { addVary } from '../encoding.ts';
import { gatewayObserver } from '../observer.ts';
import { type GraphQLResponseStore, responseKey, type StoredGraphQLResponse } from './graphql-response-store.ts';
import { ResponseSources } from './response-sources.ts';

/** A request of a query whose response may be stored, or was. */
interface StorableRequest {
  readonly key: string;
  readonly sources: ResponseSources;
  isStored: boolean;
}

/** Apollo reads these headers to choose the form of a response, and to reject requests that a form could send. */
const DECIDING_HEADERS = ['accept', 'content-type', 'apollo-require-preflight', 'x-apollo-operation-name'];

const NO_BODY = Buffer.alloc(0);

const requests = new WeakMap<FastifyRequest, StorableRequest>();

/** Returns where the reads of a request are collected. */
export function responseSources(request: FastifyRequest): ResponseSources {
  return requests.get(request)?.sources ?? new ResponseSources();
}

/**
 * Sends stored responses before Apollo runs, and stores the responses of queries. `readCaller` returns the caller of a
 * request. It throws if the request has no valid credential; then Apollo reports the error.
 */
export function addStoredResponses(
  server: FastifyInstance,
  store: GraphQLResponseStore,
  readCaller: (request: FastifyRequest) => IncomingRequest,
): void {
  server.addHook('preHandler', async (request, reply) => {
    const caller = isGraphQL(request) ? readCallerSafely(request, readCaller) : null;
    if (!caller || caller.authorization === '') return;
    const { method, url, headers } = request;
    const deciding = DECIDING_HEADERS.map((name) => headers[name] as string | undefined);
    const body = (request as RawBodyRequest<FastifyRequest>).rawBody ?? NO_BODY;
    const key = responseKey(caller.authorization, { method, url, body, headers: deciding });
    const storable: StorableRequest = { key, sources: new ResponseSources(), isStored: false };
    requests.set(request, storable);
    const response = await store.findCurrent(key, caller);
    if (!response) return;
    storable.isStored = true;
    gatewayObserver?.storedResponse();
    reply.type(response.contentType);
    // Only undefined sends no body.
    return reply.send((isTagged(request) ? tagResponse(request, reply, response) : response.body) ?? undefined);
  });
  server.addHook('onSend', async (request, reply, payload) => {
    const storable = requests.get(request);
    if (!storable || storable.isStored || reply.statusCode !== 200 || typeof payload !== 'string') return payload;
    const storableSources = storable.sources.storable();
    if (!storableSources) return payload;
    const contentType = String(reply.getHeader('content-type'));
    const response = store.put(storable.key, { ...storableSources, body: Buffer.from(payload), contentType });
    return isTagged(request) ? tagResponse(request, reply, response) : response.body;
  });
}

function isGraphQL({ url, method }: FastifyRequest): boolean {
  return (method === 'POST' || method === 'GET') && (url === '/graphql' || url.startsWith('/graphql?'));
}

function readCallerSafely(
  request: FastifyRequest,
  readCaller: (request: FastifyRequest) => IncomingRequest,
): IncomingRequest | null {
  try {
    return readCaller(request);
  } catch {
    return null;
  }
}

/** Only responses to GET can be stored by clients. */
const isTagged = ({ method }: FastifyRequest): boolean => method === 'GET';

/**
 * Sets the entity tag, which is weak because all encodings of the response have the same one. Returns the body; null with
 * status 304 if the client's copy is current.
 */
function tagResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, body }: StoredGraphQLResponse,
): Buffer | null {
  reply.headers({ etag: `W/${etag}`, 'cache-control': 'private, no-cache' });
  addVary(reply, 'accept, authorization, cookie');
  if (!etagMatches(request.headers['if-none-match'], etag)) return body;
  addVary(reply, 'accept-encoding');
  reply.status(304).removeHeader('content-type').removeHeader('content-length');
  return null;
}

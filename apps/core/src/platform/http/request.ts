import type { KeyObject } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Failure } from '@strata/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EntityManager } from 'typeorm';
import type { ExternalIdentity } from '../auth/external-people.ts';
import type { Caller } from '../caller.ts';
import { Links } from './links.ts';

export interface StrataRequest extends FastifyRequest {
  user?: Caller;
  /** Shows a good token of the external issuer, and is nobody here yet. */
  externalIdentity?: ExternalIdentity;
}

/** Runs inside a write, after the object was found. Throws 412 if the caller's copy is stale. */
export type Precondition = (em: EntityManager, caller: Caller) => Promise<void>;

/** What a handler needs to know of its request besides path, query and body. */
export interface Call {
  readonly caller: Caller;
  readonly links: Links;
  /** Path and query as sent; next and previous links keep them. */
  readonly url: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: FastifyRequest['headers'];
  readonly reply: FastifyReply;
  /** Instead of what `If-Match` says: of an operation that is one of several in a request. */
  readonly precondition?: Precondition;
}

/** All that an answer in the usual form needs. */
export type ResponseContext = Pick<Call, 'headers' | 'reply'>;

/** The caller, the links of this request, its query, and the reply's headers. */
export const CurrentCall = createParamDecorator((_: unknown, context: ExecutionContext): Call => {
  const http = context.switchToHttp();
  return new RequestCall(http.getRequest<StrataRequest>(), http.getResponse<FastifyReply>());
});

class RequestCall implements Call {
  readonly caller: Caller;
  readonly url: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: FastifyRequest['headers'];

  constructor(
    private readonly request: StrataRequest,
    readonly reply: FastifyReply,
  ) {
    const { user, url, query, headers } = request;
    if (!user) throw new Error(`${request.routeOptions.url} has no caller; use a public decorator.`);
    this.caller = user;
    this.url = url;
    this.query = query as Record<string, unknown>;
    this.headers = headers;
  }

  /** Made when asked for: most answers to programs hold no link. */
  get links(): Links {
    return new Links(originOf(this.request));
  }
}

const ORIGIN = Symbol.for('strata.origin');

/** Told once at start: the public origin, or null when links follow the request. */
export function setPublicOrigin(instance: object, origin: string | null): void {
  Object.defineProperty(instance, ORIGIN, { value: origin });
}

const TAG_KEY = Symbol.for('strata.entity-tag-key');

/** Sets the key of all entity tags. Called once at start. */
export function setEntityTagKey(instance: object, key: KeyObject): void {
  Object.defineProperty(instance, TAG_KEY, { value: key });
}

/** The inputs of an entity tag besides the body. */
export interface TagContext {
  readonly key: KeyObject;
  /** The origin of links in the body. */
  readonly origin: string;
  /** The object that the body shows, if the body does not say it. Otherwise a caller could compare two objects by their tags. */
  readonly identity?: string | undefined;
}

export function tagContextOf(request: FastifyRequest, identity?: string): TagContext {
  const key = (request.server as unknown as Record<symbol, KeyObject>)[TAG_KEY] as KeyObject;
  return { key, origin: linkOriginOf(request), identity };
}

/** A name or an address, and perhaps a port: nothing that could end the origin of a link early. */
const HOST = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/;
/** As long as names of hosts can be, with a port: links repeat it hundreds of times in one answer. */
const HOST_LENGTH_MAX = 253 + ':65535'.length;

/** What links of this request begin with. Only an origin that links may have is one: see `originOf`. */
export function linkOriginOf(request: FastifyRequest): string {
  return publicOriginOf(request) ?? `${request.protocol}://${request.host}`;
}

function publicOriginOf({ server }: FastifyRequest): string | null {
  return (server as unknown as Record<symbol, string | null | undefined>)[ORIGIN] ?? null;
}

/** Fastify has applied X-Forwarded-* to protocol and host already, if and only if the proxy is trusted. */
export function originOf(request: FastifyRequest): string {
  const origin = linkOriginOf(request);
  if (publicOriginOf(request) !== null) return origin;
  const { host } = request;
  if (host.length > HOST_LENGTH_MAX || !HOST.test(host) || !URL.canParse(origin)) {
    throw Failure.invalid('malformed_request', 'The header Host does not name a host.');
  }
  return origin;
}

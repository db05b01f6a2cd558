import type { KeyObject } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Failure, type OrganizationId } from '@strata/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EntityManager } from 'typeorm';
import type { Identity } from '../auth/credentials.ts';
import type { ExternalIdentity } from '../auth/external-people.ts';
import type { Caller } from '../caller.ts';
import type { Head } from '../ledger/heads.ts';
import { Links } from './links.ts';

export interface StrataRequest extends FastifyRequest {
  /** Whether the limits of the organization have admitted the request. */
  isAdmitted?: boolean;
  /** The identity that a stage has recognized. */
  recognized?: Identity | null;
  /** The head of the caller's organization, if a stage has read it. It is not older than the request. */
  knownHead?: { readonly organizationId: OrganizationId; readonly head: Head };
  /** The stored response that a stage has sent, for comparison. */
  answer?: object | null;
  user?: Caller;
  /** The identity in a valid token of the external issuer, if it belongs to no member of this installation yet. */
  externalIdentity?: ExternalIdentity;
  /** The identity in a valid token of the external issuer that was rejected. */
  rejectedIdentity?: ExternalIdentity;
}

/** Returns the interface of a request. The gateway sends its name, so that history can show where a change came from. */
export function readSurface({ headers }: Pick<FastifyRequest, 'headers'>): string {
  return headers['x-strata-surface'] === 'graphql' ? 'graphql' : 'rest';
}

/** Runs inside a write, after the object was found. Throws 412 if the caller's copy is stale. */
export type Precondition = (em: EntityManager, caller: Caller) => Promise<void>;

/** The parts of a request that a handler needs besides path, query and body. */
export interface Call {
  readonly caller: Caller;
  readonly links: Links;
  /** Path and query as sent; `next` and `previous` keep them. */
  readonly url: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: FastifyRequest['headers'];
  readonly reply: FastifyReply;
  /** Replaces `If-Match` for an operation of a changeset. */
  readonly precondition?: Precondition;
}

/** The parts of a request that a standard response needs. */
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

  /** Created on first use, because most responses to programs contain no link. */
  get links(): Links {
    return new Links(readOrigin(this.request));
  }
}

/** Returns the same call with other links. */
export function withLinks({ caller, url, query, headers, reply }: Call, links: Links): Call {
  return { caller, links, url, query, headers, reply };
}

const ORIGIN = Symbol.for('strata.origin');

/** Sets the public origin once at start. With null, links use the origin of the request. */
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
  /**
   * Identifies the object that the body shows, if the body itself does not. Otherwise a caller could compare two
   * objects by their tags.
   */
  readonly identity?: string | undefined;
}

export function createTagContext(request: FastifyRequest, identity?: string): TagContext {
  const key = (request.server as unknown as Record<symbol, KeyObject>)[TAG_KEY] as KeyObject;
  return { key, origin: readLinkOrigin(request), identity };
}

/** A name or an address with an optional port. Nothing in it can end the origin of a link early. */
const HOST = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/;
/** The longest host name with a port. A response may repeat it in hundreds of links. */
const HOST_LENGTH_MAX = 253 + ':65535'.length;

/** The origin of links in the response to this request. Only a valid host is accepted: see `originOf`. */
export function readLinkOrigin(request: FastifyRequest): string {
  return publicOriginOf(request) ?? `${request.protocol}://${request.host}`;
}

function publicOriginOf({ server }: FastifyRequest): string | null {
  return (server as unknown as Record<symbol, string | null | undefined>)[ORIGIN] ?? null;
}

/** The last valid origin. Most requests use the same one, and checking it takes longer than comparing it. */
let lastValidOrigin = '';

/** If the proxy is trusted, Fastify has already applied X-Forwarded-* to protocol and host. */
export function readOrigin(request: FastifyRequest): string {
  const origin = readLinkOrigin(request);
  if (publicOriginOf(request) !== null || origin === lastValidOrigin) return origin;
  const { host } = request;
  if (host.length > HOST_LENGTH_MAX || !HOST.test(host) || !URL.canParse(origin)) {
    throw Failure.invalid('malformed_request', 'The header Host does not name a host.');
  }
  lastValidOrigin = origin;
  return origin;
}

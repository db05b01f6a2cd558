import { Injectable } from '@nestjs/common';
import { INSTANCE_HEADER } from '@strata/contract';
import { LruCache, mayReveal, type OrganizationId, type Permissions, permissionsKey } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import type { Identity } from '../auth/credentials.ts';
import { cacheBytes } from '../cache-size.ts';
import { type Head, Heads, isSameHead } from '../ledger/heads.ts';
import { noteRevealedSecret } from '../limits/request-limits.ts';
import { coreObserver } from '../observer.ts';
import { hasCurrentCopy, NO_STORE, sendTagged } from './conditional-requests.ts';
import { type BodyWithOrigin, withOrigin } from './origin-placeholders.ts';
import { type Call, type ResponseContext, readOrigin, type StrataRequest } from './request.ts';
import { RequestAuthentication } from './request-authentication.ts';
import { openBody, type SealedBody } from './sealed-body.ts';

const BYTES_MAX = cacheBytes(48);
const RESPONSE_BYTES = 512;

/** A response about the present. */
export interface StoredResponse<Source = unknown> {
  readonly head: Head;
  readonly etag: string;
  /** Null for a response that shows secrets in clear. */
  readonly body: BodyWithOrigin | null;
  /** The body of a response that shows secrets in clear. Only the stage that sends stored responses opens it. */
  readonly sealed?: SealedBody | undefined;
  /** The data that the handler needs to send the response at a later head. Only the handler of the URL reads it. */
  readonly source: Source;
}

/** A response that is stored with its text. */
export interface CompleteResponse extends StoredResponse {
  readonly body: BodyWithOrigin;
}

/** The parts of a call that identify a response. */
interface ResponseKey {
  readonly caller: Permissions & { readonly organizationId: OrganizationId };
  readonly url: string;
}

/**
 * Stores responses as bytes. The key is the URL with the caller's organization and permissions. It does not include the
 * origin of links, which is inserted when the response is sent, so that forged `Host` headers take no memory.
 *
 * A stage of every request sends a stored response before Nest runs, if the organization's head has not moved. If it
 * has moved, the handler decides whether its stored response is still valid.
 */
@Injectable()
export class ResponseStore {
  private readonly responses = new LruCache<StoredResponse>(BYTES_MAX, countBytes, parseOrganization);

  constructor(
    private readonly heads: Heads,
    private readonly authentication: RequestAuthentication,
  ) {}

  get<Source>(call: ResponseKey): StoredResponse<Source> | null {
    return this.responses.get(responseKey(call)) as StoredResponse<Source> | null;
  }

  /** Returns a head that is not older than the request. */
  async readHead({ caller, reply }: ResponseKey & ResponseContext): Promise<Head> {
    const { knownHead } = reply.request as StrataRequest;
    return knownHead?.organizationId === caller.organizationId
      ? knownHead.head
      : this.heads.required(caller.organizationId);
  }

  /** Returns the stored response to another URL if it is current and the caller may still see it, otherwise null. */
  async current({ caller, reply }: Call, url: string): Promise<CompleteResponse | null> {
    const response = this.get({ caller, url });
    if (!response?.body) return null;
    const head = await this.heads.required(caller.organizationId);
    if (caller.revision < head.people || !isSameHead(response.head, head)) return null;
    const body = this.bodyFor({ caller, url, reply }, response);
    return body && { ...response, body };
  }

  /** Returns whether this response is still the stored one. */
  has(key: string, response: StoredResponse): boolean {
    return this.responses.get(key) === response;
  }

  put(call: ResponseKey, response: StoredResponse): void {
    this.responses.put(responseKey(call), response);
  }

  /** Sends a stored response, with links to the origin of the request. The caller checks `isSendable` first. */
  send(call: ResponseKey & ResponseContext, response: StoredResponse): Buffer | undefined {
    const { reply } = call;
    const body = this.bodyFor(call, response);
    reply.header('x-revision', String(response.head.revision));
    if (body === null) reply.header('cache-control', NO_STORE);
    return sendTagged(call, body?.bytes ?? Buffer.alloc(0), response.etag);
  }

  /**
   * Answers a request whose stored response is current. Returns null at once if there is none, and false if the head
   * has moved; then the request continues. The request of an instance continues too, since its handler records it.
   */
  answer(request: StrataRequest, reply: FastifyReply): Promise<boolean> | null {
    if (request.method !== 'GET' || request.headers[INSTANCE_HEADER] !== undefined) return null;
    const identity = this.authentication.recognize(request);
    if (!identity) return null;
    const call = { caller: identity, url: request.url, headers: request.headers, reply };
    const response = this.get(call);
    if (!response || !(isSendable(call, response) || mayOpen(call, response))) return null;
    return this.answerIfCurrent(request, identity, call, response);
  }

  /** Sends a response that shows secrets, like its handler. The request is recorded in the access log. */
  private reveal(request: StrataRequest, call: ResponseKey & ResponseContext, response: StoredResponse): Buffer {
    const { etag, head } = response;
    noteRevealedSecret(request);
    call.reply.headers({ 'x-revision': String(head.revision), 'cache-control': NO_STORE });
    return sendTagged(call, openResponseBytes(response, readOrigin(request)), etag, false) as Buffer;
  }

  /** Returns the body with links to the origin of the request, and stores it for the next one. */
  private bodyFor(call: ResponseKey & Pick<Call, 'reply'>, response: StoredResponse): BodyWithOrigin | null {
    const body = response.body && withOrigin(response.body, readOrigin(call.reply.request));
    if (body !== response.body) this.put(call, { ...response, body });
    return body;
  }

  private async answerIfCurrent(
    request: StrataRequest,
    identity: Identity,
    call: ResponseKey & ResponseContext,
    response: StoredResponse,
  ): Promise<boolean> {
    this.authentication.admit(request, call.reply, identity);
    const head = await this.heads.required(identity.organizationId);
    if (!this.authentication.isCurrent(request, identity, head)) return false;
    request.knownHead = { organizationId: identity.organizationId, head };
    if (!isSameHead(response.head, head)) return false;
    const isEnough = isSendable(call, response);
    const sentBody = isEnough ? this.send(call, response) : this.reveal(request, call, response);
    request.answer = this.get(call);
    call.reply.send(sentBody);
    coreObserver?.storedResponse();
    return true;
  }
}

/**
 * Returns whether a stored response can be sent. Without its text, it is enough for a client that already has it. Only the handler knows
 * whether a digest in `If-None-Match` is the current one.
 */
export function isSendable({ headers }: ResponseContext, { body, etag }: StoredResponse): boolean {
  if (hasCurrentCopy(headers, etag)) return true;
  return body !== null && headers['if-none-match']?.includes(DIGEST) !== true;
}

/** The beginning of a digest of effective values, which clients may send as a tag. */
const DIGEST = '"sha256:';

/** Returns whether the secrets of a stored response may be sent. Only its handler knows the digests that clients send as tags. */
function mayOpen({ caller, headers }: ResponseKey & ResponseContext, { sealed }: StoredResponse): boolean {
  return sealed !== undefined && headers['if-none-match'] === undefined && mayReveal(caller);
}

/** Decrypts the body of a response that shows secrets. The caller records the request in the access log. */
export function openResponseBytes({ sealed }: StoredResponse, origin: string): Buffer {
  if (!sealed) throw new Error('The response has no sealed body.');
  return withOrigin(openBody(sealed), origin).bytes;
}

/** Returns the key of a stored response. It begins with the organization. */
export function responseKey({ caller, url }: ResponseKey): string {
  return `${caller.organizationId} ${permissionsKey(caller)} ${url}`;
}

export const parseOrganization = (key: string): string => key.slice(0, key.indexOf(' '));

function countBytes({ body, sealed }: StoredResponse): number {
  const length = body ? body.bytes.length + body.offsets.byteLength : 0;
  return RESPONSE_BYTES + length + (sealed ? sealed.sealed.length + sealed.offsets.byteLength : 0);
}

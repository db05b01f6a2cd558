import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { INSTANCE_HEADER } from '@strata/contract';
import { LruCache } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import { RevealLog } from '../access-log/reveal-log.ts';
import type { Identity } from '../auth/credentials.ts';
import { cacheBytes } from '../cache-size.ts';
import { type CurrentHead, Heads, isSameHead } from '../ledger/heads.ts';
import { isLongResponse, OrganizationLimits } from '../limits/organization-limits.ts';
import { hasRevealedSecret } from '../limits/request-limits.ts';
import { ReadRecorder } from './read-recorder.ts';
import { readOrigin, type StrataRequest } from './request.ts';
import { RequestAuthentication } from './request-authentication.ts';
import {
  openResponseBytes,
  parseOrganization,
  ResponseStore,
  responseKey,
  type StoredResponse,
} from './response-store.ts';

const BYTES_MAX = cacheBytes(8);
/** The estimated size of the headers of a response. */
const HEAD_BYTES = 1_024;

/** Headers on which no response depends. The credential decides by the identity that it belongs to. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  ...['authorization', 'connection', 'user-agent', 'accept-language'],
  ...['x-amzn-trace-id', 'x-cloud-trace-context', 'x-correlation-id', 'cf-ray', 'b3', 'x-b3-traceid', 'x-b3-spanid'],
  ...['x-b3-parentspanid', 'x-b3-sampled', 'x-b3-flags', 'x-request-id', 'traceparent', 'tracestate'],
  ...['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest'],
]);
/** Requests with these headers run through all stages: they have a body, a further credential, or are recorded. */
const WITH_MORE_WORK: ReadonlySet<string> = new Set([
  ...['content-length', 'transfer-encoding', 'expect', 'upgrade', 'cookie', 'proxy-authorization', INSTANCE_HEADER],
]);

/** A response as it was sent: a stored response after all stages. */
interface SentResponse {
  readonly storeKey: string;
  readonly stored: StoredResponse;
  readonly status: number;
  /** Names and values in turn. The last value is the id of the request. */
  readonly head: string[];
  /** One character for each byte, because Node sends head and body in one write if both are strings. */
  readonly body: string;
  /** The origin of links in a body that shows secrets in clear, which only the stored response contains; otherwise null. */
  readonly secretOrigin: string | null;
}

/** All stages of a request, and whether each request must run through them. */
interface Stages {
  handle(): void;
  isPaused(): boolean;
}

interface Match {
  readonly identity: Identity;
  readonly sent: SentResponse;
}

/**
 * Answers a GET request that is equal to an earlier one, before Fastify runs. Clients that poll send the same bytes
 * again and again. A stored response has passed all stages for the first of these requests. As long as it is stored and
 * current, and the caller has the same permissions, each of these requests gets the same head and the same body.
 *
 * The credential, the rates, the head of the organization, and the record of reads are checked and updated for each
 * request. A response that shows a secret in clear is decrypted for each request, and sent only to programs whose reads of
 * this minute are in the access log already.
 */
@Injectable()
export class RepeatedRequests {
  private readonly responses = new LruCache<SentResponse>(BYTES_MAX, countBytes, parseOrganization);

  constructor(
    private readonly store: ResponseStore,
    private readonly heads: Heads,
    private readonly authentication: RequestAuthentication,
    private readonly limits: OrganizationLimits,
    private readonly reads: ReadRecorder,
    private readonly revealLog: RevealLog,
  ) {}

  /** Receives the requests of a server first. While `isPaused` returns true, all requests run through all stages. */
  listen(server: Server, isPaused: () => boolean): void {
    const handlers = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request').on('request', (request, response) => {
      const handle = () => {
        for (const handler of handlers) handler(request, response);
      };
      if (isPaused()) return void handle();
      this.answer(request, response, { handle, isPaused }).catch(() => response.destroy());
    });
  }

  /** Keeps the response to a request that `ResponseStore` has answered. */
  keep(request: StrataRequest, reply: FastifyReply, payload: unknown): void {
    const { answer, recognized: identity, url, raw } = request;
    const storedResponse = answer && identity ? this.store.get({ caller: identity, url }) : null;
    // Another response may have replaced it while this one was compressed.
    if (!identity || !storedResponse || storedResponse !== answer || isLongResponse(payload)) return;
    const form = describeForm(raw.rawHeaders);
    if (form === null || (payload !== undefined && !Buffer.isBuffer(payload))) return;
    const storeKey = responseKey({ caller: identity, url });
    const head = Object.entries(reply.getHeaders())
      .filter(([name]) => name !== 'x-request-id' && name !== 'content-length')
      .flatMap(([name, value]) => [name, String(value)]);
    if (payload) head.push('content-length', String(payload.length));
    head.push('x-request-id', '');
    const secretOrigin = hasRevealedSecret(request) ? readOrigin(request) : null;
    const body = secretOrigin === null ? (payload?.toString('latin1') ?? '') : '';
    const status = reply.statusCode;
    this.responses.put(`${storeKey}${form}`, { storeKey, stored: storedResponse, status, head, body, secretOrigin });
  }

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    { handle, isPaused }: Stages,
  ): Promise<void> {
    const match = this.find(request);
    if (match === null || !this.limits.enter(match.identity.organizationId)) return handle();
    const { identity } = match;
    const head = await this.heads.of(identity.organizationId).catch(() => null);
    this.limits.leave(identity.organizationId);
    const isAnswered = head && !isPaused() && this.isCurrent(match, head) && this.limits.countIfAllowed(identity);
    if (!isAnswered) return handle();
    send(match.sent, response);
    this.reads.recordStored(identity, request.url as string);
  }

  private find({ method, url = '', rawHeaders }: IncomingMessage): Match | null {
    if (method !== 'GET') return null;
    const form = describeForm(rawHeaders);
    const identity = form === null ? null : this.authentication.recognizeHeaders(rawHeaders);
    if (identity === null) return null;
    const sentResponse = this.responses.get(`${responseKey({ caller: identity, url })}${form}`);
    return sentResponse && this.store.has(sentResponse.storeKey, sentResponse.stored)
      ? { identity, sent: sentResponse }
      : null;
  }

  private isCurrent({ identity, sent }: Match, head: CurrentHead): boolean {
    if (!isSameHead(sent.stored.head, head) || !this.store.has(sent.storeKey, sent.stored)) return false;
    if (sent.secretOrigin !== null && !this.revealLog.hasRecorded(identity)) return false;
    return this.authentication.isIdentityCurrent(identity, head);
  }
}

/** Returns the headers that a response may depend on, or null if the request runs through all stages in any case. */
function describeForm(rawHeaders: readonly string[]): string | null {
  let form = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    if (WITH_MORE_WORK.has(name)) return null;
    if (!WITHOUT_EFFECT.has(name)) form += `\n${name}:${rawHeaders[index + 1]}`;
  }
  return form;
}

function send({ status, head, body, stored, secretOrigin }: SentResponse, response: ServerResponse): void {
  const text = secretOrigin === null ? body : openResponseBytes(stored, secretOrigin).toString('latin1');
  head[head.length - 1] = randomUUID();
  response.writeHead(status, head).end(text, 'latin1');
}

const countBytes = ({ body }: SentResponse): number => HEAD_BYTES + body.length;

import { Inject, Injectable } from '@nestjs/common';
import type { Failure, OrganizationId } from '@strata/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../env.ts';
import { ENV } from '../tokens.ts';
import { FairQueue, overloadedError } from './fair-queue.ts';
import { POOL_SIZE } from './pool-size.ts';
import { rateLimitedError } from './rate-limited.ts';
import { RequestLimits, type SharedQueues } from './request-limits.ts';
import { type RateState, TokenBuckets } from './token-buckets.ts';

/** More than 1,000 concurrent requests of one organization could not be answered before their clients time out. */
const IN_FLIGHT_MAX = 1_000;
const WAITING_MAX = 200;
const WAIT_MS_MAX = 10_000;
/** Shorter responses are sent in one write, which the connection accepts at once. */
const LONG_ANSWER_BYTES = 262_144;

/** The part of a request that the limits read. */
export interface LimitedRequest extends FastifyRequest {
  share?: RequestLimits | undefined;
  /** Whether the request counts as one in progress. */
  isInFlight?: boolean;
}

/** How a request waits for events, if it does. A stream gets no share, because it would hold it for as long as it is open. */
type WaitingRequest = 'stream' | 'poll' | null;

/** The caller of a request, as far as the limits know it. */
export interface LimitedCaller {
  readonly organizationId: OrganizationId;
  /** The id of the person or the service account. */
  readonly id: string;
}

/**
 * Keeps one organization from using up the service. Limits its requests per minute and its concurrent requests, and
 * gives it a fair share of connections, processor time and memory. The guard admits requests here. Code that reads rows
 * or writes long responses finds the request's limits with `currentLimits`.
 */
@Injectable()
export class OrganizationLimits {
  private readonly inFlight = new Map<OrganizationId, number>();
  private readonly resources: SharedQueues;
  private readonly ofCredential: TokenBuckets;
  private readonly ofOrganization: TokenBuckets;

  constructor(@Inject(ENV) env: Env) {
    const bytes = env.STRATA_ANSWERS_MB * 1_048_576;
    const waitingLimits = { waitingMax: WAITING_MAX, waitMsMax: WAIT_MS_MAX, createError: overloadedError };
    this.resources = {
      work: new FairQueue({ perHolder: POOL_SIZE / 2, total: POOL_SIZE, ...waitingLimits }),
      memory: new FairQueue({ perHolder: bytes / 2, total: bytes, ...waitingLimits }),
    };
    this.ofCredential = new TokenBuckets({ perMinute: env.STRATA_RATE_PER_CREDENTIAL });
    this.ofOrganization = new TokenBuckets({ perMinute: env.STRATA_RATE_PER_ORGANIZATION });
  }

  /**
   * Admits an authenticated request. Throws `rate_limited` beyond the rates, and `overloaded` if too many requests of
   * the organization are in progress. Requests that wait are idle for most of the time and do not count as such.
   */
  admit(request: LimitedRequest, reply: FastifyReply, caller: LimitedCaller, waitingRequest: WaitingRequest): void {
    const { organizationId } = caller;
    const states = this.take(caller);
    if (!states.every(({ isAllowed }) => isAllowed)) throw this.rateLimited(reply, states);
    if (waitingRequest === 'stream') return;
    if (waitingRequest === null && !this.enter(organizationId)) throw overloadedError();
    request.share = new RequestLimits(this.resources, organizationId, reply.raw, isRead(request));
    request.isInFlight = waitingRequest === null;
  }

  /** Counts one more read of an admitted request, as in a batch. Returns false beyond the rates. */
  countRead(caller: LimitedCaller): boolean {
    return this.take(caller).every(({ isAllowed }) => isAllowed);
  }

  /** Counts a request that is answered at once. Beyond the rates, it returns false and counts nothing. */
  countIfAllowed(caller: LimitedCaller): boolean {
    const isAllowed =
      this.ofCredential.allows(credentialKey(caller)) && this.ofOrganization.allows(caller.organizationId);
    if (isAllowed) this.take(caller);
    return isAllowed;
  }

  /** Counts a request as one in progress until `leave` is called. Returns false if too many are in progress. */
  enter(organizationId: OrganizationId): boolean {
    const before = this.inFlight.get(organizationId) ?? 0;
    if (before >= IN_FLIGHT_MAX) return false;
    this.inFlight.set(organizationId, before + 1);
    return true;
  }

  leave(organizationId: OrganizationId): void {
    const remaining = (this.inFlight.get(organizationId) ?? 1) - 1;
    if (remaining > 0) this.inFlight.set(organizationId, remaining);
    else this.inFlight.delete(organizationId);
  }

  /**
   * Removes a request from the limits before its response is sent. A long response counts until it has been sent. If it
   * exceeds the organization's memory, 503 is sent instead.
   */
  release(request: LimitedRequest, reply: FastifyReply, payload: unknown): unknown {
    const { share } = request;
    if (!share?.answered()) return payload;
    if (request.isInFlight) this.leave(share.organizationId);
    const length = payloadLength(payload);
    if (length < LONG_ANSWER_BYTES || share.hasReservedMemory) return payload;
    if (isRead(request) && !share.canAddMemory(length)) return overloadedResponse(reply);
    share.addMemory(length);
    return payload;
  }

  private take(caller: LimitedCaller): readonly [credential: RateState, organization: RateState] {
    return [this.ofCredential.take(credentialKey(caller)), this.ofOrganization.take(caller.organizationId)];
  }

  private rateLimited(reply: FastifyReply, [credential, organization]: readonly [RateState, RateState]): Failure {
    return rateLimitedError(reply, [
      ['credential', this.ofCredential.rate.perMinute, credential],
      ['organization', this.ofOrganization.rate.perMinute, organization],
    ]);
  }
}

const credentialKey = ({ organizationId, id }: LimitedCaller): string => `${organizationId} ${id}`;

/** Returns whether a response takes memory of its organization's share until it has been sent. */
export function isLongResponse(payload: unknown): boolean {
  return payloadLength(payload) >= LONG_ANSWER_BYTES;
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * Returns the JSON that the failure filter would write. A response that is already being sent no longer passes that
 * filter.
 */
function overloadedResponse(reply: FastifyReply): string {
  const { code, message, retryAfterSeconds } = overloadedError();
  reply.status(503).headers({ 'x-error-code': code, 'retry-after': String(retryAfterSeconds) });
  for (const name of ['etag', 'x-revision', 'content-length']) reply.removeHeader(name);
  return JSON.stringify({ detail: message });
}

function payloadLength(payload: unknown): number {
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
}

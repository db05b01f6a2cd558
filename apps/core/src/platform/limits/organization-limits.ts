import { Inject, Injectable } from '@nestjs/common';
import type { Failure, OrganizationId } from '@strata/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../env.ts';
import { POOL_SIZE } from '../postgres/data-source.ts';
import { ENV } from '../tokens.ts';
import { FairQueue, overloaded } from './fair-queue.ts';
import { rateLimited } from './rate-limited.ts';
import { RequestLimits, type SharedQueues } from './request-limits.ts';
import { type RateState, TokenBuckets } from './token-buckets.ts';

/** More requests than this of one organization could not be answered before their clients give up. */
const IN_FLIGHT_MAX = 1_000;
const WAITING_MAX = 200;
const WAIT_MS_MAX = 10_000;
/** What is shorter is sent in one go, and its connection takes it at once. */
const LONG_ANSWER_BYTES = 262_144;

/** A request as far as shares are concerned. */
export interface LimitedRequest extends FastifyRequest {
  share?: RequestLimits | undefined;
}

/** Who asks. */
export interface LimitedCaller {
  readonly organizationId: OrganizationId;
  /** The person or the service account. */
  readonly id: string;
}

/**
 * Sees to it that no organization takes the service from the others: so many requests a minute, so many at a time, and a fair
 * share of connections, of processor time and of memory. The guard lets requests in here; what reads rows or writes long
 * answers finds its part by `currentLimits`.
 */
@Injectable()
export class OrganizationLimits {
  private readonly inFlight = new Map<OrganizationId, number>();
  private readonly resources: SharedQueues;
  private readonly ofCredential: TokenBuckets;
  private readonly ofOrganization: TokenBuckets;

  constructor(@Inject(ENV) env: Env) {
    const bytes = env.STRATA_ANSWERS_MB * 1_048_576;
    const waiting = { waitingMax: WAITING_MAX, waitMsMax: WAIT_MS_MAX, refusal: overloaded };
    this.resources = {
      work: new FairQueue({ perHolder: POOL_SIZE / 2, total: POOL_SIZE, ...waiting }),
      memory: new FairQueue({ perHolder: bytes / 2, total: bytes, ...waiting }),
    };
    this.ofCredential = new TokenBuckets({ perMinute: env.STRATA_RATE_PER_CREDENTIAL });
    this.ofOrganization = new TokenBuckets({ perMinute: env.STRATA_RATE_PER_ORGANIZATION });
  }

  /**
   * Lets an authenticated request in, or throws: `rate_limited` beyond the rates, `overloaded` when too many of its organization are
   * being answered. What is long-lived waits for most of its time, and has no share.
   */
  admit(
    request: LimitedRequest,
    reply: FastifyReply,
    { organizationId, id }: LimitedCaller,
    isLongLived: boolean,
  ): void {
    const states = [
      this.ofCredential.take(`${organizationId} ${id}`),
      this.ofOrganization.take(organizationId),
    ] as const;
    if (!states.every(({ isAllowed }) => isAllowed)) throw this.rateLimited(reply, states);
    if (isLongLived) return;
    const before = this.inFlight.get(organizationId) ?? 0;
    if (before >= IN_FLIGHT_MAX) throw overloaded();
    this.inFlight.set(organizationId, before + 1);
    request.share = new RequestLimits(this.resources, organizationId, reply.raw, isRead(request));
  }

  /**
   * Ends the part of a request in the limits, before its response is sent. A long response counts until it is sent; if it exceeds
   * the memory of the organization, 503 is sent instead.
   */
  release(request: LimitedRequest, reply: FastifyReply, payload: unknown): unknown {
    const { share } = request;
    if (!share?.answered()) return payload;
    this.decrementInFlight(share.organizationId);
    const length = lengthOf(payload);
    if (length < LONG_ANSWER_BYTES || share.hasReservedMemory) return payload;
    if (isRead(request) && !share.canAddMemory(length)) return overloadedResponse(reply);
    share.addMemory(length);
    return payload;
  }

  private decrementInFlight(organizationId: OrganizationId): void {
    const remaining = (this.inFlight.get(organizationId) ?? 1) - 1;
    if (remaining > 0) this.inFlight.set(organizationId, remaining);
    else this.inFlight.delete(organizationId);
  }

  private rateLimited(reply: FastifyReply, [credential, organization]: readonly [RateState, RateState]): Failure {
    return rateLimited(reply, [
      ['credential', this.ofCredential.rate.perMinute, credential],
      ['organization', this.ofOrganization.rate.perMinute, organization],
    ]);
  }
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** In the form that the failure filter gives a refusal, which an answer that is on its way does not pass any more. */
function overloadedResponse(reply: FastifyReply): string {
  const { code, message, retryAfterSeconds } = overloaded();
  reply.status(503).headers({ 'x-error-code': code, 'retry-after': String(retryAfterSeconds) });
  for (const name of ['etag', 'x-revision', 'content-length']) reply.removeHeader(name);
  return JSON.stringify({ detail: message });
}

function lengthOf(payload: unknown): number {
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
}

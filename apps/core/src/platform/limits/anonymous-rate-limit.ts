import { Inject, Injectable } from '@nestjs/common';
import { clientNetwork } from '@strata/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../env.ts';
import { ENV } from '../tokens.ts';
import { rateLimitedError } from './rate-limited.ts';
import { TokenBuckets } from './token-buckets.ts';

/** Health checks are never rate limited. */
const HEALTH: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/api/healthz', '/api/readyz']);

/**
 * Limits the requests per network address that carry no valid credential. Requests with a valid credential have their
 * own rates and do not count here, so a user who shares an address with an attacker can still work.
 */
@Injectable()
export class AnonymousRateLimit {
  private readonly ofAddress: TokenBuckets;

  constructor(@Inject(ENV) env: Env) {
    this.ofAddress = new TokenBuckets({ perMinute: env.STRATA_RATE_PER_ADDRESS });
  }

  /** Counts a request without a credential, on any path. Throws `rate_limited`. */
  countMissingCredential(request: FastifyRequest, reply: FastifyReply): void {
    if (request.headers.authorization === undefined) this.count(request, reply);
  }

  /** Counts a request whose credential was wrong or not checked. Throws `rate_limited`. */
  countRejectedCredential(request: FastifyRequest, reply: FastifyReply): void {
    if (request.headers.authorization !== undefined) this.count(request, reply);
  }

  private count(request: FastifyRequest, reply: FastifyReply): void {
    if (HEALTH.has(request.routeOptions.url)) return;
    const state = this.ofAddress.take(clientNetwork(request.ip));
    if (!state.isAllowed) throw rateLimitedError(reply, [['address', this.ofAddress.rate.perMinute, state]]);
  }
}

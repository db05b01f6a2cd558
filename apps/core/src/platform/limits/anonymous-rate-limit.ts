import { Inject, Injectable } from '@nestjs/common';
import { networkOf } from '@strata/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../env.ts';
import { ENV } from '../tokens.ts';
import { rateLimited } from './rate-limited.ts';
import { TokenBuckets } from './token-buckets.ts';

/** Whoever watches the process is never refused. */
const HEALTH: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz']);

/**
 * How often a network address may ask without a credential that is good. Requests with a good one have rates of their own and are not
 * counted here, so that whoever sits behind the same address as an attacker goes on.
 */
@Injectable()
export class AnonymousRateLimit {
  private readonly ofAddress: TokenBuckets;

  constructor(@Inject(ENV) env: Env) {
    this.ofAddress = new TokenBuckets({ perMinute: env.STRATA_RATE_PER_ADDRESS });
  }

  /** Counts a request without a credential, whatever its path is. Throws `rate_limited`. */
  countMissingCredential(request: FastifyRequest, reply: FastifyReply): void {
    if (request.headers.authorization === undefined) this.count(request, reply);
  }

  /** Counts a request whose credential was not checked, or was wrong. Throws `rate_limited`. */
  countRejectedCredential(request: FastifyRequest, reply: FastifyReply): void {
    if (request.headers.authorization !== undefined) this.count(request, reply);
  }

  private count(request: FastifyRequest, reply: FastifyReply): void {
    if (HEALTH.has(request.routeOptions.url)) return;
    const state = this.ofAddress.take(networkOf(request.ip));
    if (!state.isAllowed) throw rateLimited(reply, [['address', this.ofAddress.rate.perMinute, state]]);
  }
}

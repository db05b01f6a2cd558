import { Inject, Injectable } from '@nestjs/common';
import { networkOf } from '@strata/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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

  /** Told once, before there are routes: who shows nothing is counted before the body is read, wherever the path leads. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      if (request.headers.authorization !== undefined) return done();
      try {
        this.count(request, reply);
        done();
      } catch (error) {
        done(error as Error);
      }
    });
  }

  /** For who showed something that nobody looked at, or that was no good. Throws `rate_limited`. */
  countRejectedCredential(request: FastifyRequest, reply: FastifyReply): void {
    if (request.headers.authorization !== undefined) this.count(request, reply);
  }

  private count(request: FastifyRequest, reply: FastifyReply): void {
    if (HEALTH.has(request.routeOptions.url)) return;
    const state = this.ofAddress.take(networkOf(request.ip));
    if (!state.isAllowed) throw rateLimited(reply, [['address', this.ofAddress.rate.perMinute, state]]);
  }
}

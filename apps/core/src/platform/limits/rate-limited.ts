import { Failure } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import type { RateState } from './token-buckets.ts';

/** Whose rate it is, what it allows a minute, and what is left of it. */
export type ReportedRate = readonly [name: string, perMinute: number, state: RateState];

/** The fields of draft-ietf-httpapi-ratelimit-headers, told only where a rate was met. */
export function rateLimited(reply: FastifyReply, rates: readonly ReportedRate[]): Failure {
  const policies = rates.map(([name, perMinute]) => `"${name}";q=${perMinute};w=60`);
  const limits = rates.map(([name, , state]) => `"${name}";r=${state.remaining};t=${state.retryAfterSeconds}`);
  reply.header('ratelimit-policy', policies.join(', ')).header('ratelimit', limits.join(', '));
  const seconds = Math.max(...rates.map(([, , { retryAfterSeconds }]) => retryAfterSeconds));
  const message = `Too many requests. Nothing was done; try again in ${seconds} seconds.`;
  return new Failure({ kind: 'limited', code: 'rate_limited', message, retryAfterSeconds: seconds });
}

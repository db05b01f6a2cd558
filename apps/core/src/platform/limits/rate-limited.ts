import { Failure, sentence } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import type { RateState } from './token-buckets.ts';

/** The name of a rate, the requests it allows per minute, and how many are left. */
export type ReportedRate = readonly [name: string, perMinute: number, state: RateState];

/** Sets the fields of draft-ietf-httpapi-ratelimit-headers on responses to requests that exceeded a rate. */
export function rateLimitedError(reply: FastifyReply, rates: readonly ReportedRate[]): Failure {
  const policies = rates.map(([name, perMinute]) => `"${name}";q=${perMinute};w=60`);
  const limits = rates.map(([name, , state]) => `"${name}";r=${state.remaining};t=${state.retryAfterSeconds}`);
  reply.header('ratelimit-policy', policies.join(', ')).header('ratelimit', limits.join(', '));
  const seconds = Math.max(...rates.map(([, , { retryAfterSeconds }]) => retryAfterSeconds));
  const message = sentence`Too many requests. The request had no effect; try again in ${{ seconds }} seconds.`;
  return new Failure({ kind: 'limited', code: 'rate_limited', message, retryAfterSeconds: seconds });
}

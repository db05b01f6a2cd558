import { Injectable } from '@nestjs/common';
import { Failure, sentence } from '@strata/domain';
import { TokenBuckets } from '../../platform/limits/token-buckets.ts';

/** The requests of members that reach the providers of an organization. */
const RATE = { perMinute: 60 };

/** Limits the requests that members send to the providers of their organization. */
@Injectable()
export class StoreRequests {
  private readonly buckets = new TokenBuckets(RATE);

  /** Throws 429 beyond the limit. */
  take(organizationId: string): void {
    const { isAllowed, retryAfterSeconds } = this.buckets.take(organizationId);
    if (!isAllowed) throw tooManyRequests(retryAfterSeconds);
  }
}

const tooManyRequests = (seconds: number) =>
  new Failure({
    kind: 'limited',
    code: 'rate_limited',
    message: sentence`The stores of this organization were listed too often. Try again in ${{ seconds }} seconds.`,
    retryAfterSeconds: seconds,
  });

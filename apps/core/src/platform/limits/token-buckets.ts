/** Allows this many requests at once, and as many again in each following minute. */
export interface Rate {
  readonly perMinute: number;
}

export interface RateState {
  /** True if the request is allowed. */
  readonly isAllowed: boolean;
  /** The number of further requests that are allowed now. */
  readonly remaining: number;
  /** The seconds until the next request is allowed; 0 if one is allowed now. */
  readonly retryAfterSeconds: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const MINUTE_MS = 60_000;
/** Limits memory, because clients can invent keys. Beyond this number, new keys share one bucket. */
const KEYS_MAX = 100_000;
const OVERFLOW_KEY = '';

/** One token bucket per key, with the tokens of one minute each. */
export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();
  private sweptAt: number;

  constructor(
    readonly rate: Rate,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.sweptAt = now();
  }

  /** Returns whether the next request is allowed, and counts none. */
  allows(key: string): boolean {
    return this.refilled(key).tokens >= 1;
  }

  take(key: string): RateState {
    const { perMinute } = this.rate;
    const bucket = this.refilled(key);
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return { isAllowed: true, remaining: Math.floor(bucket.tokens), retryAfterSeconds: 0 };
    }
    const wait = ((1 - bucket.tokens) * MINUTE_MS) / perMinute / 1_000;
    return { isAllowed: false, remaining: 0, retryAfterSeconds: Math.max(1, Math.ceil(wait)) };
  }

  private refilled(key: string): Bucket {
    const { perMinute } = this.rate;
    const now = this.now();
    const bucket = this.buckets.get(key) ?? this.added(key, now);
    bucket.tokens = Math.min(perMinute, bucket.tokens + ((now - bucket.at) * perMinute) / MINUTE_MS);
    bucket.at = now;
    return bucket;
  }

  private added(key: string, now: number): Bucket {
    if (now - this.sweptAt >= MINUTE_MS) this.deleteFull(now);
    if (this.buckets.size >= KEYS_MAX && key !== OVERFLOW_KEY) {
      return this.buckets.get(OVERFLOW_KEY) ?? this.added(OVERFLOW_KEY, now);
    }
    const bucket = { tokens: this.rate.perMinute, at: now };
    this.buckets.set(key, bucket);
    return bucket;
  }

  /** Deletes the buckets that were idle for a minute. They are full again, so a new bucket is equivalent. */
  private deleteFull(now: number): void {
    this.sweptAt = now;
    for (const [key, { at }] of this.buckets) if (now - at >= MINUTE_MS) this.buckets.delete(key);
  }
}

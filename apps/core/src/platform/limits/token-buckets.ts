/** So many requests at once at most, and as many again with each minute that passes. */
export interface Rate {
  readonly perMinute: number;
}

export interface RateState {
  /** What was asked for is allowed. */
  readonly isAllowed: boolean;
  /** How many more requests would be allowed at this moment. */
  readonly remaining: number;
  /** Seconds until one is allowed again; 0 where one is. */
  readonly retryAfterSeconds: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const MINUTE_MS = 60_000;
/** Keys that anybody can make up must not fill the memory; who comes when so many are known shares one bucket. */
const KEYS_MAX = 100_000;
const OVERFLOW_KEY = '';

/** Token buckets by key, each as large as a minute's worth. */
export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();
  private sweptAt: number;

  constructor(
    readonly rate: Rate,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.sweptAt = now();
  }

  take(key: string): RateState {
    const { perMinute } = this.rate;
    const now = this.now();
    const bucket = this.buckets.get(key) ?? this.added(key, now);
    bucket.tokens = Math.min(perMinute, bucket.tokens + ((now - bucket.at) * perMinute) / MINUTE_MS);
    bucket.at = now;
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return { isAllowed: true, remaining: Math.floor(bucket.tokens), retryAfterSeconds: 0 };
    }
    const wait = ((1 - bucket.tokens) * MINUTE_MS) / perMinute / 1_000;
    return { isAllowed: false, remaining: 0, retryAfterSeconds: Math.max(1, Math.ceil(wait)) };
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

  /** Whoever was not there for a minute has a full bucket, which need not be remembered. */
  private deleteFull(now: number): void {
    this.sweptAt = now;
    for (const [key, { at }] of this.buckets) if (now - at >= MINUTE_MS) this.buckets.delete(key);
  }
}

import { TokenBuckets } from './token-buckets.ts';

describe('TokenBuckets', () => {
  let now = 0;
  const buckets = (perMinute: number) => new TokenBuckets({ perMinute }, () => now);

  it('allows the requests of one minute at once, and then as many as the rate adds', () => {
    const rate = buckets(60);
    for (let n = 0; n < 60; n += 1) expect(rate.take('a')).toMatchObject({ isAllowed: true, remaining: 59 - n });

    expect(rate.take('a')).toEqual({ isAllowed: false, remaining: 0, retryAfterSeconds: 1 });
    now += 1_000;
    expect(rate.take('a').isAllowed).toBe(true);
    expect(rate.take('a').isAllowed).toBe(false);
  });

  it('returns the time to wait', () => {
    const rate = buckets(2);
    for (let n = 0; n < 2; n += 1) rate.take('a');

    expect(rate.take('a').retryAfterSeconds).toBe(30);
    now += 29_000;
    expect(rate.take('a').retryAfterSeconds).toBe(1);
  });

  it('has one bucket per key, and deletes only the buckets of keys that were idle for a minute', () => {
    const rate = buckets(1);
    rate.take('a');
    now += 59_000;
    expect(rate.take('b').isAllowed).toBe(true);
    expect(rate.take('a').isAllowed).toBe(false);
    now += 1_500;
    expect(rate.take('c').isAllowed).toBe(true);
    expect(rate.take('b').isAllowed).toBe(false);
  });

  it('uses one shared bucket for new keys when it has too many keys', () => {
    const rate = buckets(2);
    for (let n = 0; n < 100_000; n += 1) rate.take(`known ${n}`);

    expect([rate.take('late').isAllowed, rate.take('later').isAllowed, rate.take('latest').isAllowed]).toEqual([
      true,
      true,
      false,
    ]);
    expect(rate.take('known 7').isAllowed).toBe(true);
    now += 120_000;
    expect(rate.take('late').isAllowed).toBe(true);
    expect(rate.take('latest').remaining).toBe(1);
  });
});

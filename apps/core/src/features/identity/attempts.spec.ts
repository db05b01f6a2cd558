import { Attempts } from './attempts.ts';

describe('Attempts', () => {
  let now = 0;
  const fresh = () => {
    now = 1_000;
    return new Attempts(() => now);
  };
  const fail = (attempts: Attempts, times: number, ip = 'ip', email = 'e') => {
    for (let n = 0; n < times; n += 1) attempts.begin(ip, email);
  };

  it('allows ten failures and refuses the eleventh until a minute after the first', () => {
    const attempts = fresh();
    fail(attempts, 1);
    now += 20_000;
    fail(attempts, 9);

    expect(() => attempts.begin('ip', 'e')).toThrow(
      expect.objectContaining({ kind: 'limited', retryAfterSeconds: 40 }),
    );
    now += 40_001;
    expect(() => attempts.begin('ip', 'e')).not.toThrow();
    expect(() => attempts.begin('ip', 'e')).toThrow(expect.objectContaining({ kind: 'limited' }));
  });

  it('takes back what succeeded, and only that', () => {
    const attempts = fresh();
    fail(attempts, 9);
    for (let n = 0; n < 20; n += 1) attempts.begin('ip', 'e')();

    fail(attempts, 1);
    expect(() => attempts.begin('ip', 'e')).toThrow(expect.objectContaining({ code: 'too_many_attempts' }));
  });

  it('counts attempts that are still running', () => {
    const attempts = fresh();
    const running = Array.from({ length: 10 }, () => attempts.begin('ip', 'e'));

    expect(() => attempts.begin('ip', 'e')).toThrow();
    running[0]?.();
    expect(() => attempts.begin('ip', 'e')).not.toThrow();
  });

  it('tells addresses and machines apart', () => {
    const attempts = fresh();
    fail(attempts, 10);

    expect(() => attempts.begin('ip', 'other')).not.toThrow();
    expect(() => attempts.begin('other', 'e')).not.toThrow();
  });

  it('stops one machine with many addresses, and many machines with one address', () => {
    const guesser = fresh();
    for (let n = 0; n < 100; n += 1) guesser.begin('ip', `e${n}`);
    expect(() => guesser.begin('ip', 'fresh')).toThrow();

    const botnet = fresh();
    for (let n = 0; n < 100; n += 1) botnet.begin(`ip${n}`, 'e');
    expect(() => botnet.begin('fresh', 'e')).toThrow();
  });
});

import { Failure } from '@strata/domain';

const WINDOW_MS = 60_000;
/** A guesser with a list of addresses or of machines; far above what people who mistype can reach. */
const WIDE_LIMIT = 100;
const NARROW_LIMIT = 10;
/** Bounds memory when somebody invents addresses; the oldest entries go first. */
const REMEMBERED_MAX = 50_000;

/**
 * How often somebody failed to sign in lately: ten times a minute for one e-mail address from one machine. An attempt
 * counts from its beginning, so that many at once do not slip through, and is taken back when it succeeds.
 */
export class Attempts {
  private readonly failures = new Map<string, number[]>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Throws when there were too many; otherwise returns the way to take the attempt back. */
  begin(ip: string, email: string): () => void {
    const limits = [
      [`pair ${ip} ${email}`, NARROW_LIMIT],
      [`ip ${ip}`, WIDE_LIMIT],
      [`email ${email}`, WIDE_LIMIT],
    ] as const;
    const at = this.now();
    for (const [key, limit] of limits) this.assertBelow(key, limit, at);
    for (const [key] of limits) this.add(key, at);
    return () => {
      for (const [key] of limits) this.takeBack(key, at);
    };
  }

  private assertBelow(key: string, limit: number, at: number): void {
    const recent = (this.failures.get(key) ?? []).filter((moment) => moment > at - WINDOW_MS);
    if (recent.length < limit) return;
    const wait = Math.max(1, Math.ceil(((recent[0] ?? at) + WINDOW_MS - at) / 1_000));
    throw new Failure(
      'limited',
      'too_many_attempts',
      `Too many failed attempts to sign in. Try again in ${wait} seconds.`,
      'detail',
      [],
      wait,
    );
  }

  private add(key: string, at: number): void {
    const recent = (this.failures.get(key) ?? []).filter((moment) => moment > at - WINDOW_MS);
    this.failures.delete(key); // to the end of the order of insertion
    this.failures.set(key, [...recent, at]);
    const [oldest] = this.failures.size > REMEMBERED_MAX ? this.failures.keys() : [];
    if (oldest !== undefined) this.failures.delete(oldest);
  }

  private takeBack(key: string, at: number): void {
    const remaining = [...(this.failures.get(key) ?? [])];
    const found = remaining.indexOf(at);
    if (found >= 0) remaining.splice(found, 1);
    if (remaining.length > 0) this.failures.set(key, remaining);
    else this.failures.delete(key);
  }
}

import fc from 'fast-check';
import { nextAttempt } from './index.ts';
import { RETRY_DELAYS } from './schedule.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const HOUR = 3_600_000;
/** A random number in the middle of the jitter range. */
const EVEN = () => 0.5;

function wait(failures: number, random: () => number): number | null {
  const next = nextAttempt(failures, NOW, random);
  return next && next.getTime() - NOW.getTime();
}

describe('nextAttempt', () => {
  it.each`
    failures | seconds
    ${1}     | ${5}
    ${2}     | ${30}
    ${3}     | ${120}
    ${4}     | ${600}
    ${5}     | ${1_800}
    ${6}     | ${7_200}
    ${7}     | ${18_000}
    ${8}     | ${36_000}
    ${9}     | ${43_200}
    ${15}    | ${43_200}
  `('waits $seconds s after failure $failures', ({ failures, seconds }) => {
    expect(wait(failures, EVEN)).toBe(seconds * 1_000);
  });

  it('gives up after the last delay', () => {
    expect(wait(RETRY_DELAYS.length, EVEN)).not.toBeNull();
    expect(wait(RETRY_DELAYS.length + 1, EVEN)).toBeNull();
  });

  it('retries for at least 72 hours even if the jitter shortens every delay', () => {
    const shortest = RETRY_DELAYS.map((_, index) => wait(index + 1, () => 0) ?? 0);
    expect(shortest.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThanOrEqual(72 * HOUR);
  });

  it('stays within a fifth of the planned delay', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: RETRY_DELAYS.length }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (failures, chance) => {
          const planned = RETRY_DELAYS[failures - 1] ?? 0;
          const actual = wait(failures, () => chance) ?? 0;
          expect(actual).toBeGreaterThanOrEqual(Math.floor(planned * 0.8));
          expect(actual).toBeLessThanOrEqual(Math.ceil(planned * 1.2));
        },
      ),
    );
  });
});

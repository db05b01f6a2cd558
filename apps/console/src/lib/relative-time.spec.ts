import fc from 'fast-check';
import { relativeTime, upcomingTime } from './relative-time.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('relative times', () => {
  it.each([
    [0, 'just now'],
    [-59_000, 'just now'],
    [4_000, 'just now'],
    [6_000, 'within a minute'],
    [59_000, 'within a minute'],
    [-MINUTE, '1 minute ago'],
    [-5.9 * MINUTE, '5 minutes ago'],
    [3 * MINUTE, 'in 3 minutes'],
    [-HOUR, '1 hour ago'],
    [-23.9 * HOUR, '23 hours ago'],
    [-DAY, 'yesterday'],
    [DAY, 'tomorrow'],
    [-30 * DAY, '30 days ago'],
    [14 * DAY, 'in 14 days'],
    [-31 * DAY, null],
    [31 * DAY, null],
  ])('describes a time at a distance of %d ms', (distance, expected) => {
    expect(relativeTime(NOW + distance, NOW)).toBe(expected);
  });

  it.each([
    [-57 * MINUTE, 'now'],
    [0, 'now'],
    [30_000, 'within a minute'],
    [HOUR, 'in 1 hour'],
    [31 * DAY, null],
  ])('describes an event that is due after %d ms', (distance, expected) => {
    expect(upcomingTime(NOW + distance, NOW)).toBe(expected);
  });

  it('never describes a past time as future, or the reverse', () => {
    fc.assert(
      fc.property(fc.integer({ min: -DAY * 30, max: DAY * 30 }), (distance) => {
        const expected = relativeTime(NOW + distance, NOW) ?? '';
        expect(/ ago$|yesterday/.test(expected)).toBe(distance <= -MINUTE);
        expect(/^in |tomorrow/.test(expected)).toBe(distance >= MINUTE);
      }),
    );
  });
});

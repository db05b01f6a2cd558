import { plusMicroseconds } from './instant.ts';

describe('plusMicroseconds', () => {
  it.each`
    at                               | microseconds | later
    ${'2026-11-22T10:00:00.000000Z'} | ${0}         | ${'2026-11-22T10:00:00.000000Z'}
    ${'2026-11-22T10:00:00.000009Z'} | ${1}         | ${'2026-11-22T10:00:00.000010Z'}
    ${'2026-11-22T10:00:59.999999Z'} | ${1}         | ${'2026-11-22T10:01:00.000000Z'}
    ${'2026-12-31T23:59:59.999990Z'} | ${31}        | ${'2027-01-01T00:00:00.000021Z'}
  `('$at plus $microseconds is $later', ({ at, microseconds, later }) => {
    expect(plusMicroseconds(at, microseconds)).toBe(later);
  });
});

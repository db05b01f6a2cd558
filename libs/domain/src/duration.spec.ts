import { expirationProblem, expiryTime, instantAfter, parseDuration } from './duration.ts';

const DAY = 86_400;

describe('a duration', () => {
  it.each`
    text                  | duration
    ${'P30D'}             | ${{ months: 0, seconds: 30 * DAY }}
    ${'P1Y2M'}            | ${{ months: 14, seconds: 0 }}
    ${'P2W'}              | ${{ months: 0, seconds: 14 * DAY }}
    ${'PT12H'}            | ${{ months: 0, seconds: DAY / 2 }}
    ${'P1DT1H1M1S'}       | ${{ months: 0, seconds: DAY + 3_661 }}
    ${'P'}                | ${null}
    ${'P1DT'}             | ${null}
    ${'30D'}              | ${null}
    ${'P-1D'}             | ${null}
    ${'P1.5D'}            | ${null}
    ${'p30d'}             | ${null}
    ${'P99999999999999Y'} | ${null}
    ${''}                 | ${null}
  `('parses $text', ({ text, duration }) => {
    expect(parseDuration(text)).toEqual(duration);
  });

  it.each`
    text         | fits
    ${'PT1H'}    | ${true}
    ${'P100Y'}   | ${true}
    ${'PT59M'}   | ${false}
    ${'P0D'}     | ${false}
    ${'P101Y'}   | ${false}
    ${'monthly'} | ${false}
  `('accepts $text as the lifetime of a value: $fits', ({ text, fits }) => {
    expect(expirationProblem(text) === null).toBe(fits);
  });

  it.each`
    from                             | text      | to
    ${'2024-01-31T10:00:00.123456Z'} | ${'P1M'}  | ${'2024-02-29T10:00:00.123456Z'}
    ${'2023-01-31T10:00:00.000001Z'} | ${'P1M'}  | ${'2023-02-28T10:00:00.000001Z'}
    ${'2024-12-15T23:30:00.000000Z'} | ${'PT1H'} | ${'2024-12-16T00:30:00.000000Z'}
    ${'2024-02-29T00:00:00.000000Z'} | ${'P1Y'}  | ${'2025-02-28T00:00:00.000000Z'}
    ${'2024-05-01T00:00:00.999999Z'} | ${'P30D'} | ${'2024-05-31T00:00:00.999999Z'}
  `('adds $text to $from: $to', ({ from, text, to }) => {
    expect(instantAfter(from, parseDuration(text) ?? { months: 0, seconds: 0 })).toBe(to);
  });
});

it('returns the expiry date, and null without a duration', () => {
  const changedAt = '2024-05-01T00:00:00.000001Z';

  expect([expiryTime('P30D', changedAt), expiryTime(null, changedAt)]).toEqual(['2024-05-31T00:00:00.000001Z', null]);
});

import { parseMinutes } from './duration.ts';

test.each([
  ['30m', 30],
  ['12h', 720],
  ['7d', 10_080],
])('%s are %i minutes', (text, minutes) => {
  expect(parseMinutes('--cache-max-age', text)).toBe(minutes);
});

test.each(['', '0m', '12', 'h', '1.5h', '-1h', '12 h', '1s'])('%j is not a duration', (text) => {
  expect(() => parseMinutes('--cache-max-age', text)).toThrow('--cache-max-age must be a duration');
});

import { withoutTrailingSlashes } from './trailing-slashes.ts';

it.each([
  ['', ''],
  ['///', ''],
  ['a', 'a'],
  ['/a//b//', '/a//b'],
])('removes the slashes at the end of %j', (text, expected) => {
  expect(withoutTrailingSlashes(text)).toBe(expected);
});

it('takes linear time', () => {
  const text = `${'/'.repeat(4_000_000)}a`;
  const begun = performance.now();
  expect(withoutTrailingSlashes(text)).toBe(text);
  // A regular expression takes more than an hour.
  expect(performance.now() - begun).toBeLessThan(5_000);
});

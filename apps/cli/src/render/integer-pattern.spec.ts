import fc from 'fast-check';
import { integerPattern } from './integer-pattern.ts';

const bound = fc.option(fc.bigInt({ min: -1200n, max: 1200n }), { nil: null });
const text = fc
  .tuple(fc.constantFrom('', '+', '-'), fc.constantFrom('', '0', '00'), fc.bigInt({ min: 0n, max: 15_000n }))
  .map(([sign, zeros, digits]) => `${sign}${zeros}${digits}`);

test('matches the texts of the numbers in a range, and no others', () => {
  fc.assert(
    fc.property(bound, bound, text, (first, second, sample) => {
      const [min, max] = first !== null && second !== null && first > second ? [second, first] : [first, second];
      const number = BigInt(sample.replace('+', ''));
      const isInRange = (min === null || number >= min) && (max === null || number <= max);
      expect(new RegExp(integerPattern({ min, max }), 'u').test(sample)).toBe(isInRange);
    }),
    { numRuns: 2_000 },
  );
});

test.each(['', '+', '1.5', '1e3', ' 1', '1 ', '٣'])('does not match %j', (sample) => {
  expect(new RegExp(integerPattern({ min: null, max: null }), 'u').test(sample)).toBe(false);
});

test('ranges of large numbers have short expressions', () => {
  const pattern = integerPattern({ min: 1024n, max: 10n ** 1_000n });
  expect(new RegExp(pattern, 'u').test(String(10n ** 1_000n))).toBe(true);
  expect(new RegExp(pattern, 'u').test(String(10n ** 1_000n + 1n))).toBe(false);
  expect(pattern.length).toBeLessThan(100_000);
});

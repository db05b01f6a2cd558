import * as fc from 'fast-check';
import { compareValueTexts } from './value-order.ts';

it('numbers are sorted by size, before other texts', () => {
  const texts = ['b', '10', '-2', 'job-10', '9', '1.5', '', 'job-9', 'a'];

  expect(texts.toSorted(compareValueTexts)).toEqual(['-2', '1.5', '9', '10', '', 'a', 'b', 'job-9', 'job-10']);
});

it('the order does not depend on the order of the texts', () => {
  const text = fc.oneof(fc.string(), fc.integer().map(String), fc.constantFrom('1', '01', '1.0', ' 1'));
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      expect(Math.sign(compareValueTexts(a, b))).toBe(-Math.sign(compareValueTexts(b, a)) || 0);
      if (compareValueTexts(a, b) <= 0 && compareValueTexts(b, c) <= 0)
        expect(compareValueTexts(a, c)).toBeLessThanOrEqual(0);
    }),
  );
});

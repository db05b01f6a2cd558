import fc from 'fast-check';
import { compareWholeNumbers, isWholeNumber } from './whole-number.ts';

const bigInts = fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n });
/** Generates whole numbers as people may write them: with a plus sign and leading zeros. */
const written = fc.tuple(bigInts, fc.boolean(), fc.nat(5)).map(([number, plus, zeros]) => {
  const sign = number < 0n ? '-' : plus ? '+' : '';
  return { number, text: `${sign}${'0'.repeat(zeros)}${number < 0n ? -number : number}` };
});

describe('whole numbers', () => {
  it.each(['0', '-0', '+7', '007', '9'.repeat(65_536)])('may be written as %#', (text) => {
    expect(isWholeNumber(text)).toBe(true);
  });

  it.each(['', ' 1', '1 ', '1.0', '1e3', '--1', '+', '٣', '1_000', '0x1', '1\n'])('do not include %j', (text) => {
    expect(isWholeNumber(text)).toBe(false);
  });

  it('compare numerically, whatever their size and notation', () => {
    fc.assert(
      fc.property(written, written, (left, right) => {
        const expected = left.number < right.number ? -1 : left.number > right.number ? 1 : 0;
        expect(Math.sign(compareWholeNumbers(left.text, right.text))).toBe(expected);
      }),
    );
  });

  it.each([
    ['-0', '0', 0],
    ['+1', '1', 0],
    ['-2', '-10', 1],
    ['-1', '0', -1],
    ['10', '9', 1],
    ['1'.repeat(5_000), '2'.repeat(4_999), 1],
  ])('%# compare exactly', (left, right, expected) => {
    expect(Math.sign(compareWholeNumbers(left, right))).toBe(expected);
    expect(Math.sign(compareWholeNumbers(right, left))).toBe(expected === 0 ? 0 : -expected);
  });
});

import fc from 'fast-check';
import { RE2JS } from 're2js';
import { estimateExpandedSize } from './pattern-size.ts';

describe('the expanded size', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['a{3}', 3],
    ['a{2,5}', 5],
    ['a{2,}', 2],
    ['(ab){3}', 12],
    ['(?:ab){3}', 12],
    ['(?P<name>ab)', 4],
    ['[a-z\\]{9}]{4}', 4],
    ['[[:alpha:]{9}]{4}', 4],
    ['[]a]{4}', 4],
    ['\\{9}', 3],
    ['((a{10}){10}){10}', 1_220],
  ])('of %j is %i', (pattern, size) => {
    expect(estimateExpandedSize(pattern)).toBe(size);
  });

  it('is computed quickly for text that is not a valid pattern', () => {
    for (const odd of ['[', '(', ')', '{', '\\', '{1}', '[^', '[[:', '){9}', 'a{99999999999}']) {
      expect(estimateExpandedSize(odd)).toBeGreaterThanOrEqual(0);
    }
  });

  it('is never far below the size of the compiled pattern', () => {
    const atom = fc.constantFrom('a', '.', '[a-z]', '\\d', '(?:ab)', '(a|b)', '\\{');
    const repeat = fc.constantFrom('', '{3}', '{2,40}', '{1,200}', '{7,}', '*', '?');
    const piece = fc.tuple(atom, repeat).map((parts) => parts.join(''));
    const grouped = fc
      .tuple(fc.array(piece, { maxLength: 4 }), repeat)
      .map(([inner, count]) => `(${inner.join('')})${count}`);
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, grouped), { maxLength: 6 }), (pieces) => {
        const pattern = pieces.join('');
        let compiled: RE2JS;
        try {
          compiled = RE2JS.compile(pattern);
        } catch {
          return;
        }
        expect(compiled.programSize()).toBeLessThanOrEqual(4 * estimateExpandedSize(pattern) + 20);
      }),
      { numRuns: 300 },
    );
  });
});

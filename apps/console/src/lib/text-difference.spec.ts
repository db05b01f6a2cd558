import * as fc from 'fast-check';
import { type DifferentLine, textDifference } from './text-difference.ts';

const words = (lines: readonly DifferentLine[]) =>
  lines.map(({ kind, text }) => `${{ same: ' ', gone: '-', new: '+' }[kind]}${text}`);

describe('the difference of two texts', () => {
  it('is a list of lines, including unchanged ones', () => {
    expect(words(textDifference('a\nb\nc', 'a\nx\nc\nd'))).toEqual([' a', '-b', '+x', ' c', '+d']);
  });

  it('of equal texts has no changes', () => {
    expect(textDifference('a\nb', 'a\nb').every(({ kind }) => kind === 'same')).toBe(true);
  });

  it('transforms one text into the other', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 })
      .map((all) => all.join('\n'));
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const lines = textDifference(before, after);
        const without = (kind: DifferentLine['kind']) =>
          lines
            .filter((line) => line.kind !== kind)
            .map(({ text }) => text)
            .join('\n');
        expect([without('new'), without('gone')]).toEqual([before, after]);
      }),
    );
  });
});

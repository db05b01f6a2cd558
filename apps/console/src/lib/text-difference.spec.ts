import * as fc from 'fast-check';
import { type DifferentLine, textDifference } from './text-difference.ts';

const words = (lines: readonly DifferentLine[]) =>
  lines.map(({ kind, text }) => `${{ same: ' ', gone: '-', new: '+' }[kind]}${text}`);

describe('the difference of two texts', () => {
  it('is told by lines, with what stayed', () => {
    expect(words(textDifference('a\nb\nc', 'a\nx\nc\nd'))).toEqual([' a', '-b', '+x', ' c', '+d']);
  });

  it('of equal texts is nothing', () => {
    expect(textDifference('a\nb', 'a\nb').every(({ kind }) => kind === 'same')).toBe(true);
  });

  it('leads from one to the other, whatever they are', () => {
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

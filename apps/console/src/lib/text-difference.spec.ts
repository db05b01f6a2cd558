import * as fc from 'fast-check';
import { compareTexts, type DifferentLine, isByLines, textDifference } from './text-difference.ts';

const format = (lines: readonly DifferentLine[]) =>
  lines.map(({ kind, text }) => `${{ same: ' ', gone: '-', new: '+' }[kind]}${text}`);

describe('the difference of two texts', () => {
  it('is a list of lines, including unchanged ones', () => {
    expect(format(textDifference('a\nb\nc', 'a\nx\nc\nd'))).toEqual([' a', '-b', '+x', ' c', '+d']);
  });

  it('of equal texts has no changes', () => {
    expect(textDifference('a\nb', 'a\nb').every(({ kind }) => kind === 'same')).toBe(true);
  });

  it('is shown by lines if a text has several, for long JSON, and for JSON with another formatting', () => {
    const [long, longer] = [JSON.stringify({ a: 'x'.repeat(80) }), JSON.stringify({ a: 'x'.repeat(81) })];
    const shownParts = [
      ['a', 'b\n'],
      [long, longer],
      ['[1]', '[ 1]'],
      ['[1]', '[2]'],
      ['x'.repeat(99), 'y'],
    ] as const;

    expect(shownParts.map(([before, after]) => isByLines(before, after))).toEqual([true, true, true, false, false]);
  });

  it('of JSON on one line compares its members, and has a note if only the formatting differs', () => {
    expect(compareTexts('{"a":1,"b":2}', '{"a":1,"b":3}')).toEqual({
      before: '{\n  "a": 1,\n  "b": 2\n}',
      after: '{\n  "a": 1,\n  "b": 3\n}',
      note: 'Both are compared as formatted JSON.',
    });
    expect(compareTexts('{"a":1}', '{\n"a": 1}').note).toBe('Only the formatting of the JSON differs.');
    expect(compareTexts('{\n"a": 1}', '{\n"a": 2}').note).toBeNull();
    expect(compareTexts('a', 'b').note).toBeNull();
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

import { isSameText, keepLineBreaks } from './line-breaks.ts';

describe('the line breaks of an edited text', () => {
  it('are those of the text before', () => {
    expect(keepLineBreaks('a\r\nb', 'a\nc\n')).toBe('a\r\nc\r\n');
    expect(['a\nb', 'a\r\nb\nc', '\n', 'a', 'a\rb\r\n'].map((before) => keepLineBreaks(before, 'x\ny'))).toEqual(
      Array(5).fill('x\ny'),
    );
  });

  it('do not make a text another one', () => {
    expect(isSameText('a\r\nb\n', 'a\nb\n')).toBe(true);
    expect(isSameText('a\nb', 'a b')).toBe(false);
  });
});

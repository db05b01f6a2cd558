import { acceptedEncoding, tagOfForm, tagOfText } from './accepted-encoding.ts';

describe('the encoding of an answer', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000', null],
    ['*', null],
    ['zstd', null],
  ])('of who sends %s is %s', (header, encoding) => {
    expect(acceptedEncoding(header)).toBe(encoding);
  });

  it('is one that there is', () => {
    expect(acceptedEncoding('br, gzip', ['gzip'])).toBe('gzip');
    expect(acceptedEncoding('br', [])).toBeNull();
  });

  it('is in its tag, and can be taken out again', () => {
    const tags = (['br', 'gzip'] as const).map((encoding) => tagOfForm('"abc"', encoding));
    expect(tags).toEqual(['"abc;br"', '"abc;gzip"']);
    expect(tags.map(tagOfText)).toEqual(['"abc"', '"abc"']);
    expect(tagOfText('"abc"')).toBe('"abc"');
  });
});

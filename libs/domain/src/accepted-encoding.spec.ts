import { acceptedEncoding } from './accepted-encoding.ts';

describe('acceptedEncoding', () => {
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
  ])('chooses for the header %s the encoding %s', (header, encoding) => {
    expect(acceptedEncoding(header)).toBe(encoding);
  });

  it('returns a known encoding or null for any header', () => {
    expect(acceptedEncoding('br, gzip', ['gzip'])).toBe('gzip');
    expect(acceptedEncoding('br', [])).toBeNull();
  });
});

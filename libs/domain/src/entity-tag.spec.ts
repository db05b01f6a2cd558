import { etagMatches, etagOfEncoding, etagWithoutEncoding } from './entity-tag.ts';

it('marks the ETag of an encoded body and removes the mark again', () => {
  const tags = (['br', 'gzip'] as const).map((encoding) => etagOfEncoding('"abc"', encoding));
  expect(tags).toEqual(['"abc;br"', '"abc;gzip"']);
  expect(tags.map(etagWithoutEncoding)).toEqual(['"abc"', '"abc"']);
  expect(etagWithoutEncoding('"abc"')).toBe('"abc"');
});

it.each([
  [undefined, false],
  ['"abc"', true],
  ['W/"abc"', true],
  ['"abc;br"', true],
  ['"x", W/"abc;gzip"', true],
  ['*', true],
  ['"ab"', false],
  ['abc', false],
  ['', false],
])('compares the header %s with the ETag "abc": %s', (header, isMatch) => {
  expect(etagMatches(header, '"abc"')).toBe(isMatch);
});

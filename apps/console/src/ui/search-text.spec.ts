import fc from 'fast-check';
import { parseText, parseTexts } from './search-params.ts';
import { parseSearchText, searchText } from './search-text.ts';

const read = (text: string) => parseTexts(parseSearchText(text).envs);

test.each`
  names                        | text
  ${['production', 'staging']} | ${'?envs=production,staging'}
  ${['production']}            | ${'?envs=production'}
  ${['a:b', 'x y']}            | ${'?envs=a:b,x+y'}
  ${['1', '2']}                | ${'?envs=1,2'}
`('the list $names is written as $text', ({ names, text }) => {
  expect(searchText({ envs: names })).toBe(text);
  expect(read(text)).toEqual(names);
});

it('a list that a person types and a list of an older link are read', () => {
  expect(read('?envs=production,staging')).toEqual(['production', 'staging']);
  expect(read('?envs=%5B%22production%22%2C%22staging%22%5D')).toEqual(['production', 'staging']);
  expect(read('?envs=')).toBeUndefined();
});

it('every list of names is read as it was written', () => {
  const name = fc.string({ minLength: 1 }).filter((text) => text.trim() === text);
  fc.assert(
    fc.property(fc.array(name, { minLength: 1 }), (names) => {
      expect(read(searchText({ envs: names }))).toEqual(names);
    }),
  );
});

it('other parameters are written as before', () => {
  expect(searchText({ q: 'a,b', n: 1, none: undefined })).toBe('?q=a,b&n=1');
});

it.each(['1.10', '123456789012345678', '1e3', '-0', '007', 'null', 'true', '5', 'a"b', '[x'])(
  'the text %s in a link that another program wrote is read as it is',
  (text) => {
    expect(parseText(parseSearchText(`?q=${encodeURIComponent(text)}`).q)).toBe(text);
  },
);

it('texts are read as they were written', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ minLength: 1 }), fc.double().map(String)), (text) => {
      expect(parseText(parseSearchText(searchText({ q: text })).q)).toBe(text);
    }),
  );
});

import fc from 'fast-check';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { parse } from 'yaml';
import { anyCharacter } from './testing/any-character.ts';
import { MISREAD_TEXTS } from './testing/misread-texts.ts';
import { yamlDocument } from './yaml.ts';

const READERS = {
  'js-yaml': (source: string) => load(source),
  'js-yaml with YAML 1.1': (source: string) => load(source, { schema: YAML11_SCHEMA }),
  yaml: (source: string) => parse(source),
  'yaml with YAML 1.1': (source: string) => parse(source, { version: '1.1' }),
};

const text = fc.oneof(fc.constantFrom(...MISREAD_TEXTS), fc.string({ unit: anyCharacter, maxLength: 40 }));
const document = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.constantFrom(null, true, false, 0, -1, 1.5, 9007199254740991),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.array(fc.tuple(text, tie('value')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
})).value;

test.each(Object.entries(READERS))('%s reads every key and every value as it is', (_, read) => {
  fc.assert(fc.property(document, (value) => expect(read(yamlDocument(value))).toEqual(value)));
});

test.each(Object.entries(READERS))('%s reads the longest name of a parameter', (_, read) => {
  const value = { ['\ufeff'.repeat(256)]: { a: ['b'] } };
  expect(read(yamlDocument(value))).toEqual(value);
});

test('writes objects and lists as indented lines', () => {
  const value = { data: { PORT: '8080', LIST: ['a', { b: 1, c: null }], NONE: {}, NOTHING: undefined }, empty: [] };
  expect(yamlDocument(value)).toBe(
    [
      '"data":',
      '  "PORT": "8080"',
      '  "LIST":',
      '    - "a"',
      '    -',
      '      "b": 1',
      '      "c": null',
      '  "NONE": {}',
      '"empty": []',
      '',
    ].join('\n'),
  );
});

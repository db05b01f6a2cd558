import fc from 'fast-check';
import { inferType } from './inferred-type.ts';
import { isOfBase } from './value-type.ts';

describe('the type of a pasted text', () => {
  it.each`
    type         | texts
    ${'boolean'} | ${['true', 'false']}
    ${'integer'} | ${['0', '8080', '-5', '9007199254740991', '-9007199254740991']}
    ${'string'}  | ${['', 'True', 'yes', 'on', 't', '007', '-0', '+1', '1_000', '1,000', '1.0', '1e3', '0x10', ' 1', '1 ', '1\n', '٥', '9007199254740992', '123456789012345678']}
  `('is $type', ({ type, texts }) => {
    for (const text of texts) expect([text, inferType(text)]).toEqual([text, type]);
  });

  it('never changes a text that a program parses and writes again, and is valid for the type', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.bigInt().map(String),
      fc.double().map(String),
      fc.constantFrom('true', 'no'),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const type = inferType(text);
        if (type !== 'string') expect(JSON.stringify(JSON.parse(text))).toBe(text);
        expect(isOfBase(type, text)).toBe(true);
      }),
    );
  });
});

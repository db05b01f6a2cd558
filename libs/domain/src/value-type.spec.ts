import fc from 'fast-check';
import { BUILT_IN_TYPES, checkText, INTEGER_DIGITS_MAX, type ValueType } from './value-type.ts';

function builtIn(name: string): ValueType {
  const type = BUILT_IN_TYPES.find((candidate) => candidate.name === name);
  if (!type) throw new Error(`There is no built-in type ${name}.`);
  return type;
}

describe('checkText', () => {
  it.each`
    type         | accepts
    ${'string'}  | ${['', ' ', 'true', '5', 'a\nb', '😀']}
    ${'integer'} | ${['0', '5', '-5', '+5', '007', '9'.repeat(40), `-${'9'.repeat(INTEGER_DIGITS_MAX)}`]}
    ${'boolean'} | ${['true', 'false', 'True', 'FALSE', 'yes', 'no', 'YES', 'No', 'y', 'N', 't', 'F', 'on', 'Off']}
  `('$type accepts $accepts', ({ type, accepts }) => {
    for (const text of accepts) expect({ text, wrong: checkText(builtIn(type), text) }).toEqual({ text, wrong: [] });
  });

  it.each`
    type         | refuses
    ${'integer'} | ${['', ' ', '-', '+', '--5', '5.0', '1e3', '0x10', '5 ', ' 5', '5\n', '٥', '1_000', '9'.repeat(INTEGER_DIGITS_MAX + 1)]}
    ${'boolean'} | ${['', '0', '1', 'maybe', 'yess', 'untrue', ' no', 'true ', 'true\n', 'tru', 'null']}
  `('$type refuses $refuses', ({ type, refuses }) => {
    for (const text of refuses) {
      expect({ text, wrong: checkText(builtIn(type), text) }).toEqual({ text, wrong: [expect.stringContaining(type)] });
    }
  });

  it('names the declared type, not its base', () => {
    const port: ValueType = { name: 'port_t', base: 'integer', rules: [] };
    expect(checkText(port, 'http')).toEqual([expect.stringMatching(/type port_t:/)]);
  });

  it('never repeats the text, which may be a secret', () => {
    expect(checkText(builtIn('integer'), 'hunter2').join()).not.toContain('hunter2');
  });

  it('reports all violated rules together, in their order', () => {
    const type: ValueType = {
      name: 'word',
      base: 'string',
      rules: [
        (text) => (text.length >= 3 ? null : 'too short'),
        (text) => (text.length <= 9 ? null : 'too long'),
        (text) => (text.startsWith('a') ? null : 'no a'),
      ],
    };
    expect(checkText(type, 'b')).toEqual(['too short', 'no a']);
    expect(checkText(type, 'alpha')).toEqual([]);
  });

  it('does not ask the rules about a text of the wrong base', () => {
    const rules = [(text: string) => (BigInt(text) <= 80n ? null : 'above 80')];
    expect(checkText({ name: 'port_t', base: 'integer', rules }, 'x')).toHaveLength(1);
    expect(checkText({ name: 'port_t', base: 'integer', rules }, '81')).toEqual(['above 80']);
  });

  it('accepts every integer as it is written', () => {
    fc.assert(fc.property(fc.bigInt(), (number) => expect(checkText(builtIn('integer'), `${number}`)).toEqual([])));
  });

  it('accepts every text as a string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => expect(checkText(builtIn('string'), text)).toEqual([])),
    );
  });
});

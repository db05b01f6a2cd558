import fc from 'fast-check';
import { BASE_TYPES, type BaseType } from './base-type.ts';
import type { OwnedRule } from './rule.ts';
import type { RuleKind } from './rule-kind.ts';
import { anyCharacter } from './testing/any-character.ts';
import { checkText, type ValueType } from './value-type.ts';

const builtIn = (base: BaseType): ValueType => ({ name: base, base, rules: [] });
const rule = (kind: RuleKind, constraint: string, owner = 'type t'): OwnedRule => ({ kind, constraint, owner });
/** A minimal engine for the patterns of these tests. */
const matches = (pattern: string, text: string) => new RegExp(`^(?:${pattern})`).test(text);
const messages = (type: ValueType, text: string) => checkText(type, text, matches).map(({ message }) => message);

describe('checkText', () => {
  it.each`
    type         | accepts
    ${'string'}  | ${['', ' ', 'true', '5', 'a\nb', '😀']}
    ${'integer'} | ${['0', '5', '-5', '+5', '007', '9'.repeat(40), `-${'9'.repeat(20_000)}`]}
    ${'boolean'} | ${['true', 'false', 'True', 'FALSE', 'yes', 'no', 'YES', 'No', 'y', 'N', 't', 'F', 'on', 'Off']}
  `('accepts the valid texts of $type', ({ type, accepts }) => {
    for (const text of accepts) expect({ text, wrong: messages(builtIn(type), text) }).toEqual({ text, wrong: [] });
  });

  it.each`
    type         | invalidTexts
    ${'integer'} | ${['', ' ', '-', '+', '--5', '5.0', '1e3', '0x10', '5 ', ' 5', '5\n', '٥', '1_000']}
    ${'boolean'} | ${['', '0', '1', 'maybe', 'yess', 'untrue', ' no', 'true ', 'true\n', 'tru', 'null']}
  `('rejects $invalidTexts for $type', ({ type, invalidTexts }) => {
    for (const text of invalidTexts) {
      expect({ text, wrong: checkText(builtIn(type), text, matches) }).toEqual({
        text,
        wrong: [
          {
            ...{ code: 'type_violation', message: expect.stringContaining(type) },
            params: { type, expected: expect.any(String) },
          },
        ],
      });
    }
  });

  it('names the declared type, not its base', () => {
    expect(messages({ name: 'port_t', base: 'integer', rules: [] }, 'http')).toEqual([
      expect.stringMatching(/type port_t:/),
    ]);
  });

  it.each`
    kind         | constraint                 | good                                   | bad
    ${'min'}     | ${'-5'}                    | ${['-5', '-05', '0', '9'.repeat(100)]} | ${['-6', `-${'9'.repeat(100)}`]}
    ${'max'}     | ${'80'}                    | ${['80', '+80', '0080', '-81']}        | ${['81', '9'.repeat(100)]}
    ${'max'}     | ${`1${'0'.repeat(1_000)}`} | ${['9'.repeat(1_000)]}                 | ${['9'.repeat(1_001)]}
    ${'min_len'} | ${'3'}                     | ${['abc', '😀😀😀', '   ']}            | ${['', 'ab', '😀😀']}
    ${'min_len'} | ${'0'}                     | ${['']}                                | ${[]}
    ${'max_len'} | ${'3'}                     | ${['', 'abc', '😀😀😀']}               | ${['abcd', '😀😀😀😀']}
    ${'max_len'} | ${'0'}                     | ${['']}                                | ${['a']}
    ${'max_len'} | ${'9'.repeat(400)}         | ${['a'.repeat(65_536)]}                | ${[]}
    ${'regex'}   | ${'FOO_.*'}                | ${['FOO_', 'FOO_x']}                   | ${['xFOO_', '']}
    ${'regex'}   | ${'ab'}                    | ${['ab', 'abc']}                       | ${['cab']}
  `('checks a text against $kind $constraint', ({ kind, constraint, good, bad }) => {
    const base = kind === 'min' || kind === 'max' ? 'integer' : 'string';
    const type: ValueType = { name: 't', base, rules: [rule(kind, constraint)] };
    for (const text of good) expect({ text, wrong: messages(type, text) }).toEqual({ text, wrong: [] });
    for (const text of bad) {
      expect(checkText(type, text, matches)).toEqual([
        {
          ...{ code: 'rule_violation', message: expect.stringContaining(constraint), rule: type.rules[0] },
          params: { rule: kind, limit: constraint, owner: 'type t' },
        },
      ]);
    }
  });

  it('reports all violations of a value, nearest rule first, with the owner of each rule', () => {
    const type: ValueType = {
      name: 'word',
      base: 'string',
      rules: [rule('max_len', '3', 'parameter p'), rule('max_len', '4', 'type word'), rule('regex', 'a', 'type text')],
    };
    expect(messages(type, 'abc')).toEqual([]);
    expect(messages(type, 'bcdef')).toEqual([
      expect.stringMatching(/3 .*parameter p/),
      expect.stringMatching(/4 .*type word/),
      expect.stringMatching(/pattern a .*type text/),
    ]);
  });

  it('skips the rules for a text of the wrong base', () => {
    const type: ValueType = { name: 'port_t', base: 'integer', rules: [rule('max', '80'), rule('min', '1')] };
    expect(messages(type, 'x')).toHaveLength(1);
    expect(messages(type, '81')).toEqual([expect.stringContaining('80')]);
  });

  it('rejects a text if the pattern exceeds the time limit', () => {
    const type: ValueType = { name: 't', base: 'string', rules: [rule('regex', '(x+x+)+y')] };
    expect(checkText(type, 'x', () => null)).toEqual([
      expect.objectContaining({ code: 'rule_violation', message: expect.stringContaining('too long') }),
    ]);
  });

  it('never quotes the text, which may be a secret', () => {
    const rules = [rule('min_len', '30'), rule('max_len', '2'), rule('regex', 'never')];
    expect(messages(builtIn('integer'), 'hunter2').join()).not.toContain('hunter2');
    expect(messages({ name: 's', base: 'string', rules }, 'hunter2')).toHaveLength(3);
    expect(messages({ name: 's', base: 'string', rules }, 'hunter2').join()).not.toContain('hunter2');
  });

  it('accepts every integer as written, and every text as a string', () => {
    fc.assert(fc.property(fc.bigInt(), (number) => expect(messages(builtIn('integer'), `${number}`)).toEqual([])));
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => expect(messages(builtIn('string'), text)).toEqual([])),
    );
  });

  it('counts length in code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 40 }), fc.nat(45), (text, length) => {
        const count = [...text].length;
        const type = (kind: RuleKind): ValueType => ({ name: 's', base: 'string', rules: [rule(kind, `${length}`)] });
        expect(messages(type('min_len'), text).length === 0).toBe(count >= length);
        expect(messages(type('max_len'), text).length === 0).toBe(count <= length);
      }),
    );
  });

  it('supports every base type', () => {
    for (const base of BASE_TYPES) expect(() => checkText(builtIn(base), '', matches)).not.toThrow();
  });
});

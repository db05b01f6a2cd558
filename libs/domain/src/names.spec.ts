import fc from 'fast-check';
import {
  isLongerThan,
  NAME_LENGTH_MAX,
  nameProblem,
  textProblem,
  trimName,
  VALUE_LENGTH_MAX,
  valueTextProblem,
} from './names.ts';
import { anyCharacter } from './testing/any-character.ts';

const BELL = '\u0007';
const HALF = '\ud83d';
const EMOJI = '😀';

describe('trimName', () => {
  it.each`
    text                  | name
    ${'  port '}          | ${'port'}
    ${'simple space'}     | ${'simple space'}
    ${'a  b'}             | ${'a  b'}
    ${'\t port \r\n'}     | ${'port'}
    ${'\u00a0port\u2003'} | ${'port'}
    ${'   '}              | ${''}
  `('turns $text into "$name"', ({ text, name }) => {
    expect(trimName(text)).toBe(name);
  });
});

describe('nameProblem', () => {
  it.each`
    what                             | name                                 | code
    ${'a plain name'}                | ${'port'}                            | ${undefined}
    ${'blanks, slashes and dots'}    | ${'a/b c.D-e_f'}                     | ${undefined}
    ${'other scripts'}               | ${'größe ポート'}                    | ${undefined}
    ${'a complete pair'}             | ${EMOJI}                             | ${undefined}
    ${'names of object members'}     | ${'__proto__'}                       | ${undefined}
    ${'nothing'}                     | ${''}                                | ${'blank'}
    ${'the greatest length'}         | ${'x'.repeat(NAME_LENGTH_MAX)}       | ${undefined}
    ${'one character more'}          | ${'x'.repeat(NAME_LENGTH_MAX + 1)}   | ${'too_long'}
    ${'as many characters in pairs'} | ${EMOJI.repeat(NAME_LENGTH_MAX)}     | ${undefined}
    ${'one pair more'}               | ${EMOJI.repeat(NAME_LENGTH_MAX + 1)} | ${'too_long'}
    ${'the null character'}          | ${'a\0b'}                            | ${'null_character'}
    ${'half a pair'}                 | ${`a${HALF}b`}                       | ${'lone_surrogate'}
    ${'the halves in wrong order'}   | ${'\ude00\ud83d'}                    | ${'lone_surrogate'}
    ${'a bell'}                      | ${`a${BELL}b`}                       | ${'control_character'}
    ${'a line break'}                | ${'a\nb'}                            | ${'control_character'}
    ${'a control of Latin-1'}        | ${'a\u0085b'}                        | ${'control_character'}
  `('$what: $code', ({ name, code }) => {
    expect(nameProblem(name)?.code).toBe(code);
  });

  it('accepts another limit for other kinds of names', () => {
    expect(nameProblem('x'.repeat(64), 64)).toBeNull();
    expect(nameProblem('x'.repeat(65), 64)?.message).toContain('64');
  });
});

describe('valueTextProblem', () => {
  it.each`
    what                        | text                                  | code
    ${'the empty text'}         | ${''}                                 | ${undefined}
    ${'lines, tabs and blanks'} | ${' a\tb\r\nc '}                      | ${undefined}
    ${'other controls'}         | ${`${BELL}\u001b[0m`}                 | ${undefined}
    ${'the greatest length'}    | ${'x'.repeat(VALUE_LENGTH_MAX)}       | ${undefined}
    ${'one character more'}     | ${'x'.repeat(65_537)}                 | ${'too_long'}
    ${'as many emoji'}          | ${EMOJI.repeat(VALUE_LENGTH_MAX)}     | ${undefined}
    ${'one emoji more'}         | ${EMOJI.repeat(VALUE_LENGTH_MAX + 1)} | ${'too_long'}
    ${'the null character'}     | ${'\0'}                               | ${'null_character'}
    ${'half a pair'}            | ${`${HALF} `}                         | ${'lone_surrogate'}
  `('$what: $code', ({ text, code }) => {
    expect(valueTextProblem(text)?.code).toBe(code);
  });
});

describe('textProblem', () => {
  it('accepts exactly the texts that survive UTF-8 encoding and have no U+0000', () => {
    const unit = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 2 }),
      fc.integer({ min: 0xd7ff, max: 0xe000 }).map((code) => String.fromCharCode(code)),
      fc.constant('\0'),
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 6 }), (text) => {
        const survives = new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text)) === text;
        expect(textProblem(text) === null).toBe(survives && !text.includes('\0'));
      }),
    );
  });
});

describe('isLongerThan', () => {
  it('counts code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.nat({ max: 12 }), (text, max) => {
        expect(isLongerThan(text, max)).toBe([...text].length > max);
      }),
    );
  });
});

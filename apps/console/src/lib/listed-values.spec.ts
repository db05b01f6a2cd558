import fc from 'fast-check';
import { parseListedValues } from './listed-values.ts';

describe('the values that a pattern lists', () => {
  it.each([
    ['^(debug|info|warn)$', ['debug', 'info', 'warn']],
    ['debug|info', ['debug', 'info']],
    ['(?:eu-west-1|us-east-1)', ['eu-west-1', 'us-east-1']],
    ['^a$|^b$', ['a', 'b']],
    [String.raw`^(1\.2|1\.3)$`, ['1.2', '1.3']],
  ])('are offered for %s', (pattern, expected) => {
    expect(parseListedValues(pattern)).toEqual(expected);
  });

  it.each([
    '',
    'debug',
    '^debug$',
    'a|b.c',
    '(a|b)(c|d)',
    '^(a|b)+$',
    '[ab]|c',
    String.raw`\d|a`,
    '(?i)(a|b)',
    'a||b',
    '(a|(b|c))',
  ])('are unknown for %s', (pattern) => {
    expect(parseListedValues(pattern)).toBeNull();
  });

  it('all match the pattern', () => {
    const word = fc.stringMatching(/^[\w .:/@-]{1,8}$/);
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 2, maxLength: 5 }), (values) => {
        const pattern = `^(${values.map((text) => text.replaceAll('.', '\\.')).join('|')})$`;
        const listed = parseListedValues(pattern) ?? [];
        expect(listed).toEqual(values);
        expect(listed.every((text) => new RegExp(pattern).test(text))).toBe(true);
      }),
    );
  });
});

import { formatJson, isJsonDocument, isSameJson, looksLikeJson } from './json-text.ts';

describe('JSON in values', () => {
  it('is recognised by its beginning, and a template is not', () => {
    expect(['{"a":1}', ' [1]', '{', '[broken'].map(looksLikeJson)).toEqual([true, true, true, true]);
    expect(['', '1', '"text"', '{{ HOST }}', '{% if a %}', 'a{'].map(looksLikeJson)).toEqual(Array(6).fill(false));
    expect(['{"a":1}', '[1,]', '{"a" 1}', '"text"'].map(isJsonDocument)).toEqual([true, false, false, false]);
  });

  it('is formatted without changing strings, numbers and repeated names', () => {
    const text = '{"a":[1.0,12345678901234567890,{}],"a":"x { , \\" }","b":{"c":null , "d":[]},"2":1,"1":2}';

    expect(formatJson(text).split('\n')).toEqual([
      '{',
      '  "a": [',
      '    1.0,',
      '    12345678901234567890,',
      '    {}',
      '  ],',
      '  "a": "x { , \\" }",',
      '  "b": {',
      '    "c": null,',
      '    "d": []',
      '  },',
      '  "2": 1,',
      '  "1": 2',
      '}',
    ]);
    expect(formatJson(formatJson(text))).toBe(formatJson(text));
    expect(isSameJson(text, formatJson(text))).toBe(true);
    expect([formatJson('[ ]'), formatJson('[1]\n')]).toEqual(['[]', '[\n  1\n]\n']);
  });

  it('is formatted like the language prints it', () => {
    const data = { a: { b: [{ c: [], d: {} }, 'two words', [1, [2]]], e: '' }, f: -1.5e-7 };

    expect(formatJson(JSON.stringify(data))).toBe(JSON.stringify(data, null, 2));
  });

  it('differs if a number, a string or an order differs', () => {
    expect(isSameJson('{"a": 1}', '{"a":1}')).toBe(true);
    expect(isSameJson('[12345678901234567890]', '[12345678901234567891]')).toBe(false);
    expect(isSameJson('{"a":"b c"}', '{"a":"bc"}')).toBe(false);
    expect(isSameJson('{"a":1,"b":2}', '{"b":2,"a":1}')).toBe(false);
    expect(isSameJson('a b', 'ab')).toBe(false);
  });
});

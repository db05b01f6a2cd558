import { jsonProblem } from './json-problem.ts';

describe('the problem of a JSON document', () => {
  it('has the position of the error, and never quotes the text', () => {
    const problem = (text: string) => jsonProblem(text)?.message ?? null;

    expect([problem('{"a": [1, {}]}'), problem('[]\n')]).toEqual([null, null]);
    expect(problem('{\n  "a": 1\n  "b": 2\n}')).toBe('This is not valid JSON at line 3, column 3.');
    expect(problem('{"a": hidden}')).toBe('This is not valid JSON at line 1, column 7.');
    expect(problem('{"a": 1')).toBe('The JSON ends too early, at line 1, column 8.');
    expect(problem('["a\tb"]')).toBe('This is not valid JSON at line 1, column 2.');
  });

  it('marks a range of the text', () => {
    expect(jsonProblem('[1 2]')).toMatchObject({ from: 3, to: 4 });
    expect(jsonProblem('[1')).toMatchObject({ from: 1, to: 2 });
    expect(jsonProblem('  ')).toMatchObject({ from: 1, to: 2 });
    expect(jsonProblem(' x')).toMatchObject({ from: 1, to: 2 });
    expect(jsonProblem('\u00a0')).toMatchObject({ from: 0, to: 1 });
  });

  it('is not located in a text that is too long for a value', () => {
    const text = '[{'.repeat(100_000);

    expect(jsonProblem(text)).toEqual({ from: 0, to: text.length, message: 'This is not valid JSON.' });
  });
});

import { selectText } from './content-filter.ts';

describe('selectText', () => {
  it.each([
    ['a line of dotenv with a colon', 'A=b: c', 'A', { text: 'b: c' }],
    ['a number with more digits than a double', '{"a": 12345678901234567890}', 'a', { text: '12345678901234567890' }],
    ['a version that looks like a number', 'a: 1.10', 'a', { text: '1.10' }],
    ['an empty text', '{"a": ""}', 'a', { text: '' }],
    ['a member of a member', 'a:\n  - b: true', 'a[0].b', { text: 'true' }],
    ['null', '{"a": null}', 'a', { problem: 'no_match' }],
    ['a member that every object inherits', '{"a": 1}', '__proto__', { problem: 'no_match' }],
    ['a content without members', 'text', 'a', { problem: 'unreadable' }],
    ['a list of expressions', '{"a": 1}', '[@, @]', { problem: 'unsupported' }],
    ['a function', '{"a": 1}', 'to_string(a)', { problem: 'unsupported' }],
    ['half an expression', '{"a": 1}', 'a.', { problem: 'invalid' }],
  ])('of %s', (_, content, filter, result) => {
    expect(selectText(content, filter)).toEqual(result);
  });

  it('ends soon for a long content that nearly is dotenv', () => {
    expect(selectText(`${'\n \n'.repeat(100_000)}text`, 'a')).toEqual({ problem: 'unreadable' });
  });
});

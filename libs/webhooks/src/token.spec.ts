import { isMasked, maskToken } from './index.ts';
import { isBotToken } from './token.ts';

describe('isBotToken', () => {
  it.each`
    token                              | expected
    ${'xoxb-1234567890-abcDEF'}        | ${true}
    ${'xoxp-1234567890'}               | ${true}
    ${`xoxb-${'a'.repeat(250)}`}       | ${true}
    ${`xoxb-${'a'.repeat(251)}`}       | ${false}
    ${'xoxb-123456789'}                | ${false}
    ${'xoxb-1234567890\r\nHost: evil'} | ${false}
    ${'xoxb-1234567890\n'}             | ${false}
    ${' xoxb-1234567890'}              | ${false}
    ${'xoxb-12345 67890'}              | ${false}
    ${'xoxb-1234567890é'}              | ${false}
    ${'*****7890'}                     | ${false}
    ${''}                              | ${false}
  `('of $token is $expected', ({ token, expected }) => {
    expect(isBotToken(token)).toBe(expected);
  });
});

describe('maskToken', () => {
  it('shows the last four characters of a token', () => {
    expect(maskToken('xoxb-1234567890-abcDEF')).toBe('*****cDEF');
  });

  it('shows nothing of a text that is not a token', () => {
    expect(maskToken('hunter2')).toBe('*****');
  });
});

describe('isMasked', () => {
  it('recognizes the results of maskToken, and no token', () => {
    expect(['hunter2', 'xoxb-1234567890-abcDEF', ''].map((token) => isMasked(maskToken(token)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(['hunter2', 'xoxb-1234567890', '', '****'].map(isMasked)).toEqual([false, false, false, false]);
  });
});

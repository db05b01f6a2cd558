import { maskText } from './mask.ts';

describe('masked', () => {
  it.each`
    text         | isSecret | seen
    ${'hunter2'} | ${true}  | ${'*****'}
    ${''}        | ${true}  | ${'*****'}
    ${null}      | ${true}  | ${null}
    ${'hunter2'} | ${false} | ${'hunter2'}
    ${null}      | ${false} | ${null}
  `('returns $seen for $text if secret is $isSecret', ({ text, isSecret, seen }) => {
    expect(maskText(text, isSecret)).toBe(seen);
  });
});

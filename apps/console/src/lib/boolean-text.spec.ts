import { isTrue, toggleBooleanText } from './boolean-text.ts';

it.each([
  ['true', 'false'],
  ['False', 'True'],
  ['YES', 'NO'],
  ['off', 'on'],
  ['Y', 'N'],
  ['', 'true'],
  ['maybe', 'true'],
])('the switch changes "%s" to "%s"', (text, expected) => {
  expect(toggleBooleanText(text)).toBe(expected);
  expect(isTrue(expected)).not.toBe(isTrue(text));
});

import { parseFlagValue } from './flag-value.ts';

describe('typed values of flags', () => {
  it.each([
    ['string', 'true', 'true'],
    ['string', '', ''],
    ['string', '42', '42'],
    ['integer', '42', 42],
    ['integer', '-7', -7],
    ['integer', '+5', 5],
    ['integer', '007', 7],
    ['integer', '9007199254740991', 9007199254740991],
    ['boolean', 'true', true],
    ['boolean', 'Yes', true],
    ['boolean', 'ON', true],
    ['boolean', 'y', true],
    ['boolean', 'T', true],
    ['boolean', 'false', false],
    ['boolean', 'No', false],
    ['boolean', 'off', false],
    ['boolean', 'n', false],
    ['boolean', 'F', false],
  ] as const)('the %s %j is %j', (base, text, value) => {
    expect(parseFlagValue(base, text)).toEqual({ value });
  });

  it.each([
    ['integer', '9007199254740992', 'not_exact'],
    ['integer', '-9007199254740993', 'not_exact'],
    ['integer', '1'.repeat(400), 'not_exact'],
    ['integer', '1.5', 'not_of_type'],
    ['integer', '', 'not_of_type'],
    ['boolean', '1', 'not_of_type'],
    ['boolean', 'maybe', 'not_of_type'],
  ] as const)('the %s %j has no typed value: %s', (base, text, reason) => {
    expect(parseFlagValue(base, text)).toBe(reason);
  });
});

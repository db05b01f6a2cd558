import * as fc from 'fast-check';
import { comparisonNumber } from './comparison-number.ts';

it.each([
  ['A'.repeat(43), '000-000'],
  [`${'A'.repeat(5)}B${'A'.repeat(37)}`, '000-001'],
  [`_${'-'.repeat(5)}${'A'.repeat(37)}`, '433-214'],
])('the comparison number of %s is %s', (challenge, expected) => {
  expect(comparisonNumber(challenge)).toBe(expected);
});

it('every challenge has a comparison number', () => {
  const challenge = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => Buffer.from(bytes).toString('base64url'));
  fc.assert(fc.property(challenge, (text) => /^\d{3}-\d{3}$/.test(comparisonNumber(text))));
});

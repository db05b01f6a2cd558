import { describeExpiry } from './expiry-descriptions.ts';

describe('the validity of a certificate', () => {
  it('is described in days', () => {
    const day = 24 * 60 * 60 * 1_000;
    const at = (now: number) => describeExpiry(10 * day, 20 * day, now * day);

    expect([at(12), at(19.5), at(21.5), at(20.5), at(8)]).toEqual([
      { description: 'Expires in 8 days', isValid: true },
      { description: 'Expires within a day', isValid: true },
      { description: 'Expired 1 day ago', isValid: false },
      { description: 'Expired within the last day', isValid: false },
      { description: 'Not valid yet, valid in 2 days', isValid: false },
    ]);
  });
});

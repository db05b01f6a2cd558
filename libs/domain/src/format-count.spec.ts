import { formatCount } from './format-count.ts';

it('agrees with the number of objects', () => {
  expect([formatCount(0, 'name'), formatCount(1, 'name'), formatCount(2, 'name')]).toEqual([
    '0 names',
    '1 name',
    '2 names',
  ]);
  expect(formatCount(2, 'property', 'properties')).toBe('2 properties');
});

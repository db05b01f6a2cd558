import { counted } from './counted.ts';

it('agrees with the number of objects', () => {
  expect([counted(0, 'name'), counted(1, 'name'), counted(2, 'name')]).toEqual(['0 names', '1 name', '2 names']);
  expect(counted(2, 'property', 'properties')).toBe('2 properties');
});

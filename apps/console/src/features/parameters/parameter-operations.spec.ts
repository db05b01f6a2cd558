import { withLength } from './parameter-operations.ts';

it('changing the length of a generated text keeps its other options', () => {
  const action = { length: 32, require_symbols: true };

  expect(withLength(action, 32)).toBe(action);
  expect(withLength(action, 48)).toEqual({ length: 48, require_symbols: true });
  expect(withLength(null, 20)).toEqual({ length: 20 });
});

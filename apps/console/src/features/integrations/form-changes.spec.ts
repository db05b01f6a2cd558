import { changedFields } from './form-changes.ts';

it('keeps the members that differ, whatever the order of a list', () => {
  const loaded = { name: 'a', tags: ['x', 'y'], key: null, isOn: false };

  expect(changedFields({ name: 'b', tags: ['y', 'x'], key: undefined, isOn: true }, loaded)).toEqual({
    name: 'b',
    isOn: true,
  });
});

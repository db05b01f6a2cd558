import { maskTexts } from './names-only.ts';

test('removes ids and links of objects at every depth', () => {
  expect(
    maskTexts({
      ...{ id: '1', url: 'https://strata.example.com/api/v1/x/', name: 'PORT', environment_id: null, revision: 3 },
      cells: [{ value_id: '2', text: '8080' }],
      ...{ parameter: 'https://strata.example.com/api/v1/projects/1/parameters/2/', parameter_name: 'PORT' },
    }),
  ).toEqual({ name: 'PORT', revision: 3, cells: [{ text: '8080' }], parameter_name: 'PORT' });
});

test('keeps values that are links, and members that only begin like ids', () => {
  const row = {
    value: 'https://shop.example.com/api/v1/orders/',
    identity: 'a',
    ids: ['shop'],
    next: { state: 'set' },
  };
  expect(maskTexts(row)).toEqual(row);
});

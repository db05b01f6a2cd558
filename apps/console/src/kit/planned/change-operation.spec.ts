import { changeOperation } from './change-operation.ts';

const IS = { ledgerId: 'v1', name: 'web', depends_on: null as string | null, action: { length: 32, symbols: true } };

it('a change contains only changed fields and the expected version', () => {
  const path = { id: '1' };

  expect(changeOperation('projects_partial_update', path, IS, { name: 'web', action: { ...IS.action } })).toEqual([]);
  expect(changeOperation('projects_partial_update', path, IS, { name: 'web', depends_on: '2' })).toEqual([
    { operation: 'projects_partial_update', path, body: { depends_on: '2' }, ifMatch: 'v1' },
  ]);
  expect(changeOperation('projects_partial_update', path, IS, { action: { length: 48, symbols: true } })).toMatchObject(
    [{ body: { action: { length: 48, symbols: true } } }],
  );
});

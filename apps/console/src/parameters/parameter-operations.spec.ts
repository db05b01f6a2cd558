import { changingParameter, type ParameterMembers, withLength } from './parameter-operations.ts';

const IS: ParameterMembers = {
  name: 'TOKEN',
  description: '',
  type: 'string',
  expires: 'P30D',
  expiration_action: { length: 32, require_symbols: true },
};
const OF = { projectId: 'p', id: '1', ledgerId: 'v1' };

it('a change of a parameter says only what is otherwise', () => {
  expect(changingParameter(OF, IS, { ...IS, expiration_action: withLength(IS.expiration_action, 32) })).toEqual([]);
  expect(changingParameter(OF, IS, { ...IS, type: 'integer', expires: null })).toEqual([
    {
      operation: 'projects_parameters_partial_update',
      path: { project_pk: 'p', id: '1' },
      body: { type: 'integer', expires: null },
      ifMatch: 'v1',
    },
  ]);
});

it('another length of a generated text leaves its other options as they are', () => {
  expect(withLength(IS.expiration_action, 48)).toEqual({ length: 48, require_symbols: true });
  expect(withLength(null, 20)).toEqual({ length: 20 });
});

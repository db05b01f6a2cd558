import { at, type Situations } from './situation.ts';

/** Who asks, environments, projects and the names of parameters: E1 to E34. */
export const PLACES: Situations = {
  E1: [
    'a bad credential',
    ({ stranger }) => stranger('Api-Key abcdefgh.wrongwrongwrongwrongwrong').get('projects/'),
    403,
    'detail',
    'Incorrect authentication credentials.',
  ],
  E2: [
    'not permitted',
    ({ house }) => house.as('VIEWER').post('projects/', { name: 'x' }),
    403,
    'detail',
    'You do not have permission to perform this action.',
  ],
  E10: ['deleting default', async ({ owner, home }) => owner.delete((await home()).url), 409, 'detail', 'default'],
  E11: [
    'deleting an environment with children',
    async ({ house, owner }) => {
      const parent = await house.environment();
      await house.environment({ name: 'below', parent: parent.url });
      return owner.delete(parent.url);
    },
    409,
    'detail',
    'below',
  ],
  E13: ['renaming default', async ({ owner, home }) => owner.patch((await home()).url, { name: 'x' }), 400, at('name')],
  E14: [
    'a cycle of environments',
    async ({ house, owner }) => {
      const parent = await house.environment();
      const child = await house.environment({ parent: parent.url });
      return owner.patch(parent.url, { parent: child.url });
    },
    400,
    at('parent'),
  ],
  E20: [
    'deleting a project with dependents',
    async ({ house, owner }) => {
      const base = await house.project({ name: 'base' });
      await house.project({ name: 'above', depends_on: base.url });
      return owner.delete(base.url);
    },
    409,
    'detail',
    'base',
    'above',
  ],
  E21: [
    'a project name off the pattern',
    async ({ house, owner }) => {
      await owner.patch(`organizations/${house.id}/`, { project_name_pattern: 'team-' });
      return owner.post('projects/', { name: 'shop' });
    },
    400,
    at('name'),
    'team-',
  ],
  E22: [
    'a cycle of projects',
    async ({ house, owner }) => {
      const base = await house.project();
      const above = await house.project({ depends_on: base.url });
      return owner.patch(base.url, { depends_on: above.url });
    },
    400,
    at('depends_on'),
  ],
  'E30, deleting': [
    'deleting a referenced parameter',
    async ({ owner, referenced }) => owner.delete((await referenced()).parameter.url),
    409,
    'detail',
    'p',
    't',
  ],
  'E30, renaming': [
    'renaming a referenced parameter',
    async ({ owner, referenced }) => owner.patch((await referenced()).parameter.url, { name: 'q' }),
    409,
    'detail',
    'p',
    't',
  ],
  E31: [
    'changing secrecy',
    async ({ house, owner }) => owner.patch((await house.parameter()).url, { secret: true }),
    400,
    at('secret'),
  ],
  E32: [
    'an unknown type',
    async ({ house, owner }) => owner.post(`${(await house.project()).url}parameters/`, { name: 'x', type: 'nope' }),
    404,
    'detail',
    'No ParameterType matches the given query.',
  ],
  E33: [
    'a parameter name off the pattern',
    async ({ house, owner }) =>
      owner.post(`${(await house.project({ parameter_name_pattern: 'FOO_' })).url}parameters/`, { name: 'x' }),
    400,
    at('name'),
    'FOO_',
  ],
  E34: ['a duplicate name', ({ owner }) => owner.post('projects/', { name: 'MyFirstProject' }), 400, at('name')],
};

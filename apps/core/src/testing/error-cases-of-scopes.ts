import type { ServiceAccountCreated } from '@strata/contract';
import { type ErrorCases, onField } from './error-case.ts';

/** Errors of credentials, environments, projects and names: E1 to E36. */
export const SCOPES: ErrorCases = {
  E1: [
    'an invalid credential',
    ({ outsider }) => outsider('Api-Key abcdefgh.wrongwrongwrongwrongwrong').get('projects/'),
    403,
    'detail',
    'Incorrect authentication credentials.',
  ],
  E2: [
    'a request without permission',
    ({ organization }) => organization.as('VIEWER').post('projects/', { name: 'x' }),
    403,
    'detail',
    'You do not have permission to perform this action.',
  ],
  E3: [
    'a secret in clear for a caller who may not reveal secrets',
    async ({ organization, create, outsider }) => {
      const project = await organization.project();
      await organization.value({ parameter: await organization.parameter({ project, secret: true }) });
      const input = { name: 'masked', role: 'VIEWER', reveals_secrets: false };
      const { apikey } = await create<ServiceAccountCreated>('serviceaccounts/', input);
      return outsider(`Api-Key ${apikey}`).get(`${project.url}effective/`);
    },
    403,
    'detail',
    'mask_secrets=true',
  ],
  E4: [
    'a change with an API key without the scope write',
    async ({ create, outsider }) => {
      const input = { name: 'reader', role: 'CONTRIB', key_scopes: ['read'] };
      const { apikey } = await create<ServiceAccountCreated>('serviceaccounts/', input);
      return outsider(`Api-Key ${apikey}`).post('projects/', { name: 'x' });
    },
    403,
    'detail',
    'write',
  ],
  E10: [
    'deleting default',
    async ({ owner, rootEnvironment }) => owner.delete((await rootEnvironment()).url),
    409,
    'detail',
    'default',
  ],
  E11: [
    'deleting an environment with children',
    async ({ organization, owner }) => {
      const parent = await organization.environment();
      await organization.environment({ name: 'below', parent: parent.url });
      return owner.delete(parent.url);
    },
    409,
    'detail',
    'below',
  ],
  E13: [
    'renaming default',
    async ({ owner, rootEnvironment }) => owner.patch((await rootEnvironment()).url, { name: 'x' }),
    400,
    onField('name'),
  ],
  E14: [
    'a cycle of environments',
    async ({ organization, owner }) => {
      const parent = await organization.environment();
      const child = await organization.environment({ parent: parent.url });
      return owner.patch(parent.url, { parent: child.url });
    },
    400,
    onField('parent'),
  ],
  E20: [
    'deleting a project with dependents',
    async ({ organization, owner }) => {
      const base = await organization.project({ name: 'base' });
      await organization.project({ name: 'above', depends_on: base.url });
      return owner.delete(base.url);
    },
    409,
    'detail',
    'base',
    'above',
  ],
  E21: [
    'a project name that does not match the pattern',
    async ({ organization, owner }) => {
      await owner.patch(`organizations/${organization.id}/`, { project_name_pattern: 'team-' });
      return owner.post('projects/', { name: 'shop' });
    },
    400,
    onField('name'),
    'team-',
  ],
  E22: [
    'a cycle of projects',
    async ({ organization, owner }) => {
      const base = await organization.project();
      const childProject = await organization.project({ depends_on: base.url });
      return owner.patch(base.url, { depends_on: childProject.url });
    },
    400,
    onField('depends_on'),
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
    'changing whether a parameter is secret',
    async ({ organization, owner }) => owner.patch((await organization.parameter()).url, { secret: true }),
    400,
    onField('secret'),
  ],
  E32: [
    'an unknown type',
    async ({ organization, owner }) =>
      owner.post(`${(await organization.project()).url}parameters/`, { name: 'x', type: 'nope' }),
    404,
    'detail',
    'No ParameterType matches the given query.',
  ],
  E33: [
    'a parameter name that does not match the pattern',
    async ({ organization, owner }) =>
      owner.post(`${(await organization.project({ parameter_name_pattern: 'FOO_' })).url}parameters/`, { name: 'x' }),
    400,
    onField('name'),
    'FOO_',
  ],
  E34: ['a duplicate name', ({ owner }) => owner.post('projects/', { name: 'MyFirstProject' }), 400, onField('name')],
  E35: [
    'a name that looks like another one',
    ({ owner }) => owner.post('projects/', { name: 'MyFirstProjесt' }),
    400,
    onField('name'),
  ],
  E36: [
    'an invisible character in a name',
    ({ owner }) => owner.post('projects/', { name: 'a\u200bb' }),
    400,
    onField('name'),
  ],
};

import { type ErrorCases, onField } from './error-case.ts';

/** Errors of references, tags, points in time, and others: E60 to E100. */
export const TEXTS: ErrorCases = {
  'E60, value': [
    'a dynamic value that refers to a missing object',
    async ({ organization, setting }) => setting(await organization.parameter(), '{{ nope }}', { interpolated: true }),
    400,
    'array',
    'nope',
  ],
  'E60, template': [
    'a template that refers to a missing object',
    async ({ organization, owner }) =>
      owner.post(`${(await organization.project()).url}templates/`, { name: 't', body: '{{ nope }}' }),
    [400, 422],
    'array',
    'nope',
  ],
  E61: [
    'a cycle of references',
    async ({ owner, referenced }) =>
      owner.patch((await referenced()).value.url, {
        internal_value: '{{ cloudtruth.templates.t }}',
        interpolated: true,
      }),
    400,
    'array',
  ],
  E62: [
    'deleting a referenced template',
    async ({ owner, template, referenced }) => {
      const { project, template: usedTemplate } = await referenced();
      await template(project, 'user', '{{ cloudtruth.templates.t }}');
      return owner.delete(usedTemplate.url);
    },
    409,
    'detail',
    't',
    'user',
  ],
  E70: [
    'changing an immutable tag',
    async ({ owner, rootEnvironment, tag }) =>
      owner.patch((await tag(await rootEnvironment(), { immutable: true })).url, { description: 'x' }),
    400,
    'detail',
  ],
  E71: [
    'a tag that the environment does not have',
    async ({ organization, owner }) =>
      owner.get(`${(await organization.project()).url}parameters/?environment=default&tag=nope`),
    404,
    'detail',
    'nope',
    'default',
  ],
  'E72, both': [
    'a tag and an instant',
    async ({ organization, owner }) =>
      owner.get(`${(await organization.project()).url}parameters/?environment=default&tag=x&as_of=2024-01-01`),
    400,
    'detail',
  ],
  'E72, alone': [
    'a tag without its environment',
    async ({ organization, owner }) => owner.get(`${(await organization.project()).url}parameters/?tag=x`),
    400,
    'detail',
  ],
  E80a: [
    'a password that is too short',
    ({ owner }) => owner.post('utils/generate_password/?length=7'),
    400,
    onField('length'),
    '8',
  ],
  E80b: [
    'a password that is too long',
    ({ owner }) => owner.post('utils/generate_password/?length=4096'),
    400,
    onField('length'),
    '4095',
  ],
  E90: [
    'assigning a role above the caller’s role',
    ({ organization }) => organization.as('CONTRIB').post('serviceaccounts/', { name: 'x', role: 'OWNER' }),
    403,
    'detail',
  ],
  E95: [
    'deleting a type with children',
    async ({ owner, ports }) => owner.delete((await ports()).port.url),
    409,
    'detail',
    'web_t',
  ],
  E96: [
    'deleting a type in use',
    async ({ owner, ports }) => owner.delete((await ports()).web.url),
    409,
    'detail',
    'web_t',
  ],
  E97: [
    'two tags of one environment in a push',
    async ({ rootEnvironment, tag, push }) => {
      const environment = await rootEnvironment();
      const tags = [await tag(environment), await tag(environment, { name: 'v2' })].map(({ url }) => url);
      return push({ tags });
    },
    400,
    onField('resource'),
  ],
  E98: [
    'a push without any content',
    ({ push }) => push({ include_parameters: false, include_secrets: false, include_templates: false }),
    400,
    onField('non_field_errors'),
    'include_parameters',
    'include_secrets',
    'include_templates',
    'must be true',
  ],
  E99: [
    'a push that can write a key of another push',
    async ({ organization, push, owner, tag, rootEnvironment }) => {
      const project = await organization.project();
      await organization.parameter({ project, name: 'HOST' });
      const { url } = await tag(await rootEnvironment());
      const input = { projects: [project.url], tags: [url], resource: '/{{ parameter }}', include_parameters: true };
      const { body } = await push({ ...input, name: 'first' });
      const pushes = String((body as { url: string }).url).replace(/[^/]+\/$/, '');
      await owner.patch(pushes.replace(/pushes\/$/, ''), { writable: true });
      return owner.post(pushes, { ...input, region: 'us-east-1', service: 'ssm', name: 'second' });
    },
    400,
    onField('resource'),
    'first',
    '/HOST',
  ],
  E100: [
    'a run that writes, of a push that only plans',
    async ({ push, owner }) => {
      const { body } = await push({ dry_run: true });
      return owner.post(`${(body as { url: string }).url}run/`, { dry_run: false });
    },
    400,
    onField('dry_run'),
  ],
};

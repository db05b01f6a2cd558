import type { Environment, Parameter, Project, Value } from '@strata/contract';
import { RawClient, type Reply, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

/**
 * Every code of behaviour.md §16. What it says elsewhere of content that is binary, too large or does not fit its filter
 * cannot happen here, because nobody has such content: ADR 0015.
 */
const CODES = [
  ...['E1', 'E2', 'E10', 'E11', 'E13', 'E14', 'E20', 'E21', 'E22', 'E30', 'E31', 'E32', 'E33', 'E34', 'E40', 'E41a'],
  ...['E41b', 'E42a', 'E42b', 'E43', 'E44', 'E45', 'E46', 'E47', 'E48', 'E49', 'E50', 'E51', 'E51b', 'E52', 'E53'],
  ...['E60', 'E61', 'E62', 'E70', 'E71', 'E72', 'E80a', 'E80b', 'E90', 'E95', 'E96', 'E97', 'E98'],
];

let core: RunningCore;
let house: TestOrganization;
let owner: RawClient;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  house = await core.organization();
  owner = house.owner;
});

/** Arranging must not fail silently. */
async function made<T = { url: string; id: string }>(path: string, body: object, status = 201): Promise<T> {
  const reply = await owner.post<T>(path, body);
  if (reply.status !== status) throw new Error(`POST ${path}: ${reply.status} ${reply.text}`);
  return reply.body;
}

const home = () => house.environmentNamed('default');
const typed = async (type: string, internal_value?: string) => {
  const parameter = await house.parameter({ type });
  if (internal_value !== undefined) await house.value({ parameter, internal_value });
  return parameter;
};
const type = async (parent: string, name = 'port_t') => {
  const { body } = await owner.get<{ results: { url: string; name: string }[] }>(`types/?name__iexact=${parent}`);
  return made('types/', { name, parent: body.results[0]?.url });
};
const rule = (of: { url: string }, kind: string, constraint: string) =>
  made(`${of.url}rules/`, { type: kind, constraint });
const setting = async (parameter: Parameter, internal_value: unknown, more: object = {}) =>
  owner.post<Value>(`${parameter.url}values/`, { environment: (await home()).url, internal_value, ...more });
const template = (project: Project, name: string, body: string) => made(`${project.url}templates/`, { name, body });
const tag = (environment: Environment, more: object = {}) => made(`${environment.url}tags/`, { name: 'v1', ...more });

/** A project with a parameter `p` and a template `t` that mentions it. */
async function referenced() {
  const project = await house.project();
  const parameter = await house.parameter({ project, name: 'p' });
  const value = await house.value({ parameter, internal_value: 'x' });
  return { project, parameter, value, template: await template(project, 't', 'a {{ p }} b') };
}

/** `port_t` (integer, at most 100) above `web_t` (at most 80), and a value of each: H6 of domain.md. */
async function ports() {
  const port = await type('integer', 'port_t');
  const limit = await rule(port, 'max', '100');
  const web = await made('types/', { name: 'web_t', parent: port.url });
  const project = await house.project();
  const a = await house.parameter({ project, name: 'a', type: 'port_t' });
  const b = await house.parameter({ project, name: 'b', type: 'web_t' });
  await house.value({ parameter: a, internal_value: '45' });
  await house.value({ parameter: b, internal_value: '46' });
  return { port, limit, web, a, b };
}

type Shape = 'detail' | 'array' | { readonly field: string };
const at = (field: string): Shape => ({ field });

/** What is asked, the status, the shape of the body, and what its words have to hold. */
type Situation = readonly [string, () => Promise<Reply>, number | readonly number[], Shape, ...string[]];

const AWS = {
  aws_account_id: '123456789012',
  aws_role_name: 'strata',
  aws_enabled_regions: ['us-east-1'],
  aws_enabled_services: ['ssm'],
};
async function push(more: object) {
  const { url } = await made('integrations/aws/', AWS);
  const project = await house.project();
  return owner.post(`${url}pushes/`, {
    name: 'push',
    projects: [project.url],
    tags: [],
    region: 'us-east-1',
    service: 'ssm',
    resource: '/{{ environment }}/{{ project }}/{{ parameter }}',
    include_parameters: true,
    ...more,
  });
}

/** In the order of the codes: who gets into it is answered with that status and that shape. */
const SITUATIONS: Readonly<Record<string, Situation>> = {
  E1: [
    'a bad credential',
    () => new RawClient(core.origin, 'Api-Key abcdefgh.wrongwrongwrongwrongwrong').get('projects/'),
    403,
    'detail',
    'Incorrect authentication credentials.',
  ],
  E2: [
    'not permitted',
    () => house.as('VIEWER').post('projects/', { name: 'x' }),
    403,
    'detail',
    'You do not have permission to perform this action.',
  ],
  E10: ['deleting default', async () => owner.delete((await home()).url), 409, 'detail', 'default'],
  E11: [
    'deleting an environment with children',
    async () => {
      const parent = await house.environment();
      await house.environment({ name: 'below', parent: parent.url });
      return owner.delete(parent.url);
    },
    409,
    'detail',
    'below',
  ],
  E13: ['renaming default', async () => owner.patch((await home()).url, { name: 'x' }), 400, at('name')],
  E14: [
    'a cycle of environments',
    async () => {
      const parent = await house.environment();
      const child = await house.environment({ parent: parent.url });
      return owner.patch(parent.url, { parent: child.url });
    },
    400,
    at('parent'),
  ],
  E20: [
    'deleting a project with dependents',
    async () => {
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
    async () => {
      await owner.patch(`organizations/${house.id}/`, { project_name_pattern: 'team-' });
      return owner.post('projects/', { name: 'shop' });
    },
    400,
    at('name'),
    'team-',
  ],
  E22: [
    'a cycle of projects',
    async () => {
      const base = await house.project();
      const above = await house.project({ depends_on: base.url });
      return owner.patch(base.url, { depends_on: above.url });
    },
    400,
    at('depends_on'),
  ],
  'E30, deleting': [
    'deleting a referenced parameter',
    async () => owner.delete((await referenced()).parameter.url),
    409,
    'detail',
    'p',
    't',
  ],
  'E30, renaming': [
    'renaming a referenced parameter',
    async () => owner.patch((await referenced()).parameter.url, { name: 'q' }),
    409,
    'detail',
    'p',
    't',
  ],
  E31: [
    'changing secrecy',
    async () => owner.patch((await house.parameter()).url, { secret: true }),
    400,
    at('secret'),
  ],
  E32: [
    'an unknown type',
    async () => owner.post(`${(await house.project()).url}parameters/`, { name: 'x', type: 'nope' }),
    404,
    'detail',
    'No ParameterType matches the given query.',
  ],
  E33: [
    'a parameter name off the pattern',
    async () =>
      owner.post(`${(await house.project({ parameter_name_pattern: 'FOO_' })).url}parameters/`, { name: 'x' }),
    400,
    at('name'),
    'FOO_',
  ],
  E34: ['a duplicate name', () => owner.post('projects/', { name: 'MyFirstProject' }), 400, at('name')],
  E40: [
    'a text that is no integer',
    async () => setting(await typed('integer'), 'x'),
    400,
    at('internal_value'),
    'integer',
  ],
  E41a: [
    'below the minimum',
    async () => {
      const parameter = await typed('integer');
      await rule(parameter, 'min', '10');
      return setting(parameter, '9');
    },
    400,
    at('internal_value'),
    '10',
  ],
  E41b: [
    'above the maximum, of the parent type or of the child’s',
    async () => {
      const { b, web } = await ports();
      await rule(web, 'max', '80');
      const list = await owner.get<{ results: Value[] }>(`${b.url}values/`);
      return owner.patch(list.body.results[0]?.url ?? '', { internal_value: '91' });
    },
    400,
    at('internal_value'),
    '80',
  ],
  E42a: [
    'too short',
    async () => {
      const parameter = await typed('string');
      await rule(parameter, 'min_len', '3');
      return setting(parameter, 'ab');
    },
    400,
    at('internal_value'),
    '3',
  ],
  E42b: [
    'too long',
    async () => {
      const parameter = await typed('string');
      await rule(parameter, 'max_len', '3');
      return setting(parameter, '🎉🎉🎉🎉');
    },
    400,
    at('internal_value'),
    '3',
  ],
  E43: [
    'a text off the pattern',
    async () => {
      const parameter = await typed('string');
      await rule(parameter, 'regex', '[a-z]+');
      return setting(parameter, '7up');
    },
    400,
    at('internal_value'),
    '[a-z]+',
  ],
  E44: [
    'a dynamic secret',
    async () => setting(await house.parameter({ secret: true }), '{{ x }}', { interpolated: true }),
    400,
    at('interpolated'),
  ],
  E45: [
    'a second value',
    async () => {
      const parameter = await typed('string', 'first');
      return setting(parameter, 'second');
    },
    400,
    at('non_field_errors'),
  ],
  E46: [
    'a scheme without provider',
    async () => setting(await house.parameter(), undefined, { external: true, external_fqn: 'nowhere://a/b' }),
    [400, 404],
    'detail',
  ],
  E47: [
    'a scheme without integration',
    async () => setting(await house.parameter(), undefined, { external: true, external_fqn: 'github://a/b/main/c' }),
    [400, 404],
    'detail',
    '`github://a/b/main/c`',
  ],
  E48: [
    'content that nobody has fetched',
    async () => {
      const { fqn } = await made<{ fqn: string }>('integrations/aws/', AWS);
      return setting(await house.parameter(), undefined, { external: true, external_fqn: `${fqn}/ssm/port` });
    },
    404,
    'detail',
    '`aws://123456789012/strata/ssm/port`',
  ],
  E49: [
    'an external value with text',
    async () => setting(await house.parameter(), 'x', { external: true, external_fqn: 'github://a/b/main/c' }),
    400,
    at('internal_value'),
  ],
  E50: [
    'a rule of a kind that the type has not',
    async () => owner.post(`${(await ports()).a.url}rules/`, { type: 'min_len', constraint: '-1' }),
    400,
    'array',
    'min_len',
    'port_t',
  ],
  'E51, type': [
    'values that a rule of their type would refuse',
    async () => owner.patch((await ports()).limit.url, { constraint: '44' }),
    400,
    'array',
    'port_t',
    'a, b',
    '44',
  ],
  'E51, parameter': [
    'values that a rule of their parameter would refuse',
    async () => owner.post(`${(await ports()).a.url}rules/`, { type: 'max', constraint: '44' }),
    400,
    'array',
    'a',
    '44',
  ],
  E51b: [
    'a second rule of a kind',
    async () => owner.post(`${(await ports()).port.url}rules/`, { type: 'max', constraint: '90' }),
    400,
    at('type'),
  ],
  E52: [
    'a maximum below the minimum',
    async () => {
      const parameter = await typed('integer');
      await rule(parameter, 'min', '10');
      return owner.post(`${parameter.url}rules/`, { type: 'max', constraint: '9' });
    },
    400,
    'array',
    '10',
  ],
  E53: [
    'a type looser than its parent',
    async () => owner.post(`${(await ports()).web.url}rules/`, { type: 'max', constraint: '101' }),
    400,
    'array',
    '100',
  ],
  'E60, value': [
    'a dynamic value of what is not there',
    async () => setting(await house.parameter(), '{{ nope }}', { interpolated: true }),
    400,
    'array',
    'nope',
  ],
  'E60, template': [
    'a template of what is not there',
    async () => owner.post(`${(await house.project()).url}templates/`, { name: 't', body: '{{ nope }}' }),
    [400, 422],
    'array',
    'nope',
  ],
  E61: [
    'a loop',
    async () =>
      owner.patch((await referenced()).value.url, {
        internal_value: '{{ cloudtruth.templates.t }}',
        interpolated: true,
      }),
    400,
    'array',
  ],
  E62: [
    'deleting a referenced template',
    async () => {
      const { project, template: used } = await referenced();
      await template(project, 'user', '{{ cloudtruth.templates.t }}');
      return owner.delete(used.url);
    },
    409,
    'detail',
    't',
    'user',
  ],
  E70: [
    'changing an immutable tag',
    async () => owner.patch((await tag(await home(), { immutable: true })).url, { description: 'x' }),
    400,
    'detail',
  ],
  E71: [
    'a tag that the environment has not',
    async () => owner.get(`${(await house.project()).url}parameters/?environment=default&tag=nope`),
    404,
    'detail',
    'nope',
    'default',
  ],
  'E72, both': [
    'a tag and an instant',
    async () => owner.get(`${(await house.project()).url}parameters/?environment=default&tag=x&as_of=2024-01-01`),
    400,
    'detail',
  ],
  'E72, alone': [
    'a tag without its environment',
    async () => owner.get(`${(await house.project()).url}parameters/?tag=x`),
    400,
    'detail',
  ],
  E80a: ['a password too short', () => owner.post('utils/generate_password/?length=7'), 400, at('length'), '8'],
  E80b: ['a password too long', () => owner.post('utils/generate_password/?length=4096'), 400, at('length'), '4095'],
  E90: [
    'giving a role above one’s own',
    () => house.as('CONTRIB').post('serviceaccounts/', { name: 'x', role: 'OWNER' }),
    403,
    'detail',
  ],
  E95: ['deleting a type with children', async () => owner.delete((await ports()).port.url), 409, 'detail', 'web_t'],
  E96: ['deleting a type in use', async () => owner.delete((await ports()).web.url), 409, 'detail', 'web_t'],
  E97: [
    'two tags of one environment in a push',
    async () => {
      const environment = await home();
      const tags = [await tag(environment), await tag(environment, { name: 'v2' })].map(({ url }) => url);
      return push({ tags });
    },
    400,
    at('resource'),
  ],
  E98: [
    'a push that includes nothing',
    () => push({ include_parameters: false, include_secrets: false, include_templates: false }),
    400,
    at('non_field_errors'),
  ],
};

function messagesOf(body: unknown, shape: Shape): unknown {
  if (shape === 'array') return body;
  if (shape === 'detail') return [(body as { detail?: unknown }).detail];
  return (body as Record<string, unknown>)[shape.field];
}

describe('every refusal of the catalogue', () => {
  it('has its situation here', () => {
    const shown = Object.keys(SITUATIONS).map((name) => name.replace(/,.*/, ''));
    expect([...new Set(shown)]).toEqual(CODES);
  });

  it.each(Object.entries(SITUATIONS).map(([code, [what]]) => [code, what]))('%s: %s', async (code) => {
    const [, situation, status, shape, ...words] = SITUATIONS[code] as Situation;
    const reply = await situation();

    expect([code, [status].flat()]).toEqual([code, expect.arrayContaining([reply.status])]);
    const messages = messagesOf(reply.body, shape);
    expect([code, reply.text, messages]).toEqual([code, reply.text, expect.any(Array)]);
    for (const message of messages as unknown[]) {
      expect([code, message]).toEqual([code, expect.stringMatching(/\S{2,}.*[.!`']?$/s)]);
    }
    for (const word of words)
      expect([code, (messages as string[]).join(' ')]).toEqual([code, expect.stringContaining(word)]);
    expect(reply.headers['x-error-code']).toMatch(/^[a-z_]+$/);
  });
});

import { randomUUID } from 'node:crypto';
import { OPERATIONS, type ProblemDetails } from '@strata/contract';
import { type Reply, type RunningCore, requestHeaders, sharedCore, type TestOrganization } from '@strata/testkit';

const PROBLEM = { accept: 'application/json, application/problem+json' };

let core: RunningCore;
let organization: TestOrganization;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
});

const asData = (send: () => Promise<Reply>) => requestHeaders.run(PROBLEM, send) as Promise<Reply<ProblemDetails>>;

/** Creates one object of each collection whose objects contain others, and returns its id by the segment of its path. */
async function createParents(): Promise<Readonly<Record<string, string>>> {
  const { owner } = organization;
  const create = async (path: string, body: object) => {
    const response = await owner.post<{ id: string; url: string }>(path, body);
    if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${response.text}`);
    return response.body;
  };
  const project = await organization.project();
  const parameter = await organization.parameter({ project });
  const environment = await organization.environment();
  const { body: types } = await owner.get<{ results: { url: string }[] }>('types/?name=integer');
  const type = await create('types/', { name: 'port', parent: types.results[0]?.url });
  const account = await create('serviceaccounts/', { name: 'deployer' });
  const webhook = await organization.webhook();
  const integration = await create('integrations/aws/', {
    aws_account_id: '123456789012',
    aws_role_name: 'strata',
    aws_enabled_regions: ['us-east-1'],
    aws_enabled_services: ['ssm'],
  });
  return {
    ...{ projects: project.id, parameters: parameter.id, environments: environment.id, types: type.id },
    ...{ serviceaccounts: account.id, webhooks: webhook.id, aws: integration.id },
  };
}

it('the error of a missing object leads to the placeholder of the path that names it', async () => {
  const ids = await createParents();
  const paths = OPERATIONS.filter(
    ({ method, protocol, path }) => !protocol && ['get', 'delete'].includes(method) && !path.includes('-export'),
  );
  const wrong: unknown[] = [];
  let count = 0;
  for (const { method, path } of paths) {
    const placeholders = [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)];
    for (const [at, [, segment = '', name = '']] of placeholders.entries()) {
      const before = placeholders.slice(0, at).map(([, earlier = '']) => ids[earlier]);
      if (before.includes(undefined)) continue;
      const values = [...before, segment === 'changesets' ? '999999' : randomUUID()];
      let index = 0;
      const url = path.replaceAll(/\{\w+\}/g, () => values[index++] ?? randomUUID()).replace('/api/v1/', '');
      const { status, body } = await asData(() => organization.owner[method as 'get' | 'delete'](url));
      count += 1;
      // All later segments are unknown, too.
      const expected = placeholders.slice(at).map(([, , later]) => `/path/${later}`);
      if (status !== 404 || !expected.includes(body.pointer))
        wrong.push([method, path, name, status, body.pointer, body.detail].join(' '));
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(60);
});

/** Returns the code and the pointer of the error of a request. */
async function cause(send: () => Promise<Reply>): Promise<readonly [string, string]> {
  const { body } = await asData(send);
  return [body.code, body.pointer];
}

it('errors of names in a query lead to its parameter', async () => {
  const { owner } = organization;
  const project = await organization.project({ name: 'shop' });
  const { url } = project;
  await organization.parameter({ project, name: 'PORT' });
  const causes: Record<string, readonly [string, string]> = {};
  for (const query of [
    ...[`${url}parameters/?environment=nope`, `${url}effective/?environment=nope`, `${url}parameters/?revision=9999`],
    ...[`${url}effective/?environment=default&tag=nope`, `${url}effective/?environment=nope&tag=v1`],
    ...[`${url}parameters/?tag=v1`, `${url}parameters/?as_of=2024-01-01&revision=1`, 'projects/?page=99'],
    ...[`${url}compare/?left=default&right=nope`, `${url}compare/?left_project=nope&left=default&right=staging`],
    ...[`${url}compare/?left=default&right=default&right_tag=nope`, `${url}matrix/?environment=nope`],
    ...['effective/?project=nope&environment=default', 'rollouts/?project=shop&environment=nope'],
    ...[`${url}parameters/duality/?environment=default&t1_tag=nope`, `${url}parameters/?difference=default,nope`],
    ...['projects/?after=start&page=2', `${url}explain/?environment=nope`, 'events/?after=nope'],
  ]) {
    const [path, parameters = ''] = query.replace(url, '…/').split('?');
    causes[`${path}?${parameters}`] = await cause(() => owner.get(query));
  }
  expect(causes).toEqual({
    '…/parameters/?environment=nope': ['not_found', '/environment'],
    '…/effective/?environment=nope': ['not_found', '/environment'],
    '…/parameters/?revision=9999': ['unknown_revision', '/revision'],
    '…/effective/?environment=default&tag=nope': ['unknown_tag', '/tag'],
    '…/effective/?environment=nope&tag=v1': ['not_found', '/environment'],
    '…/parameters/?tag=v1': ['tag_without_environment', '/environment'],
    '…/parameters/?as_of=2024-01-01&revision=1': ['two_moments', '/revision'],
    'projects/?page=99': ['invalid_page', '/page'],
    '…/compare/?left=default&right=nope': ['not_found', '/right'],
    '…/compare/?left_project=nope&left=default&right=staging': ['not_found', '/left_project'],
    '…/compare/?left=default&right=default&right_tag=nope': ['unknown_tag', '/right_tag'],
    '…/matrix/?environment=nope': ['not_found', '/environment'],
    'effective/?project=nope&environment=default': ['not_found', '/project'],
    'rollouts/?project=shop&environment=nope': ['not_found', '/environment'],
    '…/parameters/duality/?environment=default&t1_tag=nope': ['unknown_tag', '/t1_tag'],
    '…/parameters/?difference=default,nope': ['not_found', '/difference'],
    'projects/?after=start&page=2': ['contradiction', '/page'],
    '…/explain/?environment=nope': ['not_found', '/environment'],
    'events/?after=nope': ['cursor_gone', '/after'],
  });
});

it('errors of operations lead to the part of the operation: its path, its query or its body', async () => {
  const missing = randomUUID();
  const project = await organization.project({ name: 'shop' });
  const { id } = await organization.parameter({ project, name: 'PORT' });
  const set = { project: 'shop', environment: 'default', values: { NEW: { value: '1', type: 'nope' } } };
  const path = { project_pk: project.id, id };
  const operations = [
    { set: { ...set, project: 'nope' } },
    { set: { ...set, environment: 'nope' } },
    { set: { ...set, create_missing: true } },
    { promote: { project: 'shop', from: 'nope', to: 'staging' } },
    { promote: { project: 'shop', from: 'staging', to: 'nope' } },
    { set: { ...set, values: { PORT: { from: { environment: 'nope' } } } } },
    { operation: 'projects_destroy', path: { id: missing } },
    { operation: 'projects_parameters_destroy', path: { project_pk: missing, id: missing } },
    { operation: 'projects_parameters_values_create', path: { ...path, parameter_pk: id }, query: { evaluate: 'x' } },
    { operation: 'projects_parameters_partial_update', path, body: { type: 'nope' } },
    { operation: 'projects_parameters_partial_update', path, body: { name: 'A' }, if_match: missing },
    { operation: 'environments_destroy', path: { id: (await organization.environmentNamed('default')).id } },
  ];

  const { body } = await asData(() => organization.owner.post('changesets/', { operations }));

  expect(body.operations?.map(({ code, pointer }) => [code, pointer])).toEqual([
    ['not_found', '/operations/0/set/project'],
    ['not_found', '/operations/1/set/environment'],
    ['not_found', '/operations/2/set/values/NEW/type'],
    ['not_found', '/operations/3/promote/from'],
    ['not_found', '/operations/4/promote/to'],
    ['not_found', '/operations/5/set/values/PORT/from'],
    ['not_found', '/operations/6/path/id'],
    ['not_found', '/operations/7/path/project_pk'],
    ['invalid', '/operations/8/query/evaluate'],
    ['not_found', '/operations/9/body/type'],
    ['precondition_failed', '/operations/10/if_match'],
    ['environment_is_root', '/operations/11/path/id'],
  ]);
});

it('errors of forbidden scopes lead to the input that names the scope, and errors of roles to none', async () => {
  const { owner } = organization;
  const closed = await organization.project({ name: 'closed' });
  const hidden = await organization.environment({ name: 'hidden' });
  const open = await organization.project({ name: 'open' });
  const parameter = await organization.parameter({ project: open, name: 'PORT' });
  const value = await organization.value({ parameter, environment: hidden, internal_value: '1' });
  const { body: me } = await owner.get<{ url: string }>('users/current/');
  for (const scope of [closed.url, hidden.url]) {
    await owner.post('grants/', { scope, principal: me.url, role: 'OWNER' });
  }
  const member = organization.as('CONTRIB');
  const set = { project: 'open', environment: 'default', values: { PORT: '2' } };
  const create = { operation: 'projects_parameters_create', path: { project_pk: closed.id }, body: { name: 'B' } };

  const causes = [
    await cause(() => member.get(`${closed.url}parameters/`)),
    await cause(() => member.get(`${open.url}parameters/?environment=hidden`)),
    await cause(() => member.get(`${open.url}effective/?environment=${hidden.id}`)),
    await cause(() => member.get('rollouts/?project=closed&environment=default')),
    await cause(() => member.get(`${open.url}compare/?left=default&right=hidden`)),
    await cause(() => member.get(`${open.url}compare/?right_project=closed`)),
    await cause(() => member.patch(value.url, { internal_value: '2' })),
    await cause(() => member.post(`${parameter.url}values/`, { environment: hidden.url, internal_value: '2' })),
    await cause(() => member.post('projects/', { name: 'above', depends_on: closed.url })),
    await cause(() => member.post('environments/', { name: 'below', parent: hidden.url })),
    await cause(() =>
      member.post('import/', { project: 'closed', environment: 'default', body: 'A=1', secrets: [], ignore: [] }),
    ),
    await cause(() => organization.as('VIEWER').patch(open.url, { name: 'other' })),
    await cause(() => organization.as('VIEWER').post('projects/', { name: 'other' })),
  ];
  expect(new Set(causes.map(([code]) => code))).toEqual(new Set(['forbidden']));
  expect(causes.map(([, pointer]) => pointer)).toEqual([
    ...['/path/project_pk', '/environment', '/environment', '/project', '/right', '/right_project', '/path/id'],
    ...['/environment', '/depends_on', '/parent', '/project', '', ''],
  ]);

  const operations = [{ set: { ...set, project: 'closed' } }, { set: { ...set, environment: 'hidden' } }, create];
  const { body } = await asData(() => member.post('changesets/', { operations }));
  expect(body.operations?.map(({ pointer }) => pointer)).toEqual([
    ...['/operations/0/set/project', '/operations/1/set/environment', '/operations/2/path/project_pk'],
  ]);
});

import type { BatchResponse, Plan, ProblemDetails } from '@strata/contract';
import { pointerSegments } from '@strata/domain';
import {
  RawClient,
  type Reply,
  type RunningCore,
  requestHeaders,
  sharedCore,
  type TestOrganization,
} from '@strata/testkit';

/** The catalogue of errors compares both forms of each error. These tests cover pointers, plans and what is never shown. */
const PROBLEM = { accept: 'application/json, application/problem+json' };
const SECRET = 'hunter2-7c1e';

let core: RunningCore;
let organization: TestOrganization;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
});

const asData = (send: () => Promise<Reply>) => requestHeaders.run(PROBLEM, send) as Promise<Reply<ProblemDetails>>;

/** Returns what a pointer leads to in a request. */
const resolvePointer = (body: unknown, pointer: string): unknown =>
  pointerSegments(pointer).reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | undefined)?.[name],
    body,
  );

it('pointers lead to the invalid part of a changeset, and params contain the names and numbers of its sentence', async () => {
  const project = await organization.project({ name: 'shop' });
  await organization.parameter({ project, name: 'a/b', type: 'integer' });
  const parameter = await organization.parameter({ project, name: 'PORT', type: 'integer' });
  await organization.owner.post(`${parameter.url}rules/`, { type: 'max', constraint: '10' });
  const cell = { project: 'shop', environment: 'default' };
  const request = {
    operations: [
      { set: { ...cell, values: { PORT: '11', 'a/b': 'x' } } },
      { unset: { ...cell, names: ['PORT', 'missing'] } },
      { operation: 'projects_create', body: { name: 'shop' } },
      { operation: 'projects_destroy', path: {} },
      { operation: 'nonsense' },
    ],
  };

  const { status, body } = await asData(() => organization.owner.post('changesets/', request));

  expect([status, body.code]).toEqual([400, 'changeset_refused']);
  expect(body.params).toEqual({ rejected: 5, count: 5 });
  const errors = (body.operations ?? []).flatMap(({ errors: entries = [], ...operation }) => entries ?? [operation]);
  const summaries = errors.map(({ code, pointer, params }) => [code, pointer, params]);
  expect(summaries).toEqual([
    ['rule_violation', '/operations/0/set/values/PORT', { limit: '10', rule: 'max', owner: 'parameter PORT' }],
    ['type_violation', '/operations/0/set/values/a~1b', { type: 'integer', expected: expect.any(String) }],
    ['unknown_parameter', '/operations/1/unset/names/1', { name: 'missing' }],
    ['duplicate_name', '/operations/2/body/name', { name: 'shop' }],
    ['required', '/operations/3/path/id', {}],
    ['unknown_operation', '/operations/4/operation', { operation: 'nonsense' }],
  ]);
  expect(summaries.map(([, pointer]) => resolvePointer(request, pointer as string))).toEqual([
    ...['11', 'x', 'missing', 'shop', undefined, 'nonsense'],
  ]);
});

it('pointers of sets and promotions lead to members of the request, also for names that operations have', async () => {
  const project = await organization.project({ name: 'shop' });
  const parameter = await organization.parameter({ project, name: 'path', type: 'integer' });
  await organization.parameter({ project, name: 'LIMIT', type: 'integer' });
  await organization.value({ parameter, internal_value: '1' });
  await organization.owner.patch(project.url, { parameter_name_pattern: '[A-Z]+' });
  const cell = { project: 'shop', environment: 'default' };
  const request = {
    operations: [
      { set: { ...cell, values: { path: 'x' } } },
      { unset: { ...cell, names: ['LIMIT', 'query'] } },
      { promote: { project: 'shop', from: 'default', to: 'staging', names: ['path', 'LIMIT'] } },
      { set: { ...cell, create_missing: true, values: { lower: 'x' } } },
    ],
  };

  const { body } = await asData(() => organization.owner.post('changesets/', request));

  const errors = (body.operations ?? []).flatMap(({ errors: entries = [], ...operation }) => entries ?? [operation]);
  expect(errors.map(({ pointer }) => pointer)).toEqual([
    ...['/operations/0/set/values/path', '/operations/1/unset/names/1', '/operations/2/promote/names/1'],
    '/operations/3/set/values',
  ]);
  expect(errors.map(({ pointer }) => resolvePointer(request, pointer))).not.toContain(undefined);
});

it('unknown references have their name, and pointers to the members that contain them', async () => {
  const { owner } = organization;
  const cell = { environment: 'default', values: { A: '1' } };
  const operations = [
    { operation: 'projects_create', body: { name: 'web', depends_on: { $ref: 'base' } } },
    { operation: 'projects_partial_update', path: { id: { $ref: 'shop' } }, body: {} },
    { set: { ...cell, project: { $ref: 'shop' } } },
  ];

  const { body } = await asData(() => owner.post('changesets/', { operations }));

  expect(body.operations).toMatchObject([
    { code: 'unknown_ref', pointer: '/operations/0/body/depends_on', params: { name: 'base' } },
    { code: 'unknown_ref', pointer: '/operations/1/path/id', params: { name: 'shop' } },
    { code: 'unknown_ref', pointer: '/operations/2/set/project', params: { name: 'shop' } },
  ]);
});

it('errors of patterns and choices have the limit and the choices of their sentence', async () => {
  const { owner } = organization;
  const parameter = await organization.parameter({ type: 'string' });
  const longPattern = { constraint: 'x'.repeat(513), type: 'regex' };

  const rule = await asData(() => owner.post(`${parameter.url}rules/`, longPattern));
  const schema = await asData(() => owner.get('/api/schema/?format=xml'));

  const readData = ({ code, pointer, params }: ProblemDetails) => [code, pointer, params];
  expect([rule, schema].map(({ body }) => readData(body))).toEqual([
    ['invalid_constraint', '/constraint', { limit: 512 }],
    ['invalid', '/format', { choices: ['json', 'yaml'] }],
  ]);
});

it('operations that are rejected with one code have the params of the sentence', async () => {
  const set = { project: 'shop', environment: 'default', values: { A: '1' } };
  await organization.project({ name: 'shop' });

  const { body } = await asData(() => organization.owner.post('changesets/', { operations: [{ set }, { set }] }));

  expect(body).toMatchObject({ code: 'unknown_parameter', params: { rejected: 2, count: 2 } });
});

it('an invalid request has the pointer of each invalid member, also of a query', async () => {
  const body = { operations: [{ set: { project: '', environment: 'default', values: { A: 5 } } }], dry: true };
  const invalid = await asData(() => organization.owner.post('changesets/', body));
  expect(invalid.body.errors?.map(({ code, pointer, params }) => [code, pointer, params])).toEqual([
    ['invalid', '/operations/0/set/project', {}],
    ['invalid', '/operations/0/set/values/A', {}],
    ['invalid', '', { names: ['dry'] }],
  ]);

  const query = await asData(() => organization.owner.get('environments/?id__in=x'));
  expect(query.body).toMatchObject({ code: 'invalid', pointer: '/id__in' });
});

it('a plan has the data of its rejected operations, and a header with their codes', async () => {
  await organization.project({ name: 'shop' });
  const set = { project: 'shop', environment: 'default', values: { A: '1' } };
  const accept = { accept: 'text/plain, application/problem+json' };

  const rejected = await organization.owner.post<Plan>('changesets/plan/', { operations: [{ set }] });
  expect(rejected.headers['x-plan-rejected']).toBe('unknown_parameter');
  const entry = { code: 'unknown_parameter', pointer: '/operations/0/set/values/A', params: { name: 'A' } };
  expect(rejected.body.refusals).toEqual([
    expect.objectContaining({ ...entry, index: 0, status: 404, error: { A: [expect.any(String)] } }),
  ]);
  const asText = await organization.owner.post('changesets/plan/', { operations: [{ set }] }, accept);
  expect([asText.headers['content-type'], asText.headers['x-plan-rejected']]).toEqual([
    ...['text/plain; charset=utf-8', 'unknown_parameter'],
  ]);

  const accepted = { operations: [{ set: { ...set, create_missing: true } }] };
  const planned = await organization.owner.post('changesets/plan/', accepted, accept);
  expect([planned.status, planned.headers['x-plan-rejected']]).toEqual([200, undefined]);
});

it('a batch passes on the data of its errors, and an unreadable path has one', async () => {
  const { body } = (await asData(() =>
    organization.owner.post('batch/', { requests: [{ path: 'projects/?page=99' }] }),
  )) as unknown as Reply<BatchResponse>;
  expect(body.results[0]).toMatchObject({
    ...{ status: 404, error_code: 'invalid_page' },
    body: { code: 'invalid_page', pointer: '/page', params: {} },
  });

  const unreadable = await asData(() => organization.owner.get('/api/v1/%E0%A4%A'));
  expect(unreadable.body).toMatchObject({ status: 404, code: 'unknown_route', params: {} });
});

it('no error contains the text of a secret', async () => {
  const project = await organization.project({ name: 'shop' });
  const { id } = await organization.environmentNamed('default');
  const token = await organization.parameter({ project, name: 'TOKEN', type: 'integer', secret: true });
  const value = await organization.value({ parameter: token, internal_value: '42' });
  const stranger = new RawClient(core.origin, `Api-Key ${SECRET}`);
  const { owner } = organization;
  const values = { TOKEN: SECRET };
  const set = { project: 'shop', environment: 'default', values };
  const requests: readonly (() => Promise<Reply>)[] = [
    () => owner.patch(value.url, { internal_value: SECRET }),
    () => owner.put(`${project.url}values/?environment=${id}`, { values }),
    () => owner.post('changesets/', { operations: [{ set }] }),
    () =>
      owner.post('changesets/plan/', {
        operations: [{ set: { ...set, values: { TOKEN: { value: SECRET, interpolated: true } } } }],
      }),
    () => owner.post('changesets/', { operations: [{ set: { ...set, values: { TOKEN: [SECRET] } } }] }),
    () => owner.post('import/', { project: 'shop', body: `TOKEN=1\nnot a line ${SECRET}`, secrets: [], ignore: [] }),
    () => owner.post(`${project.url}template-preview/`, { body: `{{ TOKEN | divided_by: 0 }}{% nope %}` }),
    () => owner.post(`${project.url}templates/`, { name: 't', body: '{{ TOKEN | divided_by: 0 | nope }}' }),
    () => stranger.get('projects/'),
  ];
  for (const send of requests) {
    const response = await asData(send);
    expect([response.status, response.text]).toEqual([response.status, expect.not.stringContaining(SECRET)]);
    expect(response.status === 200 ? response.headers['x-plan-rejected'] : response.body.code).toEqual(
      expect.any(String),
    );
  }
});

it('the error of a text that cannot be evaluated has the name of the text and the location in it', async () => {
  const project = await organization.project({ name: 'shop' });
  await organization.parameter({ project, name: 'PORT' });
  const { owner } = organization;
  const broken = '{{ PORT }}\n{{ PORT | nope }}';

  const template = await asData(() => owner.post(`${project.url}templates/`, { name: 't', body: broken }));
  const location = { line: 2, column: expect.any(Number) };
  expect(template.body).toMatchObject({ code: 'invalid_text', pointer: '/body', params: location });

  const values = { PORT: { value: broken, interpolated: true } };
  const set = { project: 'shop', environment: 'default', values };
  const changeset = await asData(() => owner.post('changesets/', { operations: [{ set }] }));
  expect(changeset.body.operations?.[0]).toMatchObject({
    ...{ code: 'invalid_text', pointer: '/operations/0/set/values/PORT', params: location },
  });

  const url = `${project.url}template-preview/`;
  const preview = await asData(() => owner.post(url, { body: 'a\n{{ strata.parameters[strata.project] }}' }));
  expect(preview.body).toMatchObject({ pointer: '/body', params: location });
});

it('the error of a revert has the names and numbers of each conflict; its plain body stays the same', async () => {
  const { owner } = organization;
  await organization.project({ name: 'shop' });
  const set = (values: object) => ({ set: { project: 'shop', environment: 'default', values, create_missing: true } });
  const { body: first } = await owner.post<{ revision: number }>('changesets/', { operations: [set({ A: '1' })] });
  await owner.post('changesets/', { operations: [set({ A: '2' })] });
  const url = `changesets/${first.revision}/revert/`;

  const plain = await owner.post<{ conflicts: Record<string, unknown>[] }>(url, {});
  const { body } = await asData(() => owner.post(url, {}));

  expect(body).toMatchObject({ code: 'revert_conflicts', pointer: '/path/revision' });
  expect(body.params.names).toEqual(expect.arrayContaining(['Value A of shop in default']));
  expect(body.conflicts?.map(({ params, ...conflict }) => conflict)).toEqual(plain.body.conflicts);
  expect(body.conflicts?.every(({ params }) => typeof params === 'object')).toBe(true);
});

it('a revert to a text that violates a rule has the params of the rule', async () => {
  const { owner } = organization;
  const project = await organization.project({ name: 'shop' });
  const parameter = await organization.parameter({ project, name: 'A', type: 'string' });
  const value = await organization.value({ parameter, internal_value: 'long' });
  const { headers } = await owner.patch(value.url, { internal_value: 'ok' });
  await owner.post(`${parameter.url}rules/`, { type: 'max_len', constraint: '3' });

  const { body } = await asData(() => owner.post(`changesets/${headers['x-revision']}/revert/`, {}));

  const params = { rule: 'max_len', limit: '3', owner: 'parameter A' };
  expect(body.conflicts).toMatchObject([{ code: 'rule_violation', params }]);
});

it('no error contains a name that the caller may not read', async () => {
  const MARK = '7c1e';
  const { owner } = organization;
  const environment = await organization.environment({ name: 'hidden' });
  const shop = await organization.project({ name: 'shop' });
  const port = await organization.parameter({ project: shop, name: 'PORT', type: 'integer' });
  const value = await organization.value({ parameter: port, environment, internal_value: '8080' });
  const vault = await organization.project({ name: 'vault', depends_on: shop.url });
  await organization.parameter({ project: vault, name: `KEY-${MARK}` });
  await owner.post(`${vault.url}templates/`, { name: `text-${MARK}`, body: '{{ PORT }}' });
  for (const scope of [vault, environment]) await owner.patch(scope.url, { access_controlled: true });
  const member = organization.as('CONTRIB');
  const set = { project: 'shop', environment: 'default', values: { PORT: '1' } };
  const create = (body: object) => member.post(`${shop.url}templates/`, { name: 't', ...body });
  const requests: readonly (() => Promise<Reply>)[] = [
    () => member.get(`${vault.url}parameters/`),
    () => member.get(`effective/?environment=default&project=${vault.id}`),
    () => member.get(`${shop.url}effective/?environment=${environment.id}`),
    () => member.patch(value.url, { internal_value: '1' }),
    () => member.patch(port.url, { name: 'OTHER' }),
    () => member.delete(port.url),
    () => member.delete(shop.url),
    () => member.post(`${port.url}rules/`, { type: 'max', constraint: '10' }),
    () => create({ body: '{{ strata.projects.vault.parameters.KEY }}' }),
    () => member.post('changesets/', { operations: [{ set: { ...set, environment: environment.id } }] }),
    () => member.post('changesets/', { operations: [{ operation: 'projects_destroy', path: { id: shop.id } }] }),
    () => member.post('changesets/plan/', { operations: [{ operation: 'projects_destroy', path: { id: vault.id } }] }),
    () => member.post('revert/', { to: { revision: 1 }, scope: { project: vault.id } }),
    () => member.post('revert/', { to: { revision: 1 }, scope: { parameter: port.id } }),
  ];
  for (const [index, send] of requests.entries()) {
    const response = await asData(send);
    expect([index, response.status, response.text]).toEqual([
      index,
      expect.any(Number),
      expect.not.stringContaining(MARK),
    ]);
    expect([index, response.status === 200 || response.status >= 400]).toEqual([index, true]);
  }
});

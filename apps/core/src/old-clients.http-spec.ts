import type { Environment, Page, Parameter, Project, ServiceAccountCreated, Value } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { startSecondCore } from './testing/core-in-process.ts';

/** Requests of integrations that were written years ago for another server, and the responses they rely on. */
let core: RunningCore;
let organization: TestOrganization;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
});

const ZEROES = { url: '', id: '', ledger_id: '', created_at: '', modified_at: null, role: '', values: {}, rules: null };

describe('requests of old clients', () => {
  it('may contain read-only members with zero values, and unknown members', async () => {
    const project = await organization.owner.post<Project>('projects/', {
      ...ZEROES,
      name: 'p',
      dependents: null,
      wrap: 7,
    });
    expect(project.status).toBe(201);
    const parameter = await organization.owner.post<Parameter>(`${project.body.url}parameters/`, {
      ...ZEROES,
      name: 'x',
    });
    expect(parameter).toMatchObject({ status: 201, body: { name: 'x', rules: [] } });
    const value = await organization.owner.post<Value>(`${parameter.body.url}values/`, {
      ...ZEROES,
      environment: (await organization.environmentNamed('default')).id,
      internal_value: '1',
      evaluated: false,
      environment_name: '',
      external_fqn: '',
      external_filter: '',
    });
    expect(value).toMatchObject({ status: 201, body: { value: '1', environment_name: 'default' } });
    expect(await organization.owner.put(project.body.url, { ...ZEROES, name: 'p', description: 'd' })).toMatchObject({
      status: 200,
      body: { id: project.body.id, description: 'd' },
    });
  });

  it.each([
    ['a bare id', (url: string) => url.split('/').at(-2)],
    ['a link of another host', (url: string) => url.replace(/^https?:\/\/[^/]+/, 'https://api.other.example')],
    ['a path', (url: string) => new URL(url).pathname],
    ['a link without its last slash', (url: string) => url.replace(/\/$/, '')],
  ])('may contain %s in place of a link', async (_, written) => {
    const base = await organization.project();
    const parent = await organization.environment();

    expect(await organization.owner.post('projects/', { name: 'above', depends_on: written(base.url) })).toMatchObject({
      status: 201,
      body: { depends_on: base.url },
    });
    const environment = await organization.owner.post<Environment>('environments/', {
      name: 'e',
      parent: written(parent.url),
    });
    expect(environment).toMatchObject({ status: 201, body: { parent: parent.url } });
    const parameter = await organization.parameter({ project: base });
    const body = { environment: written(environment.body.url), internal_value: 'v' };
    expect(await organization.owner.post(`${parameter.url}values/`, body)).toMatchObject({
      status: 201,
      body: { environment: environment.body.url },
    });
  });

  it('may contain retired query parameters', async () => {
    const value = await organization.value();
    const retired = 'wrap=true&partial_success=true&lookup_error=true&id__in=&lang=en';
    const list = value.url.replace(/[^/]+\/$/, '');
    const parameters = list.replace(/[^/]+\/values\/$/, '');

    expect(await organization.owner.get(`${list}?${retired}`)).toMatchObject({ status: 200, body: { count: 1 } });
    expect(await organization.owner.get(`${parameters}?${retired}`)).toMatchObject({ status: 200, body: { count: 1 } });
    expect(await organization.owner.patch(`${value.url}?${retired}`, { internal_value: 'w' })).toMatchObject({
      status: 200,
    });
  });

  it.each(['0', '-1', 'abc', '', '1e9', '100000'])('may contain page_size=%s', async (size) => {
    await organization.project();

    expect(await organization.owner.get(`projects/?page_size=${size}`)).toMatchObject({
      status: 200,
      body: { count: 2, next: null, results: [{}, {}] },
    });
  });

  it.each`
    written    | masks
    ${'true'}  | ${true}
    ${'True'}  | ${true}
    ${'1'}     | ${true}
    ${'false'} | ${false}
    ${'False'} | ${false}
    ${'0'}     | ${false}
    ${''}      | ${false}
  `('may contain booleans in the form "$written"', async ({ written, masks }) => {
    const parameter = await organization.parameter({ secret: true });
    await organization.value({ parameter, internal_value: 'hunter2' });
    const { status, body } = await organization.owner.get<Parameter>(`${parameter.url}?mask_secrets=${written}`);

    expect(status).toBe(200);
    expect(Object.values(body.values).map((value) => value?.value)).toContain(masks ? '*****' : 'hunter2');
  });

  it('may not contain any other word for a boolean', async () => {
    const parameter = await organization.parameter();

    expect(await organization.owner.get(`${parameter.url}?mask_secrets=maybe`)).toMatchObject({
      status: 400,
      body: { mask_secrets: [expect.any(String)] },
    });
  });

  it('may have form bodies and multipart form bodies', async () => {
    const form = await organization.owner.post<Project>(
      'projects/',
      new URLSearchParams({ name: 'of a form', description: 'ü' }),
    );
    expect(form).toMatchObject({ status: 201, body: { name: 'of a form', description: 'ü' } });
    const multipart = new FormData();
    multipart.append('description', 'later');
    expect(await organization.owner.patch(form.body.url, multipart)).toMatchObject({
      status: 200,
      body: { name: 'of a form', description: 'later' },
    });
  });

  it('may omit the last slash of a path, for reads and writes', async () => {
    const createResponse = await organization.owner.post<Project>('projects', { name: 'slash' });
    expect(createResponse).toMatchObject({ status: 201, headers: { location: createResponse.body.url } });
    const bare = createResponse.body.url.replace(/\/$/, '');

    expect(await organization.owner.get(bare)).toMatchObject({ status: 200, body: createResponse.body });
    expect(await organization.owner.patch(bare, { description: 'x' })).toMatchObject({ status: 200 });
    expect(await organization.owner.get('projects?name=slash')).toMatchObject({ status: 200, body: { count: 1 } });
    expect(await organization.owner.delete(bare)).toMatchObject({ status: 204, text: '' });
  });

  it.each(['simple space', 'a/b', 'non.posix.key', 'MiXed', 'ünïcode', '%2F', '100% sure?&=#+'])(
    'may create a parameter named %s and find it by that name',
    async (name) => {
      const project = await organization.project();
      const parameter = await organization.parameter({ project, name });

      expect(await organization.owner.get(`${project.url}parameters/?name=${encodeURIComponent(name)}`)).toMatchObject({
        status: 200,
        body: { count: 1, results: [{ id: parameter.id, name }] },
      });
    },
  );

  it('may refer to an environment by name or by id', async () => {
    const value = await organization.value({
      environment: await organization.environmentNamed('staging'),
      internal_value: 'v',
    });
    const parameter = value.parameter;
    const { id, url } = await organization.environmentNamed('staging');

    for (const environment of ['staging', id, id.toUpperCase()]) {
      expect(await organization.owner.get(`${parameter}?environment=${environment}`)).toMatchObject({
        status: 200,
        body: { values: { [url]: { value: 'v' } } },
      });
    }
    expect(await organization.owner.get(`${parameter}?environment=nowhere`)).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('No Environment matches the given query.') },
    });
  });

  it('may omit the optional fields of a PUT, which keep their values', async () => {
    const project = await organization.project({ description: 'kept', parameter_name_pattern: '[a-z]' });
    expect(await organization.owner.put(project.url, { name: project.name })).toMatchObject({
      status: 200,
      body: { description: 'kept', parameter_name_pattern: '[a-z]' },
    });
    const value = await organization.value({ internal_value: 'kept' });
    expect(await organization.owner.put(value.url, {})).toMatchObject({ status: 200, body: { value: 'kept' } });
    const flags = { external: false, interpolated: false };
    expect(await organization.owner.patch(value.url, flags)).toMatchObject({ status: 200, body: { value: 'kept' } });
  });

  it('may spell the scheme of an API key in any letter case', async () => {
    const authorization = await organization.authorization('VIEWER');
    for (const scheme of ['Api-Key', 'API-Key', 'api-key', 'API-KEY']) {
      const headers = { authorization: authorization.replace('Api-Key', scheme) };
      expect((await fetch(`${core.origin}/api/v1/projects/`, { headers })).status).toBe(200);
    }
  });
});

describe('responses to old clients', () => {
  it('contain more than a hundred items if the request has no page_size', async () => {
    const project = await organization.project();
    for (let batch = 0; batch < 13; batch += 1) {
      await Promise.all(
        Array.from({ length: 8 }, (_, n) => organization.parameter({ project, name: `p${batch * 8 + n}` })),
      );
    }

    const { body } = await organization.owner.get<Page<Parameter>>(`${project.url}parameters/`);
    expect([body.count, body.results.length, body.next]).toEqual([104, 104, null]);
  });

  it('contain only absolute links that end with a slash and have the id as their last segment', async () => {
    const value = await organization.value();
    const { body: parameter } = await organization.owner.get<Parameter>(value.parameter);
    const links = [value.url, value.environment, value.parameter, parameter.url, parameter.project];

    for (const link of links) expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/.*\/$/);
    expect(value.url.split('/').at(-2)).toBe(value.id);
    expect(parameter.url.split('/')[6]).toBe(parameter.project.split('/').at(-2));
  });

  it('are sorted by any field that the request names', async () => {
    const project = await organization.project();
    for (const input of [
      { name: 'a', type: 'string' },
      { name: 'b', type: 'boolean', secret: true },
    ]) {
      await organization.parameter({ project, ...input });
    }
    for (const role of ['VIEWER', 'ADMIN']) {
      await organization.owner.post('invitations/', { email: `${role}@example.com`, role });
    }
    const ordered = async (list: string, field: string) => {
      const { body } = await organization.owner.get<Page<Record<string, unknown>>>(`${list}?ordering=${field}`);
      return body.results.map((row) => row[field.replace('-', '')]);
    };

    expect(await ordered(`${project.url}parameters/`, '-secret')).toEqual([true, false]);
    expect(await ordered(`${project.url}parameters/`, 'type')).toEqual(['boolean', 'string']);
    expect(await ordered('invitations/', 'role')).toEqual(['ADMIN', 'VIEWER']);
    expect(await ordered('invitations/', '-email')).toEqual(['VIEWER@example.com', 'ADMIN@example.com']);
    await organization.authorization('ADMIN');
    expect(await ordered('users/', 'role')).toEqual(['ADMIN', 'OWNER']);
    expect(await ordered('memberships/', '-role')).toEqual(['OWNER', 'ADMIN']);
  });

  it('contain the role of a service account beside its user, which v1 requires in the response to PUT', async () => {
    const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
      name: 'ci',
      role: 'CONTRIB',
    });

    expect(await organization.owner.put(body.url, { description: 'builds' })).toMatchObject({
      status: 200,
      body: { description: 'builds', role: 'CONTRIB', user: { role: 'CONTRIB' } },
    });
  });

  it('list the supported authentication schemes if the credential is missing', async () => {
    const response = await fetch(`${core.origin}/api/v1/environments/`);

    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Api-Key, Bearer']);
  });

  it('have a Location with status 201, and neither body nor content type with status 204', async () => {
    const createResponse = await organization.owner.post<Environment>('environments/', { name: 'short-lived' });
    expect(createResponse).toMatchObject({ status: 201, headers: { location: createResponse.body.url } });
    const deleted = await organization.owner.delete(createResponse.body.url);

    expect(deleted).toMatchObject({ status: 204, text: '' });
    expect(deleted.headers).not.toHaveProperty('content-type');
    expect(deleted.headers['content-length'] ?? '0').toBe('0');
  });

  it('contain links with https and the public host if TLS ends at a proxy', async () => {
    const published = await startSecondCore(core, { STRATA_PUBLIC_URL: 'https://config.example.com' });
    try {
      const headers = { authorization: await organization.authorization('VIEWER') };
      const response = await fetch(`${published.origin}/api/v1/environments/?page_size=2`, { headers });
      const page = (await response.json()) as Page<Environment>;

      expect(page.next).toBe('https://config.example.com/api/v1/environments/?page_size=2&page=2');
      for (const { url } of page.results)
        expect(url).toMatch(/^https:\/\/config\.example\.com\/api\/v1\/environments\//);
    } finally {
      await published.close();
    }
  });

  it('have status 400 after a user error, because clients retry other statuses for minutes', async () => {
    const { owner } = organization;
    const value = await organization.value();
    const list = value.url.replace(/[^/]+\/$/, '');
    const mistakes = await Promise.all([
      owner.post('environments/', { name: '' }),
      owner.post('environments/', { name: 'staging' }),
      owner.post('projects/', { name: 'MyFirstProject' }),
      owner.post('projects/', { name: 'x', depends_on: 'nothing' }),
      owner.post(list, { environment: value.environment, internal_value: 'second' }),
      owner.post(list, { environment: 'nowhere', internal_value: 'x' }),
      owner.patch(value.url, { internal_value: { a: 1 } }),
    ]);

    expect(mistakes.map(({ status }) => status)).toEqual(mistakes.map(() => 400));
  });
});

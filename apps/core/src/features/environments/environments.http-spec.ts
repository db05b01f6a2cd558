import type { Environment, Page } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('environments', () => {
  it('start as a tree: default with development, production and staging', async () => {
    const organization = await core.organization();

    const { body } = await organization.as('VIEWER').get<{ results: Environment[] }>('environments/');

    const root = body.results.find(({ parent }) => parent === null);
    expect(body.results.map(({ name }) => name)).toEqual(['default', 'development', 'production', 'staging']);
    expect(root).toMatchObject({ name: 'default', children: expect.any(Array) });
    expect(root?.children).toHaveLength(3);
    expect(body.results.every(({ description }) => description !== '')).toBe(true);
  });

  it('are created below default unless the request contains a parent, by link, link with another origin, or bare id', async () => {
    const organization = await core.organization();
    const root = await organization.environmentNamed('default');
    const staging = await organization.environmentNamed('staging');
    const admin = organization.as('CONTRIB');

    const childResponse = await admin.post<Environment>('environments/', { name: 'one' });
    const bare = await admin.post<Environment>('environments/', { name: 'two', parent: staging.id });
    const foreign = await admin.post<Environment>('environments/', {
      name: 'three',
      parent: `https://other.example/api/v1/environments/${staging.id}/`,
    });

    expect(childResponse).toMatchObject({
      status: 201,
      body: { parent: root.url, created_at: childResponse.body.modified_at },
    });
    expect(childResponse.headers.location).toBe(childResponse.body.url);
    expect([bare.body.parent, foreign.body.parent]).toEqual([staging.url, staging.url]);
  });

  it('can be filtered by name in the same ways as parameters', async () => {
    const organization = await core.organization();
    for (const name of ['Blue-Green', 'blue-green', 'green 100%', 'greens']) await organization.environment({ name });
    const named = async (query: string) =>
      (await organization.owner.get<Page<Environment>>(`environments/?${query}`)).body.results.map(({ name }) => name);

    expect(await named('name=Blue-Green')).toEqual(['Blue-Green']);
    expect(await named('name__iexact=BLUE-green')).toEqual(['blue-green', 'Blue-Green']);
    expect(await named('name__contains=Green')).toEqual(['Blue-Green']);
    expect(await named('name__icontains=GREEN')).toEqual(['blue-green', 'Blue-Green', 'green 100%', 'greens']);
    expect(await named('name__startswith=green')).toEqual(['green 100%', 'greens']);
    expect(await named('name__startswith=Green')).toEqual([]);
    expect(await named('name__istartswith=BLUE')).toEqual(['blue-green', 'Blue-Green']);
    expect(await named('name__contains=%25')).toEqual(['green 100%']);
  });

  it('must have unique names; a rejected name creates no revision', async () => {
    const organization = await core.organization();
    const before = (await organization.owner.get('environments/')).headers['x-revision'];

    const response = await organization.owner.post('environments/', { name: ' staging ' });

    expect(response).toMatchObject({ status: 400, body: { name: [expect.stringContaining('staging')] } });
    expect(response.headers['x-error-code']).toBe('duplicate_name');
    expect((await organization.owner.get('environments/')).headers['x-revision']).toBe(before);
  });

  it('are returned completely with a new ledger_id after a change, and unchanged after a repeated one', async () => {
    const organization = await core.organization();
    const environment = await organization.environment({ name: 'e' });

    const first = await organization.owner.patch<Environment>(environment.url, { description: 'x' });
    const second = await organization.owner.patch<Environment>(environment.url, { description: 'x' });

    expect(first).toMatchObject({
      status: 200,
      body: { ...environment, description: 'x', ledger_id: expect.any(String), modified_at: expect.any(String) },
    });
    expect(first.body.ledger_id).not.toBe(environment.ledger_id);
    expect(second.body).toEqual(first.body);
    expect(second.headers['x-revision']).toBe(first.headers['x-revision']);
  });

  it('cannot be renamed, moved or deleted if they are the root default', async () => {
    const organization = await core.organization();
    const root = await organization.environmentNamed('default');
    const staging = await organization.environmentNamed('staging');

    expect(await organization.owner.patch(root.url, { name: 'x' })).toMatchObject({
      status: 400,
      body: { name: [expect.any(String)] },
    });
    expect(await organization.owner.patch(root.url, { parent: staging.url })).toMatchObject({
      status: 400,
      body: { parent: [expect.any(String)] },
    });
    expect(await organization.owner.delete(root.url)).toMatchObject({
      status: 409,
      body: { detail: expect.any(String) },
    });
  });

  it('never form a cycle, even if many clients move them at once', async () => {
    const organization = await core.organization();
    const nodes = await Promise.all(Array.from({ length: 8 }, (_, n) => organization.environment({ name: `n${n}` })));

    const moves = Array.from({ length: 60 }, (_, n) => {
      const moved = nodes[n % nodes.length] as Environment;
      const parent = nodes[(n * 5 + 3) % nodes.length] as Environment;
      return organization.owner.patch(moved.url, { parent: parent.url });
    });
    const statuses = new Set((await Promise.all(moves)).map(({ status }) => status));

    const { body } = await organization.owner.get<{ results: Environment[] }>('environments/');
    const parents = new Map(body.results.map(({ url, parent }) => [url, parent]));
    for (const start of parents.keys()) {
      const seen = new Set<string>();
      for (let ancestor: string | null = start; ancestor !== null; ancestor = parents.get(ancestor) ?? null) {
        expect(seen.has(ancestor)).toBe(false);
        seen.add(ancestor);
      }
    }
    expect([...statuses].every((status) => status === 200 || status === 400)).toBe(true);
  });

  it('cannot be deleted while they have children, which the error names', async () => {
    const organization = await core.organization();
    const parent = await organization.environment({ name: 'parent' });
    const child = await organization.environment({ name: 'child', parent: parent.url });

    const response = await organization.owner.delete(parent.url);
    expect(response).toMatchObject({ status: 409, body: { detail: expect.stringContaining('child') } });
    expect(await organization.owner.delete(child.url)).toMatchObject({ status: 204, text: '' });
    expect(await organization.owner.delete(parent.url)).toMatchObject({ status: 204 });
    expect(await organization.owner.get(parent.url)).toMatchObject({ status: 404 });
  });

  it('can be filtered by name, part of the name, parent and ids', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const staging = await organization.environmentNamed('staging');
    const names = async (query: string) =>
      (await owner.get<{ results: Environment[] }>(`environments/?${query}`)).body.results.map(({ name }) => name);

    expect(await names('name=staging')).toEqual(['staging']);
    expect(await names('name__icontains=TION')).toEqual(['production']);
    expect(await names('name__icontains=%25')).toEqual([]);
    expect(await names('parent__name=default')).toEqual(['development', 'production', 'staging']);
    expect(await names(`id__in=${staging.id},00000000-0000-4000-8000-000000000000`)).toEqual(['staging']);
    expect(await names('ordering=-name&nonsense=1&name=')).toEqual(['staging', 'production', 'development', 'default']);
  });

  it('can be sorted by at most twenty fields', async () => {
    const { owner } = await core.organization();
    const ordered = (count: number) => owner.get(`environments/?ordering=${Array(count).fill('name').join(',')}`);
    expect((await ordered(20)).status).toBe(200);
    expect(await ordered(21)).toMatchObject({ status: 400, body: { ordering: ['Order by at most 20 fields.'] } });
  });

  it('are returned in pages whose links repeat the query', async () => {
    const { owner } = await core.organization();
    const page = (query: string) =>
      owner.get<{ count: number; next: string | null; previous: string | null; results: Environment[] }>(
        `environments/?${query}`,
      );

    const first = await page('page_size=3&name__icontains=d');
    expect(first.body).toMatchObject({ count: 3, next: null, previous: null });
    const second = await page('page_size=3&page=2');
    expect(second.body).toMatchObject({
      count: 4,
      next: null,
      previous: `${core.origin}/api/v1/environments/?page_size=3`,
    });
    for (const bad of ['page=0', 'page=-1', 'page=abc', 'page=99', 'page=1000000000']) {
      expect(await page(bad)).toMatchObject({ status: 404, body: { detail: 'Invalid page.' } });
    }
    for (const odd of ['page_size=0', 'page_size=-1', 'page_size=x', 'page_size=1000000000']) {
      expect(await page(odd)).toMatchObject({ status: 200, body: { count: 4 } });
    }
  });

  it('return 304 to a client with a current copy, and reject a stale update', async () => {
    const organization = await core.organization();
    const environment = await organization.environment();
    const { headers } = await organization.owner.get(environment.url);
    const etag = headers.etag ?? '';

    expect(await organization.owner.get(environment.url, { 'if-none-match': etag })).toMatchObject({
      status: 304,
      text: '',
    });
    const writers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        organization.owner.patch(environment.url, { description: `${n}` }, { 'if-match': etag }),
      ),
    );
    expect(writers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(writers.filter(({ status }) => status === 412)).toHaveLength(9);
    expect(await organization.owner.get(environment.url, { 'if-none-match': etag })).toMatchObject({ status: 200 });
  });

  it('of another organization return 404, like environments that never existed', async () => {
    const [ours, theirs] = [await core.organization(), await core.organization()];
    const foreign = await theirs.environment();

    const never = await ours.owner.get('environments/00000000-0000-4000-8000-000000000000/');
    for (const response of [
      await ours.owner.get(foreign.url),
      await ours.owner.patch(foreign.url, { name: 'mine' }),
      await ours.owner.delete(foreign.url),
      await ours.owner.get('environments/not-a-uuid/'),
    ]) {
      expect(response).toMatchObject({ status: 404, text: never.text });
    }
    expect(await ours.owner.post('environments/', { name: 'x', parent: foreign.url })).toMatchObject({
      status: 400,
      body: { parent: [expect.any(String)] },
    });
  });

  it('cannot be written by a VIEWER', async () => {
    const organization = await core.organization();
    const environment = await organization.environment();
    const viewer = organization.as('VIEWER');

    for (const response of [
      await viewer.post('environments/', { name: 'x' }),
      await viewer.patch(environment.url, {}),
      await viewer.delete(environment.url),
    ]) {
      expect(response).toMatchObject({
        status: 403,
        body: { detail: 'You do not have permission to perform this action.' },
      });
    }
  });
});

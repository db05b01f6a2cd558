import { setTimeout as sleep } from 'node:timers/promises';
import { BATCH_LIMITS, type BatchResponse, type Tag } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

let core: RunningCore;
let organization: TestOrganization;

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
});

const read = async (client: RawClient, ...paths: string[]) =>
  client.post<BatchResponse>('batch/', { requests: paths.map((path) => ({ path })) });

describe('a batch of reads', () => {
  it('returns the results in order, each equal to the response of a separate request', async () => {
    const project = await organization.project();
    await organization.parameter({ project, name: 'p' });
    const paths = [
      'environments/',
      'events/?after=now',
      `projects/${project.id}/`,
      `projects/${project.id}/parameters/?page_size=1`,
    ];
    const { status, body } = await read(organization.owner, ...paths);

    expect(status).toBe(200);
    for (const [index, path] of paths.entries()) {
      const alone = await organization.owner.get(path);
      expect(body.results[index]).toEqual({
        status: 200,
        revision: Number(alone.headers['x-revision']),
        etag: alone.headers.etag ?? null,
        cache_control: 'private, no-cache',
        error_code: null,
        retry_after: null,
        body: alone.body,
      });
    }
  });

  it('returns the present state when it repeats reads whose responses are stored', async () => {
    const project = await organization.project();
    const parameter = await organization.parameter({ project, name: 'p' });
    const viewer = organization.as('VIEWER');
    const paths = [`projects/${project.id}/parameters/?values=false`, 'environments/?page_size=1'];
    const first = await read(viewer, ...paths);
    expect((await read(viewer, ...paths)).body).toEqual(first.body);

    await organization.owner.patch(parameter.url, { description: 'new' });
    const [changed] = (await read(viewer, ...paths)).body.results;
    expect(changed?.body).toMatchObject({ results: [{ description: 'new' }] });

    await organization.owner.patch(project.url, { access_controlled: true });
    const [response, secondResponse] = (await read(viewer, ...paths)).body.results;
    expect([response?.status, secondResponse?.status]).toEqual([403, 200]);
  });

  it('returns 304 for reads whose response is still the same', async () => {
    const project = await organization.project();
    const parameter = await organization.parameter({ project, name: 'p' });
    await organization.value({ parameter, internal_value: 'x' });
    const paths = [`projects/${project.id}/effective/`, 'environments/', 'projects/?revision=1'];
    const first = (await read(organization.owner, ...paths)).body.results;
    const requests = paths.map((path, index) => ({ path, if_none_match: `"other", ${first[index]?.etag}` }));
    const readAgain = async () => (await organization.owner.post<BatchResponse>('batch/', { requests })).body.results;

    expect(await readAgain()).toEqual(first.map((result) => ({ ...result, status: 304, body: null })));
    await organization.owner.patch(parameter.url, { name: 'q' });
    expect((await readAgain()).map(({ status }) => status)).toEqual([200, 304, 304]);
  });

  it('says that responses with a secret in clear must not be stored', async () => {
    const project = await organization.project();
    const parameter = await organization.parameter({ project, name: 'p', secret: true });
    await organization.value({ parameter, internal_value: 'hunter2' });
    const paths = ['effective/', 'effective/?mask_secrets=true', 'parameters/', 'parameters/?mask_secrets=true'];
    const { body } = await read(organization.owner, ...paths.map((path) => `projects/${project.id}/${path}`));
    const alone = await organization.owner.get(`projects/${project.id}/effective/`);

    const [clear, masked] = ['private, no-store', 'private, no-cache'];
    expect(body.results.map((result) => result.cache_control)).toEqual([clear, masked, clear, masked]);
    expect(alone.headers['cache-control']).toBe(clear);

    const requests = paths.map((path, index) => ({
      ...{ path: `projects/${project.id}/${path}`, if_none_match: body.results[index]?.etag },
    }));
    const secondResult = (await organization.owner.post<BatchResponse>('batch/', { requests })).body.results;
    expect(secondResult.map(({ status, cache_control: header }) => [status, header])).toEqual([
      ...[clear, masked, clear, masked].map((header) => [304, header]),
    ]);
  });

  it('returns the revision at which a client can start to follow the feed', async () => {
    const { headers, body } = await read(organization.owner, 'environments/', 'nowhere/', 'projects/');
    const revisions = body.results.flatMap(({ revision }) => revision ?? []);
    expect(headers['x-revision']).toBe(String(Math.min(...revisions)));
  });

  it('counts each read through a tag', async () => {
    const environment = await organization.environmentNamed('production');
    const project = await organization.project();
    const tag = await organization.owner.post<Tag>(`${environment.url}tags/`, { name: 'v1' });
    const path = `projects/${project.id}/parameters/?environment=production&tag=v1`;
    const requests = [{ path }];
    await organization.owner.post('batch/?environment=production&tag=v1', { requests });
    const reads = async () => (await organization.owner.get<Tag>(tag.body.url)).body.usage.total_reads;
    for (let tries = 0; tries < 100 && (await reads()) === 0; tries += 1) await sleep(100);
    expect(await reads()).toBe(1);
  });

  it('returns the error of each rejected read, and the results of the others', async () => {
    const closed = await organization.project();
    await organization.owner.patch(closed.url, { access_controlled: true });
    const { body } = await read(
      organization.as('VIEWER'),
      'environments/?page_size=1',
      `projects/${closed.id}/parameters/`,
      'environments/?page=9',
      'nowhere/',
      'environments/?id__in=x',
    );

    expect(body.results.map(({ status, error_code: code }) => [status, code])).toEqual([
      [200, null],
      [403, 'forbidden'],
      [404, 'invalid_page'],
      [404, expect.any(String)],
      [400, 'invalid'],
    ]);
    expect(body.results[1]?.body).toEqual({ detail: expect.any(String) });
  });

  it('applies the caller’s permissions to each read', async () => {
    const theirs = await (await core.organization()).project();
    const { body } = await read(organization.owner, `projects/${theirs.id}/`);
    const anonymous = await read(new RawClient(core.origin, null), 'environments/');

    expect(body.results).toMatchObject([{ status: 404 }]);
    expect(anonymous.status).toBe(401);
  });

  it.each([
    '../../healthz',
    '//elsewhere/x',
    'https://elsewhere.example/',
    'events/stream/',
    'projects/x/effective/stream/',
    'events/?wait=30',
    'batch/',
    '%65vents/stream/',
    './batch/',
  ])('rejects a path that is outside of the API or never ends: %s', async (path) => {
    const { status, body } = await read(organization.owner, path);

    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('Enter a path below /api/v1/');
  });

  it('limits the number of reads', async () => {
    const paths = Array.from({ length: BATCH_LIMITS.requests }, (_, index) => `environments/?page_size=${index + 1}`);

    expect((await read(organization.owner, ...paths)).body.results).toHaveLength(BATCH_LIMITS.requests);
    expect((await read(organization.owner, ...paths, 'environments/')).status).toBe(400);
    expect((await read(organization.owner)).status).toBe(400);
  });
});

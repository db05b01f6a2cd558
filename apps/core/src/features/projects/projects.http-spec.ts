import type { Page, ParameterType, Project } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { startSecondCore } from '../../testing/core-in-process.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('projects', () => {
  it('can be filtered by name in the same ways as parameters', async () => {
    const organization = await core.organization();
    for (const name of ['Shop', 'shop', 'shop_web', 'workshop']) await organization.project({ name });
    const named = async (query: string) =>
      (await organization.owner.get<Page<Project>>(`projects/?${query}`)).body.results.map(({ name }) => name);

    expect(await named('name__iexact=SHOP')).toEqual(['shop', 'Shop']);
    expect(await named('name__contains=shop')).toEqual(['shop', 'shop_web', 'workshop']);
    expect(await named('name__startswith=Shop')).toEqual(['Shop']);
    expect(await named('name__istartswith=SHOP')).toEqual(['shop', 'Shop', 'shop_web']);
    expect(await named('name__contains=_')).toEqual(['shop_web']);
  });

  it('start with MyFirstProject', async () => {
    const organization = await core.organization();

    const { body } = await organization.as('VIEWER').get<Page<Project>>('projects/');

    expect(body).toMatchObject({
      count: 1,
      results: [
        {
          name: 'MyFirstProject',
          depends_on: null,
          dependents: [],
          parameter_name_pattern: '',
          pushes: [],
          push_urls: [],
        },
      ],
    });
  });

  it('form a forest: dependents are listed by name, and a cycle is rejected', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const base = await organization.project({ name: 'base' });
    const web = await organization.project({ name: 'web', depends_on: base.url });
    const api = await organization.project({ name: 'Api', depends_on: base.id });

    expect((await owner.get<Project>(base.url)).body.dependents).toEqual([api.url, web.url]);
    for (const dependsOn of [base.url, web.url]) {
      expect(await owner.patch(base.url, { depends_on: dependsOn })).toMatchObject({
        status: 400,
        body: { depends_on: [expect.any(String)] },
      });
    }
    expect(await owner.patch(web.url, { depends_on: null })).toMatchObject({ status: 200, body: { depends_on: null } });
  });

  it('never form a cycle, even if many clients change them at once', async () => {
    const organization = await core.organization();
    const [a, b] = [await organization.project(), await organization.project()];

    for (let round = 0; round < 10; round += 1) {
      const [first, second] = await Promise.all([
        organization.owner.patch(a.url, { depends_on: b.url }),
        organization.owner.patch(b.url, { depends_on: a.url }),
      ]);
      expect([first.status, second.status].sort()).toEqual([200, 400]);
      await organization.owner.patch(first.status === 200 ? a.url : b.url, { depends_on: null });
    }
  });

  it('cannot be deleted while other projects depend on them, which the error names', async () => {
    const organization = await core.organization();
    const base = await organization.project({ name: 'base' });
    await organization.project({ name: 'leaf', depends_on: base.url });

    expect(await organization.owner.delete(base.url)).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/base.*leaf/) },
    });
  });

  it('have unique names, and name patterns that RE2 accepts', async () => {
    const organization = await core.organization();
    const createdProject = await organization.project({ name: 'x' });

    expect(await organization.owner.post('projects/', { name: 'x' })).toMatchObject({
      status: 400,
      body: { name: [expect.any(String)] },
    });
    for (const pattern of ['(', '(a)\\1', '(?=x)', '((a{100}){100}){100}']) {
      expect(await organization.owner.patch(createdProject.url, { parameter_name_pattern: pattern })).toMatchObject({
        status: 400,
        body: { parameter_name_pattern: [expect.any(String)] },
      });
    }
    expect(await organization.owner.patch(createdProject.url, { parameter_name_pattern: '(a+)+$' })).toMatchObject({
      status: 200,
    });
    const evil = organization.owner.post(`${createdProject.url}parameters/`, { name: `${'a'.repeat(200)}!` });
    expect(await evil).toMatchObject({ status: 400, body: { name: [expect.any(String)] } });
  });

  it('of another organization return 404', async () => {
    const [ours, theirs] = [await core.organization(), await core.organization()];
    const foreign = await theirs.project();

    const never = await ours.owner.get('projects/00000000-0000-4000-8000-000000000000/');
    for (const path of [foreign.url, `${foreign.url}parameters/`, `${foreign.url}effective/?environment=default`]) {
      expect(await ours.owner.get(path)).toMatchObject({ status: 404, text: never.text });
    }
    expect(await ours.owner.post('projects/', { name: 'x', depends_on: foreign.url })).toMatchObject({ status: 400 });
    expect(await ours.owner.post(`${foreign.url}parameters/`, { name: 'x' })).toMatchObject({
      status: 404,
      text: never.text,
    });
  });

  it('accept a PUT without optional members, and keep these', async () => {
    const organization = await core.organization();
    const createdProject = await organization.project({
      name: 'p',
      description: 'kept',
      parameter_name_pattern: 'X.*',
    });

    const put = await organization.owner.put<Project>(createdProject.url, { name: 'q' });

    expect(put.body).toMatchObject({
      name: 'q',
      description: 'kept',
      parameter_name_pattern: 'X.*',
      url: createdProject.url,
    });
    expect(await organization.owner.put(createdProject.url, {})).toMatchObject({
      status: 400,
      body: { name: ['This field is required.'] },
    });
  });
});

describe('types', () => {
  it('include the three built-in ones, which can be found by a part of their name', async () => {
    const organization = await core.organization();
    const viewer = organization.as('VIEWER');

    const all = await viewer.get<Page<ParameterType>>('types/?page_size=0');
    const types = await viewer.get<Page<ParameterType>>('types/?name__icontains=STRING');

    expect(all.body.results.map(({ name, parent }) => [name, parent])).toEqual([
      ['boolean', null],
      ['integer', null],
      ['string', null],
    ]);
    expect(types.body).toMatchObject({ count: 1, results: [{ name: 'string', rules: [], parent_name: null }] });
    expect(await viewer.get(all.body.results[0]?.url ?? '')).toMatchObject({ status: 200, body: { name: 'boolean' } });
  });
});

describe('links', () => {
  it('use https if the service is published over TLS, and use the headers of a proxy only if it is trusted', async () => {
    const published = await startSecondCore(core, { STRATA_PUBLIC_URL: 'https://config.example.com' });
    const proxied = await startSecondCore(core, { STRATA_TRUST_PROXY: 'true' });
    try {
      const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'strata.example' };
      const projectUrl = async ({ organization }: RunningCore) => {
        const { owner } = await organization();
        return (await owner.get<Page<Project>>('projects/', headers)).body.results[0]?.url ?? '';
      };

      expect(await projectUrl(published)).toMatch(/^https:\/\/config\.example\.com\/api\/v1\/projects\//);
      expect(await projectUrl(proxied)).toMatch(/^https:\/\/strata\.example\/api\/v1\/projects\//);
      expect(await projectUrl(core)).toMatch(new RegExp(`^${core.origin}/api/v1/projects/`));
    } finally {
      await Promise.all([published.close(), proxied.close()]);
    }
  });
});

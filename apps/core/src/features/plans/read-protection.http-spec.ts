import type { Explanation, Organization, Page, Plan } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { createMember } from '../../testing/members.ts';
import { waitUntil } from '../../testing/until.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/** An organization in which a program has read `shop`, which depends on `base`, in production. */
async function readShop(minutes: number | null = 5) {
  const organization = await core.organization();
  const { owner } = organization;
  const path = `organizations/${organization.id}/`;
  const base = await organization.project({ name: 'base' });
  const shop = await organization.project({ name: 'shop', depends_on: base.url });
  const parameter = await organization.parameter({ project: base, name: 'HOST' });
  const [root, production, staging] = [
    await organization.environmentNamed('default'),
    await organization.environmentNamed('production'),
    await organization.environmentNamed('staging'),
  ];
  const inherited = await organization.value({ parameter, environment: root, internal_value: 'a' });
  const unread = await organization.value({ parameter, environment: staging, internal_value: 'b' });
  expect((await owner.patch(path, { read_protection_minutes: minutes })).status).toBe(200);
  expect((await organization.as('VIEWER').get(`projects/${shop.id}/effective/?environment=production`)).status).toBe(
    200,
  );
  await waitUntil(
    () => owner.get<Page<Explanation>>(`projects/${shop.id}/explain/?name=HOST&environment=production`),
    ({ body }) => body.results[0]?.last_read_at !== null,
  );
  return { organization, owner, path, base, shop, parameter, production, inherited, unread };
}

const UNSET = [{ unset: { project: 'base', environment: 'default', names: ['HOST'] } }];
const RECENT = { status: 400, headers: { 'x-error-code': 'recently_read' }, body: { detail: expect.any(String) } };

describe('an organization that protects what was read recently', () => {
  it('rejects to delete it, and names the program', async () => {
    const { owner, shop, parameter, production, inherited, unread } = await readShop();

    for (const url of [inherited.url, parameter.url, shop.url, production.url]) {
      expect([url, await owner.delete(url)]).toMatchObject([url, RECENT]);
    }
    expect((await owner.delete<{ detail: string }>(inherited.url)).body.detail).toMatch(
      /^The service account viewer-\d+ read the value HOST at .*Z, .* in the last 5 minutes\./,
    );
    expect((await owner.delete(unread.url)).status).toBe(204);
  });

  it('deletes it with force', async () => {
    const { owner, inherited, parameter, shop } = await readShop();

    expect(await owner.delete(`${inherited.url}?force=maybe`)).toMatchObject({
      status: 400,
      body: { force: expect.any(Array) },
    });
    for (const [url, spelling] of [
      [inherited.url, 'true'],
      [parameter.url, '1'],
      [shop.url, 'True'],
    ]) {
      expect((await owner.delete(`${url}?force=${spelling}`)).status).toBe(204);
    }
  });

  it('rejects changesets, which need the member force, and their plans say so', async () => {
    const { owner, base, parameter } = await readShop();
    const plan = async (more: object) =>
      (await owner.post<Plan>('changesets/plan/', { operations: UNSET, ...more })).body;

    const planned = await plan({});
    const params = {
      service_account: expect.stringMatching(/^viewer-/),
      ...{ object: 'value', name: 'HOST', time: expect.any(String), minutes: 5 },
    };
    const entry = { code: 'recently_read', pointer: '/operations/0', params };
    expect(planned.refusals).toMatchObject([{ index: 0, status: 400, ...entry }]);
    expect(planned.totals.refusals).toBe(1);
    expect((await plan({ force: true })).refusals).toEqual([]);
    expect(await owner.post('changesets/', { operations: UNSET, plan_hash: planned.plan_hash })).toMatchObject(RECENT);
    const accept = { accept: 'application/json, application/problem+json' };
    const operations = [{ operation: 'environments_create', body: { name: 'new' } }, ...UNSET];
    const asData = await owner.post('changesets/', { operations }, accept);
    expect(asData.body).toMatchObject({ ...entry, pointer: '/operations/1' });
    const deletion = {
      operation: 'projects_parameters_destroy',
      path: { project_pk: base.id, id: parameter.id },
      query: { force: true },
    };
    expect(await owner.post('changesets/', { operations: [deletion] })).toMatchObject(RECENT);
    expect(await owner.post('changesets/?force=true', { operations: UNSET })).toMatchObject(RECENT);
    expect((await owner.post('changesets/', { operations: UNSET, force: true })).status).toBe(201);
  });

  it('rejects reverts and replaced values that delete it', async () => {
    const { owner, shop } = await readShop();
    const written = await owner.put(`projects/${shop.id}/values/?environment=production`, {
      values: { PORT: '80' },
      create_missing: true,
    });
    const revision = Number(written.headers['x-revision']);
    const prune = `projects/${shop.id}/values/?environment=production&prune=true&base_revision=${revision}`;

    expect(await owner.post(`changesets/${revision}/revert/`, {})).toMatchObject(RECENT);
    expect(await owner.put(prune, { values: {} })).toMatchObject(RECENT);
    expect((await owner.put(`${prune}&force=true`, { values: {} })).status).toBe(200);
  });

  it('is set by OWNERs, between 1 and 10080 minutes, and recorded', async () => {
    const { organization, owner, path } = await readShop();

    for (const wrong of [0, 10_081, 1.5, 'x']) {
      expect(await owner.patch(path, { read_protection_minutes: wrong })).toMatchObject({
        status: 400,
        body: { read_protection_minutes: [expect.any(String)] },
      });
    }
    expect((await organization.as('ADMIN').patch(path, { read_protection_minutes: null })).status).toBe(403);
    expect((await owner.get<Organization>(path)).body.read_protection_minutes).toBe(5);
  });
});

it('is not protected from callers who may not read where it was read, so that they learn nothing', async () => {
  const { organization, owner, shop, inherited } = await readShop();
  const { client } = await createMember(core, organization);
  expect((await owner.patch(shop.url, { access_controlled: true })).status).toBe(200);
  const { body: plan } = await client.post<Plan>('changesets/plan/', { operations: UNSET });

  expect(plan).toMatchObject({ refusals: [], changes: [{ last_read_at: null, last_read_by: null }] });
  expect(await owner.delete(inherited.url)).toMatchObject(RECENT);
  expect((await client.delete(inherited.url)).status).toBe(204);
});

it('an organization without the setting deletes what was read a moment ago', async () => {
  const { owner, inherited } = await readShop(null);

  expect((await owner.delete(inherited.url)).status).toBe(204);
});

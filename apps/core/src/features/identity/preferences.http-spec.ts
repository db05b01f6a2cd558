import { randomUUID } from 'node:crypto';
import { type MatrixView, PREFERENCES_MAX, type Preferences, type Shortcut } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import { createPerson } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const OWN = 'users/current/';
const read = async (client: RawClient) => (await client.get<Preferences>(`${OWN}preferences/`)).body;
const visit = (client: RawClient, id: string) => client.put(`${OWN}recents/${id}/`);
const mark = (client: RawClient, id: string) => client.put(`${OWN}favourites/${id}/`);
const save = (client: RawClient, view: object) => client.put<MatrixView>(`${OWN}views/`, view);
const listNames = (shortcuts: readonly Shortcut[]) => shortcuts.map(({ name }) => name);
const collapse = (client: RawClient, id: string) => client.put(`${OWN}collapsed-environments/${id}/`);
const expand = (client: RawClient, id: string) => client.delete(`${OWN}collapsed-environments/${id}/`);
const NOTHING = { recents: [], favourites: [], views: [], collapsed_environment_ids: [] };

/** Creates a member, a project with a parameter, and an environment. */
async function createShop() {
  const organization = await core.organization();
  const { client, membershipId } = await createPerson(core, organization.id, 'VIEWER');
  const project = await organization.project({ name: 'shop' });
  const parameter = await organization.parameter({ project, name: 'PORT' });
  const environment = await organization.environmentNamed('production');
  return { organization, owner: organization.owner, ada: client, membershipId, project, parameter, environment };
}

describe('recents', () => {
  it('contain projects, environments and parameters, each once, the last one first', async () => {
    const { ada, project, parameter, environment } = await createShop();
    for (const { id } of [project, parameter, environment, project]) expect((await visit(ada, id)).status).toBe(204);

    const { recents, ...others } = await read(ada);

    const common = { project_id: null, project_name: null, at: expect.any(String) };
    expect(recents).toEqual([
      { ...common, id: project.id, type: 'project', name: 'shop' },
      { ...common, id: environment.id, type: 'environment', name: 'production' },
      { ...common, id: parameter.id, type: 'parameter', name: 'PORT', project_id: project.id, project_name: 'shop' },
    ]);
    expect({ ...others, recents: [] }).toEqual(NOTHING);
  });

  it('follow renames, and leave out deleted objects', async () => {
    const { owner, ada, project, parameter } = await createShop();
    for (const { id } of [project, parameter]) await visit(ada, id);

    await owner.patch(project.url, { name: 'store' });
    expect(listNames((await read(ada)).recents)).toEqual(['PORT', 'store']);
    await owner.delete(parameter.url);
    expect(listNames((await read(ada)).recents)).toEqual(['store']);
  });

  it(`are at most ${PREFERENCES_MAX}: a further one replaces the oldest`, async () => {
    const { organization, owner, ada, membershipId, project } = await createShop();
    const names = Array.from({ length: PREFERENCES_MAX - 1 }, (_, index) => `copy-${index}`);
    await owner.post('changesets/', {
      operations: names.map((name) => ({ operation: 'environments_create', body: { name } })),
    });
    await visit(ada, project.id);
    // one statement instead of a request for each
    await query(
      core,
      `insert into preference
       select environment.organization_id, membership.person_id, 'recent', environment.id, environment.id, null, clock_timestamp()
         from environment join membership on membership.organization_id = environment.organization_id and membership.id = $2
        where environment.organization_id = $1 and environment.name like 'copy-%' returning 1`,
      [organization.id, membershipId],
    );
    expect(listNames((await read(ada)).recents)).toHaveLength(PREFERENCES_MAX);
    expect(listNames((await read(ada)).recents).at(-1)).toBe('shop');

    const { id } = await organization.environmentNamed('staging');
    expect((await visit(ada, id)).status).toBe(204);

    const recentNames = listNames((await read(ada)).recents);
    expect([recentNames.length, recentNames[0], recentNames.includes('shop')]).toEqual([
      PREFERENCES_MAX,
      'staging',
      false,
    ]);
  });
});

describe('favourites', () => {
  it('are added and removed, and adding one twice changes nothing', async () => {
    const { ada, project } = await createShop();
    expect((await mark(ada, project.id)).status).toBe(204);
    const before = await read(ada);
    expect((await mark(ada, project.id)).status).toBe(204);

    expect(await read(ada)).toEqual(before);
    expect(listNames(before.favourites)).toEqual(['shop']);
    expect((await ada.delete(`${OWN}favourites/${project.id}/`)).status).toBe(204);
    expect(await read(ada)).toEqual(NOTHING);
    expect((await ada.delete(`${OWN}favourites/${project.id}/`)).status).toBe(404);
  });

  it('create no revision, no audit record and no event', async () => {
    const { owner, ada, project, environment } = await createShop();
    const readRevision = async () => (await owner.get('users/current/')).headers['x-revision'];
    const audit = async () => (await owner.get<{ count: number }>('audit/')).body.count;
    const before = [await readRevision(), await audit()];

    await mark(ada, project.id);
    await visit(ada, project.id);
    await save(ada, { id: randomUUID(), project: project.id, name: 'mine' });
    await collapse(ada, environment.id);

    expect([await readRevision(), await audit()]).toEqual(before);
  });

  it('of objects that do not exist, belong to others or are no id are rejected', async () => {
    const { ada } = await createShop();
    const foreign = await (await core.organization()).project();

    for (const id of [randomUUID(), foreign.id, 'shop']) {
      expect((await mark(ada, id)).status).toBe(404);
      expect((await visit(ada, id)).status).toBe(404);
    }
    expect(await read(ada)).toEqual(NOTHING);
  });
});

describe('a view', () => {
  it('is saved with ids and choices, renamed and deleted', async () => {
    const { ada, project, environment } = await createShop();
    const choices = {
      environment_ids: [environment.id],
      pinned_ids: [environment.id],
      widths: [{ environment_id: environment.id, width: 240 }],
      state: 'missing',
      sorted_by_id: environment.id,
      descending: true,
      grouped: true,
    };
    const id = randomUUID();
    const view = { id, name: 'Live', ...choices };

    expect(await save(ada, { ...view, project: project.url })).toMatchObject({
      status: 200,
      body: { ...view, project_id: project.id },
    });
    await save(ada, { ...view, project: project.id, name: 'Renamed' });

    expect((await read(ada)).views).toEqual([{ ...view, project_id: project.id, name: 'Renamed' }]);
    expect((await ada.delete(`${OWN}views/${id}/`)).status).toBe(204);
    expect((await ada.delete(`${OWN}views/${id}/`)).status).toBe(404);
    expect(await read(ada)).toEqual(NOTHING);
  });

  it('that an earlier release saved is not grouped', async () => {
    const { ada, project } = await createShop();
    const id = randomUUID();
    await save(ada, { id, project: project.id, name: 'mine', grouped: true });
    await query(core, `update preference set choices = choices - 'grouped' where id = $1 returning 1`, [id]);

    expect((await read(ada)).views).toMatchObject([{ id, grouped: false }]);
  });

  it.each([
    ['a search text', { q: 'part of a value' }],
    ['a text instead of an id', { environment_ids: ['part of a value'] }],
    ['an unknown state', { state: 'part of a value' }],
    ['a text as the column to sort by', { sorted_by_id: 'part of a value' }],
  ])('never contains %s', async (_, more) => {
    const { ada, project } = await createShop();

    const saved = await save(ada, { id: randomUUID(), project: project.id, name: 'mine', ...more });

    expect([200, 400]).toContain(saved.status);
    expect(JSON.stringify(await read(ada))).not.toContain('part of a value');
  });

  it.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(129) }],
    ['id', { id: 'mine' }],
    ['project', { project: randomUUID() }],
    ['environment_ids', { environment_ids: Array.from({ length: 201 }, () => randomUUID()) }],
    ['widths', { widths: [{ environment_id: randomUUID(), width: 1_000_000 }] }],
  ])('with an invalid %s is rejected', async (field, more) => {
    const { ada, project } = await createShop();

    expect(await save(ada, { id: randomUUID(), project: project.id, name: 'mine', ...more })).toMatchObject({
      status: 400,
      body: { [field]: [expect.any(String)] },
    });
  });

  it(`is rejected if ${PREFERENCES_MAX} are stored, also by parallel requests`, async () => {
    const { ada, project } = await createShop();
    const id = randomUUID();
    await save(ada, { id, project: project.id, name: 'mine' });
    await query(
      core,
      `insert into preference
       select organization_id, person_id, kind, gen_random_uuid(), object_id, choices, at
         from preference, generate_series(3, $2) where id = $1 returning 1`,
      [id, PREFERENCES_MAX],
    );

    const responses = await Promise.all(
      Array.from({ length: 4 }, () => save(ada, { id: randomUUID(), project: project.id, name: 'mine' })),
    );

    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
    expect(responses.find(({ status }) => status === 400)?.headers['x-error-code']).toBe('too_many_views');
    expect((await read(ada)).views).toHaveLength(PREFERENCES_MAX);
  });
});

describe('a collapsed environment', () => {
  it('is stored until it is expanded or deleted, and collapsing it twice changes nothing', async () => {
    const { organization, owner, ada, environment } = await createShop();
    const staging = await organization.environmentNamed('staging');
    for (const { id } of [environment, staging, environment]) expect((await collapse(ada, id)).status).toBe(204);
    expect((await read(ada)).collapsed_environment_ids).toEqual([staging.id, environment.id]);

    await owner.delete(staging.url);
    expect((await read(ada)).collapsed_environment_ids).toEqual([environment.id]);
    expect((await expand(ada, environment.id)).status).toBe(204);
    expect((await expand(ada, environment.id)).status).toBe(404);
    expect(await read(ada)).toEqual(NOTHING);
  });

  it('is an environment that the member can access', async () => {
    const { owner, ada, project, environment } = await createShop();
    const foreign = await (await core.organization()).environmentNamed('production');
    for (const id of [project.id, foreign.id, randomUUID(), 'production']) {
      expect((await collapse(ada, id)).status).toBe(404);
    }
    await collapse(ada, environment.id);

    await owner.patch(environment.url, { access_controlled: true });

    expect(await read(ada)).toEqual(NOTHING);
    expect((await collapse(ada, environment.id)).status).toBe(404);
  });

  it(`is rejected if ${PREFERENCES_MAX} are stored`, async () => {
    const { organization, ada, membershipId, environment } = await createShop();
    const names = Array.from({ length: PREFERENCES_MAX }, (_, index) => `branch-${index}`);
    await organization.owner.post('changesets/', {
      operations: names.map((name) => ({ operation: 'environments_create', body: { name } })),
    });
    await query(
      core,
      `insert into preference
       select organization_id, membership.person_id, 'collapsed_environment', environment.id, environment.id, null, now()
         from environment join membership using (organization_id)
        where organization_id = $1 and membership.id = $2 and environment.name like 'branch-%' returning 1`,
      [organization.id, membershipId],
    );

    const { status, headers, text } = await collapse(ada, environment.id);

    expect([status, headers['x-error-code']]).toEqual([400, 'too_many_collapsed_environments']);
    expect(text).toContain(`At most ${PREFERENCES_MAX} collapsed environments are stored.`);
  });
});

describe('access', () => {
  it('is limited to the member: no other member, organization or service account reads or changes preferences', async () => {
    const { organization, owner, ada, project, environment } = await createShop();
    const id = randomUUID();
    await mark(ada, project.id);
    await save(ada, { id, project: project.id, name: 'mine' });
    await collapse(ada, environment.id);
    const mine = await read(ada);

    for (const client of [owner, organization.as('ADMIN'), (await core.organization()).owner]) {
      expect(await read(client)).toEqual(NOTHING);
      expect((await client.delete(`${OWN}views/${id}/`)).status).toBe(404);
      expect((await client.delete(`${OWN}favourites/${project.id}/`)).status).toBe(404);
      expect((await expand(client, environment.id)).status).toBe(404);
    }
    await save(owner, { id, project: project.id, name: 'of the owner' });
    expect(await read(ada)).toEqual(mine);
    expect((await new RawClient(core.origin, null).get(`${OWN}preferences/`)).status).toBe(401);
  });

  it('leaves out objects of projects that the member can no longer access, and rejects new ones', async () => {
    const { organization, owner, ada, project, parameter } = await createShop();
    const open = await organization.project({ name: 'open' });
    for (const { id } of [project, parameter, open]) await mark(ada, id);
    await save(ada, { id: randomUUID(), project: project.id, name: 'mine' });

    await owner.patch(project.url, { access_controlled: true });

    const { favourites, views } = await read(ada);
    expect([listNames(favourites), views]).toEqual([['open'], []]);
    for (const { id } of [project, parameter]) expect((await visit(ada, id)).status).toBe(404);
    expect((await save(ada, { id: randomUUID(), project: project.id, name: 'mine' })).status).toBe(400);
  });

  it('ends with the membership, and preferences are deleted', async () => {
    const { owner, ada, membershipId, project } = await createShop();
    await mark(ada, project.id);
    const rows = () => query(core, 'select 1 from preference where object_id = $1', [project.id]);
    expect(await rows()).toHaveLength(1);

    expect((await owner.delete(`memberships/${membershipId}/`)).status).toBe(204);

    expect(await rows()).toEqual([]);
  });
});

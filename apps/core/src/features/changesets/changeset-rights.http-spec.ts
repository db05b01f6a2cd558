import type { Page, RecordedChangeset } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { applyAsClient, readRevision, rename } from '../../testing/changeset-requests.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('permissions of a changeset', () => {
  it('are checked for each operation as for a single request', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'web' });
    const operations = [
      rename(project, 'a'),
      { set: { project: project.id, environment: 'default', values: { A: '1' }, create_missing: true } },
      { operation: 'groups_create', body: { name: 'g', users: [] } },
    ];

    expect(await applyAsClient(organization.as('VIEWER'), operations)).toMatchObject({
      status: 403,
      body: { operations: [0, 1, 2].map((index) => ({ index, status: 403, code: 'forbidden' })) },
    });
    expect(await applyAsClient(organization.as('CONTRIB'), operations)).toMatchObject({
      status: 403,
      body: { operations: [{ index: 2, status: 403 }] },
    });
    expect(await applyAsClient(organization.as('ADMIN'), operations)).toMatchObject({ status: 201 });
  });

  it('protect forbidden scopes, whose contents appear in no response', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'closed' });
    const { body: me } = await organization.owner.get<{ url: string }>('users/current/');
    await organization.owner.post('grants/', { scope: project.url, principal: me.url, role: 'OWNER' });
    const contrib = organization.as('CONTRIB');
    const { body: mine } = await applyAsClient(
      organization.owner,
      [{ set: { project: 'closed', environment: 'default', values: { A: '1' }, create_missing: true } }],
      { message: 'hush' },
    );

    const response = await applyAsClient(contrib, [
      { set: { project: 'closed', environment: 'default', values: { A: '2' } } },
      { operation: 'projects_parameters_create', path: { project_pk: project.id }, body: { name: 'B' } },
    ]);
    expect(response).toMatchObject({ status: 403, body: { operations: [{ status: 403 }, { status: 403 }] } });
    const { body: seen } = await contrib.get<RecordedChangeset>(mine.url ?? '');
    expect(seen).toMatchObject({
      revision: mine.revision,
      actor_id: null,
      message: null,
      change_count: 0,
      changes: [],
    });
    expect((await contrib.get<Page<RecordedChangeset>>('changesets/?q=hush')).body.count).toBe(0);
    expect((await contrib.get<Page<RecordedChangeset>>(`changesets/?project=${project.id}`)).body.count).toBe(0);
    const there = `changesets/?environment=default&project=${project.id}`;
    expect((await contrib.get<Page<RecordedChangeset>>(there)).body.count).toBe(0);
    expect((await organization.owner.get<Page<RecordedChangeset>>(there)).body.count).toBe(1);
    expect((await organization.owner.get<Page<RecordedChangeset>>('changesets/?q=HUSH')).body.count).toBe(1);
  });

  it('are the ones that hold after the previous operation', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'web' });
    const { body: me } = await organization.as('CONTRIB').get<{ url: string }>('users/current/');
    const grant = (principal: string, role: string) => ({
      operation: 'grants_create',
      body: { scope: project.id, principal, role },
    });
    const { body: owner } = await organization.owner.get<{ url: string }>('users/current/');
    await applyAsClient(organization.owner, [grant(owner.url, 'OWNER'), grant(me.url, 'OWNER')]);

    const contrib = organization.as('CONTRIB');
    const { body: grants } = await contrib.get<Page<{ id: string; role: string; principal: string }>>('grants/');
    const ownGrant = grants.results.find(({ principal }) => principal === me.url);
    const response = await applyAsClient(contrib, [
      { operation: 'grants_destroy', path: { id: ownGrant?.id ?? '' } },
      rename(project, 'mine'),
    ]);
    expect(response).toMatchObject({ status: 403, body: { operations: [{ index: 1, status: 403 }] } });
  });

  it('never allow access to objects of another organization', async () => {
    const [organization, otherOrganization] = [await core.organization(), await core.organization()];
    const theirs = await otherOrganization.project({ name: 'theirs' });
    const before = await readRevision(otherOrganization.owner);
    const { body: changesets } = await otherOrganization.owner.get<Page<RecordedChangeset>>('changesets/');

    const response = await applyAsClient(organization.owner, [
      rename(theirs, 'mine'),
      { set: { project: theirs.id, environment: 'default', values: { A: '1' }, create_missing: true } },
      { operation: 'projects_create', body: { name: 'x', depends_on: theirs.url } },
    ]);
    expect(response).toMatchObject({ body: { operations: [{ status: 404 }, { status: 404 }, { status: 400 }] } });
    expect(await readRevision(otherOrganization.owner)).toBe(before);
    expect((await organization.owner.get<Page<RecordedChangeset>>('changesets/?project=theirs')).body.count).toBe(0);
    expect((await organization.owner.get('changesets/999999/')).status).toBe(404);
    expect(changesets.results[0]).toMatchObject({ revision: before });
  });

  it('require a credential', async () => {
    const response = await fetch(`${core.origin}/api/v1/changesets/`, { method: 'POST' });
    expect(response.status).toBe(401);
  });
});

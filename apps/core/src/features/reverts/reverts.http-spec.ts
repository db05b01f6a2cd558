import type {
  Effective,
  Page,
  Parameter,
  Project,
  RecordedChangeset,
  Reverted,
  Template,
  Value,
} from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { controlledProject } from '../../testing/members.ts';
import { applyChanges, latestRevision, listConflicts, revertChanges, set } from '../../testing/reverts.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const WEB = { operation: 'projects_create', as: 'web', body: { name: 'web' } };
const readProject = async ({ owner }: TestOrganization) =>
  (await owner.get<Page<Project>>('projects/?name=web')).body.results[0] as Project;
const readTexts = async (organization: TestOrganization, environment = 'default') => {
  const { url } = await readProject(organization);
  return (await organization.owner.get<Effective>(`${url}effective/?environment=${environment}`)).body.values;
};
const revertTo = ({ owner }: TestOrganization, to: object, scope: object, more: object = {}) =>
  owner.post<Reverted>('revert/', { to, scope, ...more });

describe('reverting a changeset', () => {
  it('creates a changeset with a message, which can be reverted', async () => {
    const organization = await core.organization();
    await applyChanges(organization, [WEB, set({ $ref: 'web' } as never, { A: '1' })]);
    const { revision } = await applyChanges(organization, [set('web', { A: '2' })], { message: 'two' });

    const back = await revertChanges(organization.owner, revision, { external_ref: 'OPS-7' });
    expect(back).toMatchObject({
      status: 201,
      body: { revision: revision + 1, message: `Revert of revision ${revision}: two`, external_ref: 'OPS-7' },
    });
    expect(back.headers.location).toBe(back.body.url);
    expect((await organization.owner.get<RecordedChangeset>(`changesets/${revision + 1}/`)).body).toMatchObject({
      message: back.body.message,
      changes: [{ action: 'update', object_type: 'Value', object_name: 'A' }],
    });
    expect(await readTexts(organization)).toEqual({ A: '1' });
    expect((await revertChanges(organization.owner, revision + 1, { message: 'two again' })).body.message).toBe(
      'two again',
    );
    expect(await readTexts(organization)).toEqual({ A: '2' });
  });

  it('creates no revision if no object differs', async () => {
    const organization = await core.organization();
    await applyChanges(organization, [WEB, set({ $ref: 'web' } as never, { A: '1' })]);
    const { revision } = await applyChanges(organization, [set('web', { A: '2' })]);
    await applyChanges(organization, [set('web', { A: '1' })]);
    const back = await revertChanges(organization.owner, revision);
    expect(back).toMatchObject({ status: 201, body: { url: null, revision: revision + 1, change_count: 0 } });
  });

  it('is possible for single writes, too, and runs once per Idempotency-Key', async () => {
    const organization = await core.organization();
    const value = await organization.value({ internal_value: 'one' });
    await organization.owner.patch(value.url, { internal_value: 'two' });
    const revision = await latestRevision(organization);
    const twice = () =>
      organization.owner.send<Reverted>('POST', `changesets/${revision}/revert/`, {
        body: {},
        headers: { 'idempotency-key': `back-${revision}` },
      });
    const [first, second] = [await twice(), await twice()];
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
    expect(await latestRevision(organization)).toBe(revision + 1);
    expect((await organization.owner.get<Value>(value.url)).body.value).toBe('one');
  });

  it('lists what it does not restore, with the reason', async () => {
    const organization = await core.organization();
    const { revision } = await applyChanges(organization, [
      WEB,
      { operation: 'groups_create', body: { name: 'team', users: [] } },
      {
        operation: 'environments_tags_create',
        path: { environment_pk: (await organization.environmentNamed('default')).id },
        body: { name: 'v1' },
      },
    ]);
    const { body, status } = await revertChanges(organization.owner, revision);
    expect([status, body.change_count]).toEqual([201, 1]);
    expect(body.not_revertible.map(({ object_type: type, object_name: name }) => `${type} ${name}`)).toEqual([
      'Group team',
      'Tag v1',
    ]);
    for (const { reason } of body.not_revertible) expect(reason).toMatch(/\.$/);
  });

  it('returns 404 for an unknown revision and one of another organization', async () => {
    const [organization, otherOrganization] = [await core.organization(), await core.organization()];
    for (let index = 0; index < 3; index += 1) await organization.project();
    const revision = await latestRevision(organization);
    expect(await latestRevision(otherOrganization)).toBeLessThan(revision);
    for (const path of [`changesets/${revision}/revert/`, 'changesets/999999/revert/', 'changesets/x/revert/']) {
      expect([path, (await otherOrganization.owner.post(path, {})).status]).toEqual([path, 404]);
    }
    expect((await revertTo(otherOrganization, { revision }, { project: 'MyFirstProject' })).status).toBe(404);
    const project = await organization.project();
    expect((await revertTo(otherOrganization, { revision: 1 }, { project: project.id })).status).toBe(404);
  });

  it('requires the permissions of the single writes, and reveals nothing about forbidden scopes', async () => {
    const organization = await core.organization();
    const closed = await controlledProject(organization);
    await applyChanges(organization, [WEB]);
    const { revision } = await applyChanges(organization, [set('web', { A: '1' }), set(closed.name, { HIDDEN: '1' })]);

    const reader = await revertChanges(organization.as('VIEWER'), revision);
    expect([reader.status, reader.headers['x-error-code']]).toEqual([403, 'forbidden']);
    const contributor = organization.as('CONTRIB');
    const back = await revertChanges(contributor, revision);
    expect([back.status, back.body.change_count, listConflicts(back)]).toEqual([201, 2, []]);
    for (const hidden of ['HIDDEN', closed.id, closed.name]) expect(back.text).not.toContain(hidden);
    expect(await readTexts(organization)).toEqual({});
    expect((await contributor.post('revert/', { to: { revision: 1 }, scope: { project: closed.id } })).status).toBe(
      403,
    );
  });

  it.each([
    ['changesets/1/revert/', { operations: [] }],
    ['changesets/1/revert/', { on_conflict: 'maybe' }],
    ['changesets/1/revert/', { dry_run: true }],
    ['revert/', { to: { revision: 1 } }],
    ['revert/', { to: { revision: 1 }, scope: {} }],
    ['revert/', { to: { revision: 1 }, scope: { project: 'a', value: 'b' } }],
    ['revert/', { to: { revision: 1, tag: 'v1' }, scope: { project: 'a' } }],
    ['revert/', { to: { as_of: 'yesterday' }, scope: { project: 'a' } }],
  ])('%s rejects %j', async (path, body) => {
    const organization = await core.organization();
    expect((await organization.owner.post(path, body)).status).toBe(400);
  });
});

describe('an earlier state', () => {
  async function history(organization: TestOrganization) {
    await applyChanges(organization, [WEB, set({ $ref: 'web' } as never, { A: '1', B: '1' })]);
    const { url } = await readProject(organization);
    await organization.owner.post<Template>(`${url}templates/`, { name: 'page', body: 'A is {{ A }}' });
    const environment = await organization.environmentNamed('production');
    await organization.owner.post(`${environment.url}tags/`, { name: 'v1' });
    const revision = await latestRevision(organization);
    const at = (await organization.owner.get<RecordedChangeset>(`changesets/${revision}/`)).body.at;
    const parameter = (await organization.owner.get<Page<Parameter>>(`${url}parameters/?name=A`)).body
      .results[0] as Parameter;
    const value = (await organization.owner.get<Page<Value>>(`${parameter.url}values/`)).body.results[0] as Value;
    await applyChanges(organization, [
      set('web', { A: '2', C: '2' }),
      set('web', { A: '3' }, 'production'),
      { unset: { project: 'web', environment: 'default', names: ['B'] } },
    ]);
    return { revision, at, parameter, value, environment };
  }

  it('can be restored for a project by revision, time or tag', async () => {
    for (const pointInTime of ['revision', 'as_of', 'tag'] as const) {
      const organization = await core.organization();
      const { revision, at } = await history(organization);
      const to = { revision: { revision }, as_of: { as_of: at }, tag: { tag: 'v1', environment: 'production' } }[
        pointInTime
      ];
      const back = await revertTo(organization, to, { project: 'web' });
      expect([pointInTime, back.status, back.status === 201 ? '' : back.text]).toEqual([pointInTime, 201, '']);
      expect([await readTexts(organization), await readTexts(organization, 'production')]).toEqual([
        { A: '1', B: '1' },
        { A: '1', B: '1' },
      ]);
      expect(back.body.message).toBe(`Revert of project web to revision ${revision}`);
    }
  });

  it('can be restored for an environment, a parameter or a value', async () => {
    const organization = await core.organization();
    const { revision, parameter, value } = await history(organization);
    const to = { revision };
    expect((await revertTo(organization, to, { value: value.id })).body.change_count).toBe(1);
    expect([await readTexts(organization), await readTexts(organization, 'production')]).toEqual([
      { A: '1', C: '2' },
      { A: '3', C: '2' },
    ]);
    expect((await revertTo(organization, to, { parameter: parameter.url })).body.change_count).toBe(1);
    expect(await readTexts(organization, 'production')).toEqual({ A: '1', C: '2' });
    expect((await revertTo(organization, to, { environment: 'default' })).body.change_count).toBe(2);
    expect(await readTexts(organization)).toEqual({ A: '1', B: '1' });
  });

  it('can be restored after a deletion, by id or earlier name', async () => {
    const organization = await core.organization();
    const { revision } = await history(organization);
    const { url, id } = await readProject(organization);
    await organization.owner.delete(url);
    expect((await revertTo(organization, { revision }, { project: 'web' })).status).toBe(201);
    expect((await readProject(organization)).id).toBe(id);
    expect(await readTexts(organization)).toEqual({ A: '1', B: '1' });
    const templates = (await organization.owner.get<Page<Template>>(`${url}templates/`)).body.results;
    expect(templates).toMatchObject([{ name: 'page' }]);
  });

  it('is a deletion if the object did not exist at that time, unless another object needs it', async () => {
    const organization = await core.organization();
    const before = await latestRevision(organization);
    await applyChanges(organization, [WEB, set({ $ref: 'web' } as never, { A: '1' })]);
    const { id, url } = await readProject(organization);
    await organization.project({ depends_on: url });
    const response = await revertTo(organization, { revision: before }, { project: id });
    expect([response.status, listConflicts(response)]).toEqual([409, ['Project web: made_below']]);
  });
});

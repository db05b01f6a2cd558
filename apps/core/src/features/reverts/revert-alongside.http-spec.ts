import type { Environment, Grant, Page, Plan, Project, Reverted, Tag } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { createMember } from '../../testing/members.ts';
import { applyChanges, latestRevision, listConflicts, revertChanges, set } from '../../testing/reverts.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const CANARY = { operation: 'environments_create', as: 'canary', body: { name: 'canary' } };
const TAG = {
  operation: 'environments_tags_create',
  path: { environment_pk: { $ref: 'canary' } },
  body: { name: 'v1' },
};

const all = async <T>({ owner }: TestOrganization, path: string) => (await owner.get<Page<T>>(path)).body.results;
const namesIn = async (organization: TestOrganization, path: string) =>
  (await all<{ name: string }>(organization, path)).map(({ name }) => name);
const done = ({ changes }: Pick<Reverted, 'changes'> | Pick<Plan, 'changes'>) =>
  changes.map(({ action, object_type: type, object_name: name }) => `${action} ${type} ${name}`).sort();
const left = ({ not_revertible: rows = [] }: Pick<Reverted, 'not_revertible'> | Plan) =>
  rows.map(({ action, object_type: type, object_name: name }) => `${action} ${type} ${name}`);

describe('objects of a changeset that cannot be reverted on their own', () => {
  it('are deleted with their environment, as the plan reports', async () => {
    const organization = await core.organization();
    const { revision } = await applyChanges(organization, [CANARY, TAG]);
    const plan = await organization.owner.post<Plan>(`changesets/${revision}/revert/plan/`, {});
    expect([plan.body.refusals, done(plan.body), left(plan.body)]).toEqual([
      [],
      ['delete Environment canary', 'delete Tag v1'],
      [],
    ]);
    const { plan_hash } = plan.body;
    const back = await revertChanges(organization.owner, revision, { plan_hash });
    expect([back.status, done(back.body), left(back.body)]).toEqual([201, done(plan.body), []]);
    expect(await namesIn(organization, 'environments/')).not.toContain('canary');

    const repeatedResponse = await revertChanges(organization.owner, back.body.revision);
    expect([repeatedResponse.status, done(repeatedResponse.body), left(repeatedResponse.body)]).toEqual([
      201,
      ['create Environment canary'],
      ['delete Tag v1'],
    ]);
  });

  it('are deleted with their project if they are grants; groups and webhooks remain and are reported', async () => {
    const organization = await core.organization();
    const { url } = await createMember(core, organization);
    const { revision } = await applyChanges(organization, [
      CANARY,
      TAG,
      { operation: 'projects_create', as: 'web', body: { name: 'web' } },
      { operation: 'projects_partial_update', path: { id: { $ref: 'web' } }, body: { access_controlled: true } },
      { operation: 'groups_create', as: 'team', body: { name: 'team', users: [url] } },
      { operation: 'environments_partial_update', path: { id: { $ref: 'canary' } }, body: { access_controlled: true } },
      ...['web', 'canary'].map((scope) => ({
        operation: 'grants_create',
        body: { principal: { $ref: 'team' }, scope: { $ref: scope }, role: 'VIEWER' },
      })),
      set({ $ref: 'web' } as never, { A: '1', TOKEN: { value: 's', secret: true } }),
      {
        operation: 'webhooks_create',
        body: {
          name: 'hook',
          event_types: ['value_updated'],
          type: 'slack',
          configuration: { token: 'xoxb-1234567890', channel: '#changes', username: 'strata' },
        },
      },
    ]);
    const plan = await organization.owner.post<Plan>(`changesets/${revision}/revert/plan/`, {});
    expect([plan.body.refusals, left(plan.body).sort()]).toEqual([[], ['create Group team', 'create Webhook hook']]);
    const back = await revertChanges(organization.owner, revision);
    expect([back.status, left(back.body).sort()]).toEqual([201, ['create Group team', 'create Webhook hook']]);
    expect(done(back.body).filter((entry) => entry.includes('Grant')).length).toBeGreaterThan(2);
    expect(await namesIn(organization, 'projects/?name=web')).toEqual([]);
    expect(await namesIn(organization, 'groups/')).toEqual(['team']);
    expect(await all<Grant>(organization, 'grants/')).toEqual([]);
  });

  it('prevent the deletion of their environment if they have changed since', async () => {
    const organization = await core.organization();
    const { revision } = await applyChanges(organization, [CANARY, TAG]);
    const { url } = await organization.environmentNamed('canary');
    const [tag] = await all<Tag>(organization, `${url}tags/`);
    await organization.owner.patch(tag?.url ?? '', { description: 'the release that is rolled out' });
    for (const on_conflict of ['abort', 'overwrite']) {
      const response = await revertChanges(organization.owner, revision, { on_conflict });
      expect([response.status, listConflicts(response)]).toEqual([409, ['Environment canary: made_below']]);
      expect(response.body).toMatchObject({ conflicts: [{ detail: expect.stringContaining('tag v1 of canary') }] });
    }
  });

  it('prevent the deletion of their environment if the operation that created them is not reverted', async () => {
    const organization = await core.organization();
    await applyChanges(organization, [{ operation: 'projects_create', body: { name: 'web' } }]);
    const { revision } = await applyChanges(organization, [
      CANARY,
      TAG,
      set('web', { A: '1' }),
      { set: { project: 'web', environment: { $ref: 'canary' }, values: { A: '2' } } },
    ]);
    const response = await revertChanges(organization.owner, revision, { operations: [0, 3] });
    expect([response.status, listConflicts(response)]).toEqual([409, ['Environment canary: needs_skipped']]);
    expect(response.body).toMatchObject({
      conflicts: [{ detail: expect.stringMatching(/tag v1 .* Revert that as well/) }],
    });
    const values = await revertChanges(organization.owner, revision, { operations: [0, 1] });
    expect([values.status, listConflicts(values)]).toEqual([409, ['Environment canary: needs_skipped']]);
    expect((await revertChanges(organization.owner, revision, { operations: [0, 1, 3] })).status).toBe(201);
  });
});

describe('a scope that is reverted to an earlier state', () => {
  it('is deleted with its tags if it did not exist then', async () => {
    const organization = await core.organization();
    const before = await latestRevision(organization);
    const canary = (await organization.owner.post<Environment>('environments/', { name: 'canary' })).body;
    await organization.owner.post(`${canary.url}tags/`, { name: 'v1' });
    const body = { to: { revision: before }, scope: { environment: 'canary' } };
    const plan = await organization.owner.post<Plan>('revert/plan/', body);
    expect([plan.body.refusals, done(plan.body)]).toEqual([[], ['delete Environment canary', 'delete Tag v1']]);
    expect((await organization.owner.post<Reverted>('revert/', body)).status).toBe(201);
  });

  it('cannot be reverted to a time before the organization, or to a number that may be a year', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project({ name: 'web' });
    await owner.post(`${(await organization.environmentNamed('default')).url}tags/`, {
      name: 'long-ago',
      timestamp: '1999-12-31T00:00:00Z',
    });
    const latest = await latestRevision(organization);
    for (const [to, code, field, message] of [
      [{ as_of: '1999-01-01' }, 'before_first_revision', 'to', /first revision/],
      [{ revision: 0 }, 'before_first_revision', 'to', /first revision/],
      [{ tag: 'long-ago', environment: 'default' }, 'before_first_revision', 'to', /first revision/],
      [{ as_of: '1999' }, 'invalid', 'to', /year or a revision/],
      [{ as_of: 1999 }, 'invalid', 'to', /year or a revision/],
    ] as const) {
      for (const path of ['revert/', 'revert/plan/']) {
        const response = await owner.post(path, { to, scope: { project: 'web' } });
        expect([to, response.status, response.headers['x-error-code']]).toEqual([to, 400, code]);
        expect(response.body).toEqual({ [field]: [expect.stringMatching(message)] });
      }
    }
    expect([(await owner.get<Project>(project.url)).status, await latestRevision(organization)]).toEqual([200, latest]);
  });
});

import type { Effective, Page, Parameter, Plan, Project, Reverted } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { applyChanges, latestRevision, listConflicts, revertChanges, set } from '../../testing/reverts.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const WEB = { operation: 'projects_create', as: 'web', body: { name: 'web' } };

/** Creates a project whose value was changed in production, from which canary inherits. */
async function createChange(organization: TestOrganization) {
  await applyChanges(organization, [
    WEB,
    set({ $ref: 'web' } as never, { A: '1', TOKEN: { value: 'old', secret: true } }, 'production'),
  ]);
  const { revision } = await applyChanges(organization, [set('web', { A: '2', TOKEN: 'new' }, 'production')]);
  const { url } = (await organization.owner.get<Page<Project>>('projects/?name=web')).body.results[0] as Project;
  const readTexts = async () =>
    (await organization.owner.get<Effective>(`${url}effective/?environment=production&mask_secrets=false`)).body.values;
  return { revision, shown: readTexts };
}

const planRevert = ({ owner }: TestOrganization, revision: number, body: object = {}) =>
  owner.post<Plan>(`changesets/${revision}/revert/plan/`, body);
const cells = ({ effective_changes: changes }: Plan) =>
  changes.map(({ environment_name: environment, parameter_name: name, before, after }) => [
    environment,
    name,
    before,
    after,
  ]);

describe('a plan of a revert', () => {
  it('contains the effective values and writes nothing', async () => {
    const organization = await core.organization();
    const { revision, shown } = await createChange(organization);
    const plan = await planRevert(organization, revision);

    expect(plan.status).toBe(200);
    expect(cells(plan.body)).toEqual(
      expect.arrayContaining([
        ['production', 'A', '2', '1'],
        ['production', 'TOKEN', '*****', '*****'],
      ]),
    );
    expect(plan.text).not.toMatch(/"(old|new)"/);
    expect(await latestRevision(organization)).toBe(revision);
    expect(await shown()).toEqual({ A: '2', TOKEN: 'new' });
    const text = await organization.owner.post(`changesets/${revision}/revert/plan/`, {}, { accept: 'text/plain' });
    expect([text.status, text.headers['content-type'], text.text.length > 0]).toEqual([
      200,
      'text/plain; charset=utf-8',
      true,
    ]);
  });

  it('can be applied with its hash, unless its objects have changed', async () => {
    const organization = await core.organization();
    const { revision, shown } = await createChange(organization);
    const { plan_hash } = (await planRevert(organization, revision)).body;
    await applyChanges(organization, [{ operation: 'projects_create', body: { name: 'elsewhere' } }]);

    const back = await revertChanges(organization.owner, revision, { plan_hash });
    expect([back.status, back.status === 201 ? '' : back.text]).toEqual([201, '']);
    expect(await shown()).toEqual({ A: '1', TOKEN: 'old' });

    const secondPlan = (await planRevert(organization, back.body.revision)).body;
    await applyChanges(organization, [set('web', { A: '9' }, 'production')]);
    const outdated = await revertChanges(organization.owner, back.body.revision, {
      plan_hash: secondPlan.plan_hash,
      plan: secondPlan,
    });
    expect([outdated.status, outdated.headers['x-error-code']]).toEqual([412, 'plan_outdated']);
    expect(await shown()).toEqual({ A: '9', TOKEN: 'old' });
  });

  it('lists conflicts among its rejected operations', async () => {
    const organization = await core.organization();
    const { revision } = await createChange(organization);
    await applyChanges(organization, [set('web', { A: '3' }, 'production')]);
    const plan = await planRevert(organization, revision);
    expect(plan).toMatchObject({
      status: 200,
      body: {
        effective_changes: [],
        refusals: [
          {
            index: 0,
            status: 409,
            code: 'revert_conflicts',
            error: { conflicts: [{ object_name: 'A', code: 'changed_since' }] },
          },
        ],
      },
    });
    const skipping = await planRevert(organization, revision, { on_conflict: 'skip' });
    expect([skipping.body.refusals, cells(skipping.body).filter(([where]) => where === 'production')]).toEqual([
      [],
      [['production', 'TOKEN', '*****', '*****']],
    ]);
  });

  it('lists what it does not restore, and becomes outdated when that changes', async () => {
    const organization = await core.organization();
    await applyChanges(organization, [WEB, set({ $ref: 'web' } as never, { A: '1', B: '1' })]);
    const { revision } = await applyChanges(organization, [
      set('web', { A: '2', B: '2' }),
      { operation: 'groups_create', body: { name: 'team', users: [] } },
    ]);
    await applyChanges(organization, [set('web', { A: '3' })]);
    const plan = (await planRevert(organization, revision, { on_conflict: 'skip' })).body;
    expect(plan).toMatchObject({
      refusals: [],
      totals: { conflicts: 1, not_revertible: 1 },
      conflicts: [{ object_type: 'Value', object_name: 'A', code: 'changed_since' }],
      not_revertible: [{ object_type: 'Group', object_name: 'team' }],
    });
    const text = await organization.owner.post(
      `changesets/${revision}/revert/plan/`,
      { on_conflict: 'skip' },
      { accept: 'text/plain' },
    );
    expect(text.text).toMatch(/^Not restored: 1\n {2}Value A in web \/ default: changed_since "/m);
    expect(text.text).toMatch(/^Not revertible: 1\n {2}create Group team: "/m);

    await applyChanges(organization, [set('web', { B: '3' })]);
    const outdated = await revertChanges(organization.owner, revision, {
      on_conflict: 'skip',
      plan_hash: plan.plan_hash,
      plan,
    });
    expect([outdated.status, outdated.body]).toMatchObject([
      412,
      {
        difference: {
          parts: expect.arrayContaining(['conflicts']),
          conflicts: { new: [{ object_name: 'B', code: 'changed_since' }], gone: [], other: [] },
          not_revertible: { new: [], gone: [], other: [] },
        },
      },
    ]);
    const { plan_hash } = (await planRevert(organization, revision, { on_conflict: 'skip' })).body;
    const left = await revertChanges(organization.owner, revision, { on_conflict: 'skip', plan_hash });
    expect([left.body.change_count, left.body.conflicts.map(({ object_name: name }) => name)]).toEqual([0, ['A', 'B']]);
  });

  it.each(['abort', 'skip'])(
    'is rejected with the conflict if a secret is invalid today, because no plan shows that (on_conflict: %s)',
    async (policy) => {
      const organization = await core.organization();
      const { revision } = await createChange(organization);
      const { body } = await organization.owner.get<Page<Project>>('projects/?name=web');
      const [{ url } = { url: '' }] = body.results;
      const { body: parameters } = await organization.owner.get<Page<Parameter>>(`${url}parameters/?name=TOKEN`);
      const rules = `${parameters.results[0]?.url}rules/`;
      expect((await organization.owner.post(rules, { type: 'regex', constraint: 'new' })).status).toBe(201);
      const plan = await planRevert(organization, revision, { on_conflict: policy });
      expect([plan.status, plan.body.refusals]).toEqual([200, []]);

      const byHash = { on_conflict: policy, plan_hash: plan.body.plan_hash };
      const response = await revertChanges(organization.owner, revision, byHash);
      expect([response.status, response.headers['x-error-code']]).toEqual([409, 'revert_conflicts']);
      expect(listConflicts(response)).toEqual(['Value TOKEN: rule_violation']);
    },
  );

  it('is also available for scopes', async () => {
    const organization = await core.organization();
    const { revision, shown } = await createChange(organization);
    const body = { to: { revision: revision - 1 }, scope: { project: 'web' } };
    const plan = await organization.owner.post<Plan>('revert/plan/', body);
    expect([plan.status, cells(plan.body).length]).toEqual([200, 2]);
    const back = await organization.owner.post<Reverted>('revert/', { ...body, plan_hash: plan.body.plan_hash });
    expect([back.status, back.status === 201 ? '' : back.text]).toEqual([201, '']);
    expect(await shown()).toEqual({ A: '1', TOKEN: 'old' });
  });
});

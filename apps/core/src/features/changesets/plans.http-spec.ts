import { type RunningCore, sharedCore } from '@strata/testkit';

interface Planned {
  readonly base_revision: number;
  readonly plan_hash: string;
  readonly totals: Record<string, number>;
  readonly effective_changes: readonly {
    project_name: string;
    environment_name: string;
    parameter_name: string;
    before: string | null;
    after: string | null;
    masked: boolean;
  }[];
  readonly refusals: readonly { index: number; code: string }[];
}

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const set = (project: string, environment: string, values: object, more: object = {}) => ({
  set: { project, environment, values, create_missing: true, ...more },
});

it('tells what would be read differently, inherited values included, and is applied by its hash', async () => {
  const organization = await core.organization();
  const { owner } = organization;
  await organization.project({ name: 'web' });
  const operations = [set('web', 'default', { HOST: 'a' }), set('web', 'production', { HOST: 'b' })];

  const plan = await owner.post<Planned>('changesets/plan/', { operations });

  expect({ status: plan.status, body: plan.body }).toMatchObject({
    status: 200,
    body: { totals: { effective_changes: 4, refusals: 0, uncovered: 0 } },
  });
  expect(plan.body.effective_changes.map((change) => [change.environment_name, change.before, change.after])).toEqual([
    ['default', null, 'a'],
    ['development', null, 'a'],
    ['production', null, 'b'],
    ['staging', null, 'a'],
  ]);
  const applied = await owner.post('changesets/', { operations, plan_hash: plan.body.plan_hash });
  expect({ status: applied.status, body: applied.body }).toMatchObject({ status: 201 });
  const again = await owner.post('changesets/', { operations, plan_hash: plan.body.plan_hash, plan: plan.body });
  expect({ status: again.status, body: again.body }).toMatchObject({ status: 412 });
});

import type { Effective, Plan } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { applyChanges, revertChanges, set } from '../../testing/reverts.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

it('a revert restores a large project of up to 20,000 objects as planned', async () => {
  const organization = await core.organization();
  const texts = (from: number) =>
    Object.fromEntries(Array.from({ length: 4_500 }, (_, index) => [`N${from + index}`, `text ${index}`]));
  const { id, url } = await organization.project({ name: 'large' });
  const digest = async () =>
    (await organization.owner.get<Effective>(`${url}effective/?environment=default`)).body.digest;
  const destroy = () => applyChanges(organization, [{ operation: 'projects_destroy', path: { id } }]);
  await applyChanges(organization, [set('large', texts(0))]);
  await applyChanges(organization, [set('large', texts(4_500))]);
  const before = await digest();

  const { revision } = await destroy();
  const plan = await organization.owner.post<Plan>(`changesets/${revision}/revert/plan/`, {});
  expect([plan.status, plan.status === 200 ? '' : plan.text]).toEqual([200, '']);
  expect([plan.body.totals.changes, plan.body.changes.length]).toEqual([18_001, 1_000]);
  const back = await revertChanges(organization.owner, revision, { plan_hash: plan.body.plan_hash });
  expect([back.status, back.body.change_count, back.body.changes.length]).toEqual([201, 18_001, 1_000]);
  expect(await digest()).toBe(before);

  await applyChanges(organization, [set('large', texts(9_000))]);
  const response = await revertChanges(organization.owner, (await destroy()).revision);
  expect([response.status, response.headers['x-error-code']]).toEqual([422, 'too_much_to_revert']);
});

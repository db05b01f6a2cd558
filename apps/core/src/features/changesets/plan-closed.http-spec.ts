import type { Plan } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { grant, member } from '../../testing/members.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const set = (project: string, environment: string, values: object) => ({
  set: { project, environment, values, create_missing: true },
});

it('says the same whatever lies in closed projects and environments below, and counts those', async () => {
  const organization = await core.organization();
  const base = await organization.project({ name: 'base' });
  const closed = await organization.project({ name: 'closed', depends_on: base.url });
  const inside = await organization.parameter({ project: closed, name: 'INSIDE' });
  await organization.owner.patch(closed.url, { access_controlled: true });
  const production = await organization.environmentNamed('production');
  await organization.owner.patch(production.url, { access_controlled: true });
  const { client } = await member(core, organization);
  const asked = async () =>
    (await client.post<Plan>('changesets/plan/', { operations: [set('base', 'default', { A: '1' })] })).body;

  const before = await asked();
  await organization.value({ parameter: inside, internal_value: '{{ A }}', interpolated: true }).catch(() => undefined);
  await organization.owner.post('changesets/', {
    operations: [set('closed', 'default', { A: 'hides it' }), set('closed', 'staging', { OTHER: 'x' })],
  });
  const after = await asked();

  expect(before.effective_changes.map((each) => `${each.project_name}/${each.environment_name}`)).toEqual([
    'base/default',
    'base/development',
    'base/staging',
  ]);
  expect(before.totals).toMatchObject({ closed_projects: 1 });
  expect({ ...after, base_revision: before.base_revision }).toEqual(before);
});

it('a closed project that is named is refused as it would be, and nothing is told of it', async () => {
  const organization = await core.organization();
  const project = await organization.project({ name: 'closed' });
  const parameter = await organization.parameter({ project, name: 'A' });
  await organization.owner.patch(project.url, { access_controlled: true });
  const { client } = await member(core, organization);
  const gone = '01234567-89ab-4cde-8f01-23456789abcd';
  const rename = (id: string) => ({
    operation: 'projects_parameters_partial_update',
    path: { project_pk: project.id, id },
    body: { name: 'B' },
  });

  const plans = await Promise.all(
    [parameter.id, gone].map(
      async (id) => (await client.post<Plan>('changesets/plan/', { operations: [rename(id)] })).body,
    ),
  );

  expect(plans.map(({ refusals }) => refusals[0]?.status)).toEqual([403, 403]);
  expect(plans.map(({ objects, effective_changes: changes, totals }) => [objects, changes, totals])).toEqual([
    [[], [], plans[0]?.totals],
    [[], [], plans[0]?.totals],
  ]);
});

it('shows no more than could be read before it, whatever access it gives', async () => {
  const organization = await core.organization();
  const project = await organization.project({ name: 'shared' });
  const inside = await organization.parameter({ project, name: 'INSIDE' });
  await organization.value({ parameter: inside, internal_value: 'not to be told' });
  await organization.owner.patch(project.url, { access_controlled: true });
  const reader = await member(core, organization);
  await grant(organization, reader.url, project.url, 'CONTRIB');
  const { body: seen } = await reader.client.post<Plan>('changesets/plan/', {
    operations: [set('shared', 'default', { INSIDE: 'x' })],
  });
  expect(seen.effective_changes[0]).toMatchObject({ before: 'not to be told', after: 'x' });

  const other = await member(core, organization);
  const { text } = await other.client.post<Plan>('changesets/plan/', {
    operations: [
      { operation: 'grants_create', body: { scope: project.url, principal: other.url, role: 'OWNER' } },
      set('shared', 'default', { INSIDE: 'x' }),
    ],
  });
  expect(text).not.toContain('not to be told');
});

import type { Plan } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { createGrant, createMember } from '../../testing/members.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const set = (project: string, environment: string, values: object) => ({
  set: { project, environment, values, create_missing: true },
});

it('a plan is the same for any contents of forbidden projects and descendant environments, and counts these', async () => {
  const organization = await core.organization();
  const base = await organization.project({ name: 'base' });
  const closed = await organization.project({ name: 'closed', depends_on: base.url });
  const inside = await organization.parameter({ project: closed, name: 'INSIDE' });
  await organization.owner.patch(closed.url, { access_controlled: true });
  const production = await organization.environmentNamed('production');
  await organization.owner.patch(production.url, { access_controlled: true });
  const { client } = await createMember(core, organization);
  const requestPlan = async () =>
    (await client.post<Plan>('changesets/plan/', { operations: [set('base', 'default', { A: '1' })] })).body;

  const before = await requestPlan();
  await organization.value({ parameter: inside, internal_value: '{{ A }}', interpolated: true }).catch(() => undefined);
  await organization.owner.post('changesets/', {
    operations: [set('closed', 'default', { A: 'hides it' }), set('closed', 'staging', { OTHER: 'x' })],
  });
  const after = await requestPlan();

  expect(before.effective_changes.map((change) => `${change.project_name}/${change.environment_name}`)).toEqual([
    'base/default',
    'base/development',
    'base/staging',
  ]);
  expect(before.totals).toMatchObject({ closed_projects: 1 });
  expect({ ...after, base_revision: before.base_revision }).toEqual(before);
});

it('a plan does not count a forbidden project that only refers to the change', async () => {
  const organization = await core.organization();
  const base = await organization.project({ name: 'base' });
  await organization.value({ parameter: await organization.parameter({ project: base, name: 'A' }) });
  const otherProject = await organization.project({ name: 'elsewhere' });
  const says = await organization.parameter({ project: otherProject, name: 'SAYS' });
  const text = { internal_value: '{{ strata.projects.base.parameters.A }}', interpolated: true };
  await organization.value({ parameter: says, ...text });
  const operations = [set('base', 'default', { A: '2' })];
  const { body: all } = await organization.owner.post<Plan>('changesets/plan/', { operations });
  expect(all.effective_changes.map((change) => change.project_name)).toContain('elsewhere');
  await organization.owner.patch(otherProject.url, { access_controlled: true });
  const { client } = await createMember(core, organization);

  const { body } = await client.post<Plan>('changesets/plan/', { operations });

  expect(body.effective_changes.map((change) => change.project_name)).not.toContain('elsewhere');
  expect(body.totals).toMatchObject({ closed_projects: 0, closed_environments: 0, closed_references: 0 });
});

describe('a parameter that may have a value in a forbidden environment', () => {
  async function fixture() {
    const organization = await core.organization();
    const project = await organization.project({ name: 'web' });
    const production = await organization.environmentNamed('production');
    const canary = await organization.environment({ name: 'canary', parent: production.url });
    const parameters = await Promise.all(['A', 'B'].map((name) => organization.parameter({ project, name })));
    const [a, b] = parameters.map(({ id }) => id);
    await organization.owner.post('changesets/', {
      operations: [set('web', 'default', { A: '1', B: '1' }), set('web', 'canary', { A: '2', B: '2' })],
    });
    await organization.owner.patch(production.url, { access_controlled: true });
    const { client } = await createMember(core, organization);
    const destroy = (id = '') => ({
      operation: 'projects_parameters_destroy',
      path: { project_pk: project.id, id },
    });
    const hide = (text: string) =>
      organization.owner.post('changesets/', { operations: [set('web', 'production', { A: text })] });
    return { organization, client, canary, hide, ofA: destroy(a), ofB: destroy(b), parameters };
  }

  it('is deleted as planned if it has no such value; otherwise the changeset is rejected', async () => {
    const { organization, client, hide, ofA, ofB, parameters } = await fixture();
    await hide('hidden');
    const plans = await Promise.all(
      [[ofA], [ofB]].map(async (operations) => {
        const { body } = await client.post<Plan>('changesets/plan/', { operations });
        return { operations, plan_hash: body.plan_hash, reported: [body.refusals, body.uncovered] };
      }),
    );
    expect(plans.map(({ reported }) => reported)).toEqual(
      ['A', 'B'].map((name) => [[], [{ reason: 'forbidden', project_name: 'web', environment_name: null, name }]]),
    );

    const [first, second] = plans.map(({ operations, plan_hash }) => ({ operations, plan_hash }));
    expect((await client.post('changesets/', first ?? {})).status).toBe(403);
    expect((await client.post('changesets/', { operations: [ofB, ofA] })).status).toBe(403);
    expect((await organization.owner.get(`${parameters[0]?.url}?environment=production`)).text).toContain('hidden');
    expect((await client.post('changesets/', second ?? {})).status).toBe(201);
  });

  it('hides the effective value in a plan that deletes the value which overrides a forbidden one', async () => {
    const { client, hide } = await fixture();
    await hide('hidden');
    const operations = [{ unset: { project: 'web', environment: 'canary', names: ['A', 'B'] } }];
    const { body, text } = await client.post<Plan>('changesets/plan/', { operations });

    expect(text).not.toContain('hidden');
    const expected = { environment_name: 'canary', kind: 'changed', before: '2', after: '*****', masked: true };
    expect(body.effective_changes).toMatchObject([
      { ...expected, parameter_name: 'A' },
      { ...expected, parameter_name: 'B' },
    ]);
    expect(body.uncovered.map(({ reason, name }) => `${reason} ${name}`)).toEqual(['forbidden A', 'forbidden B']);
    const applied = await client.post('changesets/', { operations, plan_hash: body.plan_hash });
    expect([applied.status, applied.status === 201 ? '' : applied.text]).toEqual([201, '']);
  });

  it('still inherits the value from there while the caller may read that environment', async () => {
    const { organization, client, canary, hide } = await fixture();
    await hide('read');
    await organization.owner.post('changesets/', {
      operations: [{ unset: { project: 'web', environment: 'canary', names: ['A'] } }],
    });
    await organization.environment({ name: 'below', parent: canary.url });
    const plan = async (...operations: object[]) =>
      (await client.post<Plan>('changesets/plan/', { operations })).body.effective_changes;

    expect(await plan(set('web', 'canary', { A: '3' }))).toMatchObject([
      { environment_name: 'below', before: 'read', after: '3' },
      { environment_name: 'canary', before: 'read', after: '3' },
    ]);
    const changed = await plan(set('web', 'default', { C: '1' }), set('web', 'below', { A: '4' }));
    expect(
      changed.find((change) => change.parameter_name === 'C' && change.environment_name === 'below'),
    ).toMatchObject({
      after: '1',
      masked: false,
    });
  });
});

it('a plan rejects a forbidden project without revealing anything about it', async () => {
  const organization = await core.organization();
  const project = await organization.project({ name: 'closed' });
  const parameter = await organization.parameter({ project, name: 'A' });
  await organization.owner.patch(project.url, { access_controlled: true });
  const { client } = await createMember(core, organization);
  const unknownId = '01234567-89ab-4cde-8f01-23456789abcd';
  const rename = (id: string) => ({
    operation: 'projects_parameters_partial_update',
    path: { project_pk: project.id, id },
    body: { name: 'B' },
  });

  const plans = await Promise.all(
    [parameter.id, unknownId].map(
      async (id) => (await client.post<Plan>('changesets/plan/', { operations: [rename(id)] })).body,
    ),
  );

  expect(plans.map(({ refusals }) => refusals[0]?.status)).toEqual([403, 403]);
  expect(plans.map(({ objects, effective_changes: changes, totals }) => [objects, changes, totals])).toEqual([
    [[], [], plans[0]?.totals],
    [[], [], plans[0]?.totals],
  ]);
});

it('a plan shows no more than the caller could read before, even if it grants access', async () => {
  const organization = await core.organization();
  const project = await organization.project({ name: 'shared' });
  const inside = await organization.parameter({ project, name: 'INSIDE' });
  await organization.value({ parameter: inside, internal_value: 'not to be told' });
  await organization.owner.patch(project.url, { access_controlled: true });
  const reader = await createMember(core, organization);
  await createGrant(organization, reader.url, project.url, 'CONTRIB');
  const { body: seen } = await reader.client.post<Plan>('changesets/plan/', {
    operations: [set('shared', 'default', { INSIDE: 'x' })],
  });
  expect(seen.effective_changes[0]).toMatchObject({ before: 'not to be told', after: 'x' });

  const otherMember = await createMember(core, organization);
  const { text } = await otherMember.client.post<Plan>('changesets/plan/', {
    operations: [
      { operation: 'grants_create', body: { scope: project.url, principal: otherMember.url, role: 'OWNER' } },
      set('shared', 'default', { INSIDE: 'x' }),
    ],
  });
  expect(text).not.toContain('not to be told');
});

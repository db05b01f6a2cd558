import type { Effective, Parameter, Plan, Reverted } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { controlledProject } from '../../testing/members.ts';
import { applyChanges, latestRevision, listConflicts, revertChanges, set } from '../../testing/reverts.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/** Contents of a forbidden environment and a forbidden project that are written after the revision to restore. */
const CLOSED = ['as it was', 'set', 'changed', 'as it was again', 'taken away'] as const;

/** Creates a project with values in production, which is forbidden, and a forbidden project with a value in staging. */
async function fixture(organization: TestOrganization) {
  const { owner } = organization;
  const web = await organization.project({ name: 'web' });
  const [x, y] = [
    await organization.parameter({ project: web, name: 'X' }),
    await organization.parameter({ project: web, name: 'Y' }),
  ];
  const production = await organization.environmentNamed('production');
  await owner.patch(production.url, { access_controlled: true });
  const otherProject = await controlledProject(organization);
  await applyChanges(organization, [
    set('web', { X: '1', Y: '1' }),
    set('web', { X: '1' }, 'staging'),
    set('web', { Y: 'first' }, 'production'),
    set(otherProject.name, { INSIDE: 'first' }, 'staging'),
  ]);
  const revision = await latestRevision(organization);
  const open = () => applyChanges(organization, [set('web', { X: '2' }), set('web', { X: '2' }, 'staging')]);
  await open();
  const texts = (y: string, more: readonly object[] = []) =>
    applyChanges(organization, [
      set('web', { Y: y }, 'production'),
      set(otherProject.name, { INSIDE: y }, 'staging'),
      ...more,
    ]);
  const unset = { unset: { project: 'web', environment: 'production', names: ['X'] } };
  const states: Readonly<Record<(typeof CLOSED)[number], () => Promise<unknown>>> = {
    'as it was': async () => undefined,
    set: () => texts('first', [set('web', { X: 'in the closed' }, 'production')]),
    changed: () => texts('second'),
    'as it was again': () => texts('first', [unset]),
    'taken away': () => applyChanges(organization, [{ unset: { ...unset.unset, names: ['Y'] } }]),
  };
  const forbiddenTexts = async () =>
    (await owner.get<Effective>(`${web.url}effective/?environment=production`)).body.values;
  return { revision, open, states, x, y, forbiddenTexts };
}

const SCOPES: readonly (readonly [string, (parameters: { x: Parameter; y: Parameter }) => object])[] = [
  ['a parameter that was not set there', ({ x }) => ({ parameter: x.id })],
  ['a parameter that was set there', ({ y }) => ({ parameter: y.id })],
  ['a project', () => ({ project: 'web' })],
  ['an environment', () => ({ environment: 'staging' })],
];

describe.each(SCOPES)('a revert of %s', (_, scopeOf) => {
  it.each(['abort', 'skip', 'overwrite'])(
    'has the same plan for any contents of forbidden locations (%s)',
    async (policy) => {
      const organization = await core.organization();
      const { revision, states, x, y } = await fixture(organization);
      const body = { to: { revision }, scope: scopeOf({ x, y }), on_conflict: policy };
      const results: unknown[] = [];
      for (const state of CLOSED) {
        await states[state]();
        const { status, body: plan } = await organization.as('CONTRIB').post<Plan>('revert/plan/', body);
        expect([state, status, plan.refusals]).toEqual([state, 200, []]);
        results.push({ ...plan, base_revision: 0 });
      }
      for (const plan of results) expect(plan).toEqual(results[0]);
    },
  );

  it('is applied in the same way, and does not change forbidden locations', async () => {
    const organization = await core.organization();
    const { revision, open, states, x, y, forbiddenTexts } = await fixture(organization);
    const body = { to: { revision }, scope: scopeOf({ x, y }) };
    const results: unknown[] = [];
    for (const state of CLOSED) {
      await states[state]();
      const back = await organization.as('CONTRIB').post<Reverted>('revert/', body);
      expect([state, back.status, back.body.conflicts]).toEqual([state, 201, []]);
      results.push({ ...back.body, revision: 0, url: back.body.url === null ? null : '' });
      await open();
    }
    for (const result of results) expect(result).toEqual(results[0]);
    expect(await forbiddenTexts()).toEqual({ X: '2', Y: '1' });
  });
});

describe('a revert of a changeset', () => {
  it('reveals nothing about its changes in forbidden locations, and does not revert them', async () => {
    const organization = await core.organization();
    const { states, forbiddenTexts } = await fixture(organization);
    await states.set();
    const contributor = organization.as('CONTRIB');
    const results: unknown[] = [];
    for (const text of [null, 'other']) {
      const closed = text === null ? [] : [set('web', { X: text }, 'production')];
      const { revision } = await applyChanges(organization, [set('web', { X: '3' }), ...closed]);
      const plan = await contributor.post<Plan>(`changesets/${revision}/revert/plan/`, {});
      const forbiddenOnly = await revertChanges(contributor, revision, { operations: [1] });
      const back = await revertChanges(contributor, revision);
      expect([plan.body.refusals, back.status, listConflicts(back)]).toEqual([[], 201, []]);
      const { changes, totals, effective_changes: effective } = plan.body;
      results.push([changes, totals, effective, forbiddenOnly.status, forbiddenOnly.body, back.body.changes]);
    }
    expect(results[1]).toEqual(results[0]);
    expect(await forbiddenTexts()).toEqual({ X: 'other', Y: 'first' });
  });

  it('is forbidden if the caller may not read any of its changes', async () => {
    const organization = await core.organization();
    const { states } = await fixture(organization);
    await states.changed();
    const revision = await latestRevision(organization);
    for (const operations of [undefined, [0], [7]]) {
      const response = await revertChanges(organization.as('CONTRIB'), revision, { operations });
      expect([response.status, listConflicts(response)]).toEqual([403, ['null null: forbidden']]);
    }
    const skipped = await revertChanges(organization.as('CONTRIB'), revision, { on_conflict: 'skip' });
    expect([skipped.status, skipped.body.change_count, listConflicts(skipped)]).toEqual([
      201,
      0,
      ['null null: forbidden'],
    ]);
  });
});

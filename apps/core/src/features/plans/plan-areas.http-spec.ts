import type { AppliedChangeset, EffectiveChange, Page, Plan } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const set = (project: string, values: object) => ({
  set: { project, environment: 'default', values, create_missing: true },
});

const patch = (operation: string, path: object, body: object) => ({
  operation: `${operation}_partial_update`,
  path,
  body,
});

async function applied({ owner }: TestOrganization, ...operations: object[]): Promise<AppliedChangeset> {
  const { status, body, text } = await owner.post<AppliedChangeset>('changesets/', { operations });
  expect([status, status === 201 ? '' : text]).toEqual([201, '']);
  return body;
}

/**
 * Creates a template that contains all names of a project. The plan lists it as uncovered if any of these is affected.
 */
async function fixture() {
  const organization = await core.organization();
  const project = await organization.project({ name: 'web' });
  await applied(organization, set('web', { A: '1' }));
  const { body: parameters } = await organization.owner.get<Page<{ id: string }>>(`${project.url}parameters/`);
  const template = await organization.owner.post<{ id: string }>(`${project.url}templates/`, {
    name: 'all',
    body: '{% for one in strata.parameters %}{{ one[0] }}{% endfor %}',
  });
  const parameter = { project_pk: project.id, id: parameters.results[0]?.id };
  return {
    changeProject: (body: object) => patch('projects', { id: project.id }, body),
    changeParameter: (body: object) => patch('projects_parameters', parameter, body),
    changeTemplate: (body: object) =>
      patch('projects_templates', { project_pk: project.id, id: template.body.id }, body),
    affectedBy: async (...operations: object[]) => {
      const { status, body, text } = await organization.owner.post<Plan>('changesets/plan/', { operations });
      expect([status, status === 200 ? body.refusals : text]).toEqual([200, []]);
      const { changes, effective_changes: cells, uncovered } = body.totals;
      return { changes, cells, uncovered };
    },
  };
}

it('a change of a column that programs do not read affects no cell', async () => {
  const { changeProject, changeParameter, changeTemplate, affectedBy } = await fixture();

  const affected = await affectedBy(
    changeProject({ description: 'What all share.', parameter_name_pattern: '[A-Z]+' }),
    changeParameter({ description: 'One.', type: 'integer', expires: 'P30D' }),
    changeTemplate({ description: 'All names.' }),
  );

  expect(affected).toEqual({ changes: 3, cells: 0, uncovered: 0 });
});

it('a renamed parameter or a changed text affects the texts that use it', async () => {
  const { changeProject, changeParameter, changeTemplate, affectedBy } = await fixture();

  expect(await affectedBy(changeProject({ name: 'shop' }))).toEqual({ changes: 1, cells: 0, uncovered: 1 });
  expect(await affectedBy(changeParameter({ name: 'B' }))).toEqual({ changes: 1, cells: 8, uncovered: 1 });
  expect(await affectedBy(changeTemplate({ name: 'every' }))).toEqual({ changes: 1, cells: 0, uncovered: 1 });
  expect(await affectedBy(changeTemplate({ body: '{{ A }}' }))).toEqual({ changes: 1, cells: 0, uncovered: 1 });
});

it('a plan can change the description of `default` with any number of child environments, and counts the compared cells exactly', async () => {
  const organization = await core.organization();
  await organization.project({ name: 'web' });
  const environments = Array.from({ length: 196 }, (_, n) => ({
    operation: 'environments_create',
    body: { name: `e${n}` },
  }));
  await applied(organization, ...environments);
  const named = (count: number, text: string) =>
    set('web', Object.fromEntries(Array.from({ length: count }, (_, n) => [`P${n}`, text])));
  const partial = await applied(organization, named(60, 'some'));
  const all = await applied(organization, named(1_001, 'all'));
  const effective = (revision: number) =>
    organization.owner.get<Page<EffectiveChange>>(`changesets/${revision}/effective/?page_size=10&page=1200`);

  const exact = await effective(partial.revision);
  expect([exact.status, exact.body.count, exact.body.results.length]).toEqual([200, 12_000, 10]);
  const tooMuch = await effective(all.revision);
  expect([tooMuch.status, tooMuch.headers['x-error-code']]).toEqual([422, 'too_costly']);
  expect(tooMuch.text).toContain(`at revision ${all.revision - 1} and at revision ${all.revision}`);

  const root = await organization.environmentNamed('default');
  const described = patch('environments', { id: root.id }, { description: 'All of it.' });
  const plan = await organization.owner.post<Plan>('changesets/plan/', { operations: [described] });
  expect([plan.status, plan.status === 200 ? plan.body.totals : plan.text]).toMatchObject([
    200,
    { changes: 1, effective_changes: 0 },
  ]);
  const applying = { operations: [described], plan_hash: plan.body.plan_hash };
  const done = await organization.owner.post<AppliedChangeset>('changesets/', applying);
  const none = await organization.owner.get<Page<EffectiveChange>>(`changesets/${done.body.revision}/effective/`);
  expect([done.status, none.status, none.body.count]).toEqual([201, 200, 0]);
  const cut = await organization.owner.post<Plan>('changesets/plan/', { operations: [named(60, 'other')] });
  expect([cut.body.totals.effective_changes, cut.body.effective_changes.length]).toEqual([12_000, 1_000]);
});

it.each([
  ['text/plain;q=0.1, application/json', 'application/json'],
  ['application/json;q=0.1, text/plain', 'text/plain; charset=utf-8'],
  ['application/json, text/plain, */*', 'application/json'],
])('a plan is returned in the preferred media type for Accept: %s', async (accept, expected) => {
  const organization = await core.organization();
  const operations = [{ operation: 'projects_create', body: { name: 'web' } }];

  const { status, headers } = await organization.owner.post('changesets/plan/', { operations }, { accept });

  expect([status, headers['content-type']]).toEqual([200, expected]);
});

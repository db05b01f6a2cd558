import type { AppliedChangeset, Page, Parameter, Plan } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/**
 * Ten kinds of operations in turn, so that no two neighbors can be batched. Each round creates and changes its own
 * objects.
 */
const KINDS = 10;

async function mixedOperations(organization: TestOrganization, rounds: number): Promise<readonly object[]> {
  const { owner } = organization;
  const project = await organization.project({ name: 'web' });
  const environment = await organization.environmentNamed('staging');
  const names = Array.from({ length: rounds }, (_, n) => [`CHANGED${n}`, `DELETED${n}`, `RULED${n}`]).flat();
  const values = Object.fromEntries(names.map((name) => [name, '1']));
  const set = { project: 'web', environment: 'default', values, create_missing: true };
  const creation = await owner.post('changesets/', { operations: [{ set }] });
  expect([creation.status, creation.status === 201 ? '' : creation.text]).toEqual([201, '']);
  const { body } = await owner.get<Page<Parameter>>(`${project.url}parameters/?page_size=1000`);
  const ids = new Map(body.results.map(({ name, id }) => [name, id]));
  const path = { project_pk: project.id };
  return Array.from({ length: rounds }, (_, n) => [
    { operation: 'environments_create', as: `e${n}`, body: { name: `e${n}`, parent: environment.url } },
    { operation: 'projects_create', as: `p${n}`, body: { name: `p${n}` } },
    { operation: 'projects_parameters_create', as: `x${n}`, path, body: { name: `X${n}`, type: 'integer' } },
    {
      operation: 'projects_parameters_values_create',
      path: { ...path, parameter_pk: { $ref: `x${n}` } },
      body: { environment: environment.url, internal_value: `${n}` },
    },
    {
      operation: 'projects_parameters_partial_update',
      path: { ...path, id: ids.get(`CHANGED${n}`) },
      body: { name: `RENAMED${n}` },
    },
    {
      operation: 'projects_parameters_rules_create',
      path: { ...path, parameter_pk: ids.get(`RULED${n}`) },
      body: { type: 'max_len', constraint: '9' },
    },
    { operation: 'projects_parameters_destroy', path: { ...path, id: ids.get(`DELETED${n}`) } },
    { operation: 'projects_templates_create', path, body: { name: `t${n}`, body: `{{ RULED${n} }}` } },
    {
      set: { project: { $ref: `p${n}` }, environment: { $ref: `e${n}` }, values: { Y: `${n}` }, create_missing: true },
    },
    { operation: 'environments_tags_create', path: { environment_pk: { $ref: `e${n}` } }, body: { name: 'first' } },
  ]).flat();
}

it('a changeset of 1,000 mixed operations can be planned and applied', async () => {
  const organization = await core.organization();
  const operations = await mixedOperations(organization, 1_000 / KINDS);

  const plan = await organization.owner.post<Plan>('changesets/plan/', { operations });
  expect([plan.status, plan.status === 200 ? plan.body.refusals : plan.text]).toEqual([200, []]);
  const { plan_hash } = plan.body;
  const { status, text } = await organization.owner.post<AppliedChangeset>('changesets/', { operations, plan_hash });
  expect([status, status === 201 ? '' : text]).toEqual([201, '']);
});

import type { AppliedChangeset, Effective, OperationError, Page, Parameter, Plan, Project } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';

/** Runs the core in this process, so that the test can record its statements. */
let core: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
});
afterAll(() => core.close());

interface RejectedChangeset {
  readonly operations: readonly OperationError[];
}

interface Place {
  readonly organization: TestOrganization;
  readonly project: Project;
  readonly idOf: (name: string) => string;
  readonly staging: string;
}

/** Creates parameters with these values in `default`. */
async function place(values: Readonly<Record<string, object | string>>): Promise<Place> {
  const organization = await core.organization();
  const project = await organization.project({ name: 'web' });
  const set = { project: 'web', environment: 'default', values, create_missing: true };
  const { status, text } = await organization.owner.post('changesets/', { operations: [{ set }] });
  expect([status, status === 201 ? '' : text]).toEqual([201, '']);
  const list = `${project.url}parameters/?page_size=500&environment=default`;
  const { body } = await organization.owner.get<Page<Parameter>>(list);
  const ids = new Map(body.results.map(({ name, id }) => [name, id]));
  const staging = (await organization.environmentNamed('staging')).url;
  return { organization, project, idOf: (name) => ids.get(name) ?? name, staging };
}

const creation = ({ project, idOf, staging }: Place, name: string, more: object = {}) => ({
  operation: 'projects_parameters_values_create',
  path: { project_pk: project.id, parameter_pk: idOf(name) },
  body: { environment: staging, internal_value: name.toLowerCase(), ...more },
});

it('operations in a batch return and store the same as separate operations', async () => {
  const createdScope = await place({
    ...{ A: '1', B: '2', GONE: '3', SET: '4', SAID: '5', Z: '6' },
    NUMBER: { value: '7', type: 'integer' },
    TOKEN: { value: 's3cret', secret: true },
    SAYS: { value: '8', type: 'integer' },
  });
  const { owner } = createdScope.organization;
  const path = { project_pk: createdScope.project.id };
  const before = await owner.post('changesets/', {
    operations: [
      creation(createdScope, 'SET'),
      { operation: 'projects_parameters_destroy', path: { ...path, id: createdScope.idOf('GONE') } },
      creation(createdScope, 'SAYS', { internal_value: '{{ SAID }}', interpolated: true }),
    ],
  });
  expect([before.status, before.status === 201 ? '' : before.text]).toEqual([201, '']);
  const operations = [
    creation(createdScope, 'A'),
    creation(createdScope, 'NUMBER'),
    creation(createdScope, 'SET'),
    creation(createdScope, 'SAID'),
    creation(createdScope, 'GONE'),
    creation(createdScope, 'TOKEN'),
    creation(createdScope, 'A', { internal_value: 'again' }),
    creation(createdScope, 'B', { environment: 'nowhere' }),
    creation(createdScope, 'B', { internal_value: '{{ NONE }}', interpolated: true }),
    creation(createdScope, 'Z'),
  ];

  const response = await owner.post<RejectedChangeset>('changesets/', { operations });
  const codes = ['type_violation', 'duplicate_value', 'dependent_values', 'not_found', 'duplicate_value'];
  expect(response.body.operations.map(({ index, code }) => [index, code])).toEqual(
    [...codes, 'unknown_link', 'unknown_reference'].map((code, index) => [[1, 2, 3, 4, 6, 7, 8][index], code]),
  );
  for (const { index, ...alone } of response.body.operations) {
    if (index === 6) continue;
    // Runs the rejected operation together with a valid one, and on its own.
    for (const others of [[creation(createdScope, 'Z')], []]) {
      const { body } = await owner.post<RejectedChangeset>('changesets/', {
        operations: [...others, operations[index]],
      });
      expect(body.operations).toEqual([{ index: others.length, ...alone }]);
    }
  }

  const fine = operations.filter((_, index) => !response.body.operations.some((result) => result.index === index));
  const applied = await owner.post<AppliedChangeset>('changesets/', { operations: fine });
  expect(
    applied.body.operations.map(({ index, changes }) => [index, changes.map((change) => change.object_name)]),
  ).toEqual(['A', 'TOKEN', 'Z'].map((name, index) => [index, [name]]));
  const seen = await owner.get<Effective>(`${createdScope.project.url}effective/?environment=staging`);
  expect(seen.body.values).toMatchObject({ A: 'a', TOKEN: 'token', Z: 'z', NUMBER: '7', SET: 'set' });
});

it.each([
  ['new values', (createdScope: Place, name: string) => creation(createdScope, name)],
  [
    'changes of values',
    ({ project, idOf }: Place, name: string, value: string) => ({
      operation: 'projects_parameters_values_partial_update',
      path: { project_pk: project.id, parameter_pk: idOf(name), id: value },
      body: { internal_value: 'other' },
    }),
  ],
])('planning many %s takes as many statements as planning a few', async (_, operationOn) => {
  const names = Array.from({ length: 100 }, (_, n) => `P${n}`);
  const createdScope = await place(Object.fromEntries(names.map((name) => [name, 'text'])));
  const { owner } = createdScope.organization;
  const { body } = await owner.get<Page<Parameter>>(
    `${createdScope.project.url}parameters/?page_size=500&environment=default`,
  );
  const valueIds = new Map(body.results.map(({ name, values }) => [name, Object.values(values)[0]?.id ?? '']));
  const operations = names.map((name) => operationOn(createdScope, name, valueIds.get(name) ?? ''));
  const saidFor = async (count: number) => {
    core.statements();
    const plan = await owner.post<Plan>('changesets/plan/', { operations: operations.slice(0, count) });
    expect([plan.status, plan.body.refusals, plan.body.totals.changes]).toEqual([200, [], count]);
    return core.statements().length;
  };
  await saidFor(3);

  const countForFew = await saidFor(3);
  expect(await saidFor(100)).toBeLessThan(countForFew + 20);
});

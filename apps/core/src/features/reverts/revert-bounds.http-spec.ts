import type { TestOrganization } from '@strata/testkit';
import pg from 'pg';
import { type CoreInProcess, startCoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';
import { applyChanges, latestRevision, listConflicts, revertChanges, set } from '../../testing/reverts.ts';

/** Runs the core in this process, so that the test can count its statements. */
let core: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
  core.statements();
});
afterAll(() => core.close());

const parameterNames = (count: number) => Array.from({ length: count }, (_, index) => `P${index}`);
const texts = (count: number, text: string) => Object.fromEntries(parameterNames(count).map((name) => [name, text]));

async function countStatements<T>(run: () => Promise<T>): Promise<{ readonly answer: T; readonly count: number }> {
  core.statements();
  const result = await run();
  return { answer: result, count: core.statements().length };
}

/** Creates a template for each name, which refers to the name. */
async function saidByTemplates(organization: TestOrganization, count: number): Promise<number> {
  const { id } = await organization.project({ name: 'web' });
  const { revision } = await applyChanges(organization, [set('web', texts(count, '1'))]);
  await applyChanges(
    organization,
    parameterNames(count).map((name) => ({
      operation: 'projects_templates_create',
      path: { project_pk: id },
      body: { name: `says-${name}`, body: `{{ ${name} }}` },
    })),
  );
  return revision;
}

it('a revert checks a thousand referenced names with as many statements as ten', async () => {
  const statementsFor = async (count: number) => {
    const organization = await core.organization();
    const revision = await saidByTemplates(organization, count);
    const plan = await countStatements(() => organization.owner.post(`changesets/${revision}/revert/plan/`, {}));
    const revert = await countStatements(() => revertChanges(organization.owner, revision));
    expect([plan.answer.status, revert.answer.status]).toEqual([200, 409]);
    const referenced = listConflicts(revert.answer).filter((conflict) => conflict.endsWith('parameter_is_referenced'));
    expect(referenced).toEqual(
      expect.arrayContaining(parameterNames(10).map((name) => `Parameter ${name}: parameter_is_referenced`)),
    );
    return { plan: plan.count, revert: revert.count };
  };
  const small = await statementsFor(10);
  const many = await statementsFor(1_000);
  expect(many.plan).toBeLessThan(small.plan + 20);
  expect(many.revert).toBeLessThan(small.revert + 20);
});

it('a revert finds the one of a thousand names that breaks its dependents with a few queries', async () => {
  const organization = await core.organization();
  const { owner } = organization;
  const project = await organization.project({ name: 'web' });
  await applyChanges(organization, [set('web', texts(1_000, 'no number'))]);
  const { revision } = await applyChanges(organization, [set('web', texts(1_000, '1'))]);
  const number = await organization.parameter({ project, name: 'NUMBER', type: 'integer' });
  await organization.value({ parameter: number, internal_value: '{{ P700 }}', interpolated: true });

  const { answer: result, count } = await countStatements(() => revertChanges(owner, revision));
  expect([result.status, listConflicts(result)]).toEqual([409, ['Value P700: dependent_values']]);
  expect(count).toBeLessThan(400);
});

it('a revert checks many names that all break their dependents with as many statements as a few', async () => {
  const statementsFor = async (count: number) => {
    const organization = await core.organization();
    const { id } = await organization.project({ name: 'web' });
    await applyChanges(organization, [set('web', texts(count, 'no number'))]);
    const { revision } = await applyChanges(organization, [set('web', texts(count, '1'))]);
    const environment = (await organization.environmentNamed('default')).url;
    const numbers = parameterNames(count).flatMap((name) => [
      {
        operation: 'projects_parameters_create',
        as: name,
        path: { project_pk: id },
        body: { name: `N-${name}`, type: 'integer' },
      },
      {
        operation: 'projects_parameters_values_create',
        path: { project_pk: id, parameter_pk: { $ref: name } },
        body: { environment, internal_value: `{{ ${name} }}`, interpolated: true },
      },
    ]);
    for (let index = 0; index < numbers.length; index += 200)
      await applyChanges(organization, numbers.slice(index, index + 200));

    const { answer: result, count: statements } = await countStatements(() =>
      revertChanges(organization.owner, revision),
    );
    expect([result.status, listConflicts(result).toSorted()]).toEqual([
      409,
      parameterNames(count)
        .map((name) => `Value ${name}: dependent_values`)
        .toSorted(),
    ]);
    for (const { object_name: name, detail } of result.body.conflicts)
      expect(detail).toContain(`N-${name} of web in default depends on this`);
    return statements;
  };
  expect(await statementsFor(600)).toBeLessThan((await statementsFor(5)) + 20);
});

it('a revert or its plan returns 422 and stores nothing if it exceeds the time limit', async () => {
  const hasty = await startSecondCore(core, { STRATA_DATABASE_TIMEOUT_SECONDS: '2' });
  const client = new pg.Client({ connectionString: core.database.url });
  await client.connect();
  try {
    const organization = await hasty.organization();
    await organization.project({ name: 'web' });
    const { revision } = await applyChanges(organization, [set('web', { A: '1' })]);
    await client.query('begin');
    await client.query('select from parameter where organization_id = $1 for update', [organization.id]);
    for (const send of [
      () => revertChanges(organization.owner, revision),
      () => organization.owner.post(`changesets/${revision}/revert/plan/`, {}),
    ]) {
      const response = await send();
      expect([response.status, response.headers['x-error-code']]).toEqual([422, 'too_costly']);
      expect(response.text).toContain('Revert only some of the operations');
    }
    expect(await latestRevision(organization)).toBe(revision);
    await client.query('rollback');
    expect((await revertChanges(organization.owner, revision)).status).toBe(201);
  } finally {
    await client.end();
    await hasty.close();
  }
});

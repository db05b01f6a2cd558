import type { Environment, Page, Parameter } from '@strata/contract';
import { useSharedGraphQL } from './graphql-access.ts';

const fixture = useSharedGraphQL();

const APPLY = `mutation ($input: ApplyChangesetInput!) { applyChangeset(input: $input) {
  ... on AppliedChangesetSaved {
    appliedChangeset { revision message operations { index as id changes { action objectType objectName } } }
  }
  ... on Problem { code message }
  ... on ValidationProblem { fields { field message } }
} }`;

/** Returns the placeholders of the path of a value, from the URL of its parameter. */
function idsIn(url: string) {
  const [, project, parameter] = /projects\/([^/]+)\/parameters\/([^/]+)/.exec(url) ?? [];
  return { project_pk: project, parameter_pk: parameter };
}

describe('a changeset over GraphQL', () => {
  it('runs once if it is sent again with the same idempotency key, and returns the first response', async () => {
    const operations = [{ operation: 'projects_create', body: { name: 'web' } }];
    const send = (name: string, message: string) =>
      fixture.stack.post(
        { query: APPLY, variables: { input: { message, operations } } },
        fixture.organization.ownerAuthorization,
        { 'idempotency-key': name },
      );
    const [first, repeatedResponse] = [await send('a-shop', 'a shop'), await send('a-shop', 'a shop')];
    const otherChangeset = await send('a-shop', 'another shop');
    const { changesets } = await fixture.request('{ changesets(q: "shop") { edges { node { message } } } }');

    expect(first.data.applyChangeset.appliedChangeset.revision).toEqual(expect.any(Number));
    expect(repeatedResponse.data).toEqual(first.data);
    expect(JSON.stringify(otherChangeset)).toContain('idempotency_key_reused');
    expect(changesets.edges).toEqual([{ node: { message: 'a shop' } }]);
  });

  it('has an idempotency key for each mutation of a document', async () => {
    const twoMutations = `mutation { a: createProject(input: { name: "one" }) { __typename }
      b: createProject(input: { name: "two" }) { __typename } }`;
    const send = () =>
      fixture.stack.post({ query: twoMutations }, fixture.organization.ownerAuthorization, {
        'idempotency-key': 'two-shops',
      });
    const [first, repeatedResponse] = [await send(), await send()];

    expect(first.data).toEqual({ a: { __typename: 'ProjectSaved' }, b: { __typename: 'ProjectSaved' } });
    expect(repeatedResponse.data).toEqual(first.data);
  });

  it('keeps the digits of numbers, in variables and in literals', async () => {
    const { organization } = fixture;
    const parameter = await organization.parameter({ project: await organization.project(), name: 'BIG' });
    const { body } = await organization.owner.get<Page<Environment>>('environments/');
    const ids = new Map(body.results.map(({ name, id }) => [name, id]));
    const change = (environment: string, text: string) =>
      `{"operation": "projects_parameters_values_create", "path": ${JSON.stringify(idsIn(parameter.url))},
        "body": {"environment": "${ids.get(environment)}", "internal_value": ${text}}}`;
    const variables = `{"input": {"operations": [${change('staging', '123456789012345678')}]}}`;
    const query = `{"query": ${JSON.stringify(APPLY)}, "variables": ${variables}}`;
    await fixture.stack.post(query, organization.ownerAuthorization);
    const literal = change('production', '1.50').replace(/"(\w+)":/g, '$1:');
    await fixture.request(`mutation { applyChangeset(input: {operations: [${literal}]}) { __typename } }`);

    const { values } = (await organization.owner.get<Parameter>(parameter.url)).body;
    const texts = Object.values(values).map((value) => [value?.environment_name, value?.internal_value]);
    expect(Object.fromEntries(texts)).toMatchObject({ staging: '123456789012345678', production: '1.50' });
  });

  it('is one revision with a message', async () => {
    const input = {
      message: 'a shop',
      externalRef: 'T-1',
      operations: [
        { operation: 'projects_create', as: 'web', body: { name: 'web' } },
        {
          set: {
            project: { $ref: 'web' },
            environment: 'production',
            values: { PORT: '443', TOKEN: { value: 'hunter2', secret: true } },
            createMissing: true,
          },
        },
      ],
    };
    const { applyChangeset } = await fixture.request(APPLY, { input });
    const { revision } = applyChangeset.appliedChangeset;
    const { changesets, changeset, changesAfter } = await fixture.request(
      `query ($revision: ID!) {
        changesets(q: "t-1") { edges { node { revision message surface } } }
        changeset(revision: $revision) { externalRef changeCount changes { objectType objectName } }
        changesAfter(first: 200) { changes { changeset message } }
      }`,
      { revision: String(revision) },
    );

    expect(applyChangeset.appliedChangeset.operations[0]).toMatchObject({
      as: 'web',
      changes: [{ action: 'create', objectType: 'Project', objectName: 'web' }],
    });
    expect(changesets.edges).toEqual([{ node: { revision, message: 'a shop', surface: 'graphql' } }]);
    expect(changeset).toMatchObject({ externalRef: 'T-1', changeCount: 5 });
    const announced = (changesAfter.changes as { changeset: number; message: string | null }[]).filter(
      (change) => change.changeset === revision,
    );
    expect(announced.map(({ message }) => message)).toEqual(Array(5).fill('a shop'));
    expect(JSON.stringify([applyChangeset, changeset])).not.toContain('hunter2');
  });

  it('is planned, and applied with the hash of its plan', async () => {
    await fixture.organization.project({ name: 'planned' });
    const operations = [
      { set: { project: 'planned', environment: 'default', values: { HOST: 'a' }, createMissing: true } },
    ];
    const plan = `mutation ($input: PlanChangesetInput!) { planChangeset(input: $input) {
      ... on ChangesetPlanSaved { changesetPlan {
        planHash totals { effectiveChanges } effectiveChanges { environmentName parameterName before after } refusals { code }
      } }
      ... on Problem { code message }
    } }`;
    const { planChangeset } = await fixture.request(plan, { input: { operations } });
    const { planHash, totals, effectiveChanges } = planChangeset.changesetPlan;
    expect(totals).toEqual({ effectiveChanges: 4 });
    expect(effectiveChanges).toContainEqual({
      environmentName: 'production',
      parameterName: 'HOST',
      before: null,
      after: 'a',
    });
    const { applyChangeset } = await fixture.request(APPLY, { input: { operations, planHash } });
    expect(applyChangeset.appliedChangeset.operations).toHaveLength(1);
    const secondResult = await fixture.request(APPLY, { input: { operations, planHash } });
    expect(secondResult.applyChangeset).toMatchObject({
      code: 'plan_outdated',
      message: expect.stringContaining('objects'),
    });
  });

  it('is planned by a viewer with assumeWrite', async () => {
    await fixture.organization.project({ name: 'read' });
    const query = `mutation ($input: PlanChangesetInput!, $assumeWrite: Boolean) {
      planChangeset(input: $input, assumeWrite: $assumeWrite) {
        ... on ChangesetPlanSaved { changesetPlan { totals { effectiveChanges refusals } } }
      } }`;
    const set = { project: 'read', environment: 'default', values: { HOST: 'a' }, createMissing: true };
    const viewer = await fixture.organization.authorization('VIEWER');
    const fetchTotals = async (assumeWrite: boolean) => {
      const variables = { assumeWrite, input: { operations: [{ set }] } };
      return (await fixture.stack.post({ query, variables }, viewer)).data.planChangeset.changesetPlan.totals;
    };
    expect(await fetchTotals(true)).toEqual({ effectiveChanges: 4, refusals: 0 });
    expect(await fetchTotals(false)).toEqual({ effectiveChanges: 0, refusals: 1 });
  });

  it('returns the path of the invalid operation', async () => {
    const operations = [
      { operation: 'projects_create', body: { name: 'a' } },
      { operation: 'projects_create', body: { name: 'a' } },
    ];
    const { applyChangeset } = await fixture.request(APPLY, { input: { operations } });

    expect(applyChangeset).toMatchObject({
      code: 'duplicate_name',
      fields: [{ field: 'operations.1.name', message: expect.stringContaining('a already') }],
    });
  });

  it('explains the expected form of a malformed operation', async () => {
    const operations = [{ set: { project: { id: 'x' }, environment: 'default', values: { A: '1' } } }];
    const { applyChangeset } = await fixture.request(APPLY, { input: { operations } });

    const fields = applyChangeset.fields as { field: string; message: string }[];
    expect(fields.map(({ field }) => field)).toEqual(['operations']);
    expect(fields[0]?.message).toMatch(/^0\.set\.project.*: \S+/);
    expect(applyChangeset.message).toBe(fields[0]?.message);
  });

  it('sets values by name', async () => {
    const project = await fixture.organization.project({ name: 'named' });
    const { setValues } = await fixture.request(
      `mutation ($id: ID!) {
        setValues(projectId: $id, environment: "default", input: { values: { A: "1" }, createMissing: true }) {
          ... on ValuesSetSaved { valuesSet { values { name action } } }
          ... on Problem { code message }
        }
      }`,
      { id: project.id },
    );

    expect(setValues.valuesSet.values).toEqual([{ name: 'A', action: 'created' }]);
  });
});

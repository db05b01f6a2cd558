import { useSharedGraphQL } from './graphql-access.ts';

const fixture = useSharedGraphQL();

const ERROR_FIELDS = `... on Problem { __typename code message }
  ... on ValidationProblem { fields { field message } }
  ... on NotFound { fields { field message } }
  ... on Conflict { fields { field message } }
  ... on PermissionDenied { fields { field message } }`;
const APPLY = `mutation ($input: ApplyChangesetInput!) { applyChangeset(input: $input) {
  ... on AppliedChangesetSaved { appliedChangeset { revision } }
  ${ERROR_FIELDS}
  ... on PreconditionFailed {
    plan { planHash effectiveChanges { environmentName before after } }
    difference { parts objects { other } effectiveChanges { new other gone } }
  }
} }`;

const setting = (values: object, more: object = {}) => ({
  set: { project: 'web', environment: 'default', values, ...more },
});
const apply = async (operations: readonly object[], more: object = {}) =>
  (await fixture.request(APPLY, { input: { operations, ...more } })).applyChangeset;

describe('a changeset that the core rejects over GraphQL', () => {
  it.each([
    ['no operations', [], /at least one operation/],
    ['too many operations', Array.from({ length: 1_001 }, () => setting({ A: '1' })), /At most 1000 operations/],
    ['two kinds in one', [{ ...setting({ A: '1' }), operation: 'projects_create' }], /^0: Set exactly one of/],
    ['a number for a text', [setting({ A: 5 })], /^0\.set\.values\.A: Give a text, null, or an object/],
    ['a misspelt member', [setting({ A: { value: '1', secrett: true } })], /^0\.set\.values\.A: Unknown: secrett\./],
  ])('explains the problem with %s', async (_what, operations, message) => {
    expect(await apply(operations)).toEqual({
      __typename: 'ValidationProblem',
      code: expect.any(String),
      message: expect.stringMatching(message),
      fields: [{ field: 'operations', message: expect.stringMatching(message) }],
    });
  });

  it('names the operation whose object does not exist', async () => {
    await fixture.organization.project({ name: 'web' });

    expect(await apply([setting({ PORT: '1' }, { createMissing: true }), setting({ HOST: '1' })])).toMatchObject({
      __typename: 'NotFound',
      code: 'unknown_parameter',
      fields: [{ field: 'operations.1.HOST', message: expect.stringContaining('HOST') }],
    });
  });

  it('lists the kinds of rules that its values break', async () => {
    const parameter = await fixture.organization.parameter({
      project: await fixture.organization.project({ name: 'web' }),
      name: 'PORT',
    });
    for (const rule of [
      { type: 'max_len', constraint: '2' },
      { type: 'regex', constraint: '[0-9]+$' },
    ]) {
      await fixture.organization.owner.post(`${parameter.url}rules/`, rule);
    }
    const input = { operations: [setting({ PORT: 'abc' })] };
    const mutation = APPLY.replace('fields { field message } }', 'fields { field message } rules }');

    expect((await fixture.request(mutation, { input })).applyChangeset).toMatchObject({
      __typename: 'ValidationProblem',
      code: 'rule_violation',
      rules: ['max_len', 'regex'],
    });
  });

  it('names the operation and the objects that conflict with it', async () => {
    const parent = await fixture.organization.project({ name: 'parent' });
    await fixture.organization.project({ name: 'child', depends_on: parent.url });
    const creation = { operation: 'projects_create', body: { name: 'other' } };

    expect(await apply([creation, { operation: 'projects_destroy', path: { id: parent.id } }])).toMatchObject({
      __typename: 'Conflict',
      code: 'project_has_dependents',
      fields: [{ field: 'operations.1', message: expect.any(String) }],
    });
  });

  it('names the operation that the caller may not run', async () => {
    await fixture.organization.project({ name: 'web' });
    const input = { operations: [setting({ PORT: '1' }, { createMissing: true })] };
    const viewer = await fixture.organization.authorization('VIEWER');
    const { applyChangeset } = await fixture.stack.data(APPLY, { input }, viewer);

    expect(applyChangeset).toMatchObject({
      __typename: 'PermissionDenied',
      code: 'forbidden',
      fields: [{ field: 'operations.0', message: expect.any(String) }],
    });
  });

  it('returns the current plan and the differences if it is not the expected plan', async () => {
    await fixture.organization.project({ name: 'planned' });
    const to = (text: string) => [{ set: { ...setting({ A: text }).set, project: 'planned', createMissing: true } }];
    await apply(to('1'));
    const { planChangeset } = await fixture.request(
      `mutation ($input: PlanChangesetInput!) { planChangeset(input: $input) {
        ... on ChangesetPlanSaved { changesetPlan {
          planHash
          objects { object version }
          effectiveChanges { projectName environmentName parameterName before after problem }
          uncovered { reason projectName environmentName name }
          refusals { index code error }
        } }
      } }`,
      { input: { operations: to('2') } },
    );
    const { planHash, ...plan } = planChangeset.changesetPlan;
    const [ofStaging, ...others] = plan.effectiveChanges.toReversed();
    await apply(to('3'));
    const rejected = await apply(to('2'), { planHash, plan: { ...plan, effectiveChanges: others } });

    expect(rejected).toMatchObject({
      __typename: 'PreconditionFailed',
      code: 'plan_outdated',
      difference: {
        parts: ['objects', 'effective_changes'],
        objects: { other: [{ object: expect.any(String) }] },
        effectiveChanges: {
          new: [{ environment_name: ofStaging.environmentName, before: '3' }],
          other: others.map(() => ({ before: '3', after: '2' })),
          gone: [],
        },
      },
    });
    expect(rejected.plan.effectiveChanges).toContainEqual({ environmentName: 'default', before: '3', after: '2' });
    expect(await apply(to('2'), { planHash: rejected.plan.planHash })).toEqual({
      appliedChangeset: { revision: expect.any(Number) },
    });
  });
});

it('rejects a secret that breaks a rule, instead of requiring another plan, because plans do not show secrets', async () => {
  const project = await fixture.organization.project({ name: 'secrets' });
  const secret = await fixture.organization.parameter({ project, name: 'PW', secret: true });
  const { environment } = await fixture.organization.value({ parameter: secret, internal_value: 'no number' });
  const port = await fixture.organization.parameter({ project, name: 'PORT', type: 'integer' });
  const operations = [
    {
      operation: 'projects_parameters_values_create',
      path: { project_pk: project.id, parameter_pk: port.id },
      body: { environment, internal_value: '{{ PW }}', interpolated: true },
    },
  ];
  const { planChangeset } = await fixture.request(
    'mutation ($input: PlanChangesetInput!) { planChangeset(input: $input) { ... on ChangesetPlanSaved { changesetPlan { planHash refusals { code } } } } }',
    { input: { operations } },
  );
  const { planHash, refusals } = planChangeset.changesetPlan;
  expect(refusals).toEqual([]);

  expect(await apply(operations, { planHash })).toMatchObject({
    __typename: 'ValidationProblem',
    fields: expect.arrayContaining([
      { field: 'operations.0.internal_value', message: expect.stringContaining('integer') },
    ]),
  });
});

it('accepts a reviewed plan in terms of the GraphQL schema alone', async () => {
  const input = { operations: [setting({ A: '1' })], planHash: 'x', plan: { effective_changes: [] } };

  const { errors } = await fixture.stack.request(APPLY, { input }, fixture.organization.ownerAuthorization);

  expect(errors).toMatchObject([{ message: expect.stringContaining('effective_changes') }]);
});

it('a revert that the core rejects over GraphQL names the object of each conflict', async () => {
  await fixture.organization.project({ name: 'taken back' });
  const to = (text: string) => [{ set: { ...setting({ A: text }).set, project: 'taken back', createMissing: true } }];
  await apply(to('1'));
  const { revision } = (await apply(to('2'))).appliedChangeset;
  await apply(to('3'));
  const { revertChangeset } = await fixture.request(
    `mutation ($revision: ID!) { revertChangeset(revision: $revision, input: {}) { ${ERROR_FIELDS} } }`,
    { revision: String(revision) },
  );

  expect(revertChangeset).toMatchObject({
    __typename: 'Conflict',
    fields: [{ field: 'conflicts.0', message: expect.stringMatching(/\S/) }],
  });
});

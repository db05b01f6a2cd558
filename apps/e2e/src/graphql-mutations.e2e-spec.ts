import type { TestOrganization } from '@strata/testkit';
import { type GraphQLFixture, sharedGraphQL } from './graphql-access.ts';

let stack: GraphQLFixture;
let organization: TestOrganization;

beforeAll(async () => {
  stack = await sharedGraphQL();
});
beforeEach(async () => {
  organization = await stack.organization();
});

const PROBLEM = `... on Problem { __typename code message } ... on ValidationProblem { fields { field message } }
  ... on PreconditionFailed { present { object { type id name } ledgerId action revision at actor { name type } operation } }`;

/** Runs one mutation and returns its result. */
async function change(field: string, variables: Record<string, unknown>, declared: string, selection = '') {
  const query = `mutation (${declared}) { done: ${field} { __typename ${selection} ${PROBLEM} } }`;
  const { data, errors } = await stack.request(query, variables, organization.ownerAuthorization);
  if (errors) throw new Error(JSON.stringify(errors));
  return data.done;
}

const createEnvironment = (input: Record<string, unknown>) =>
  change(
    'createEnvironment(input: $input)',
    { input },
    '$input: CreateEnvironmentInput!',
    '... on EnvironmentSaved { revision environment { id name ledgerId parent { name } } }',
  );

const updateEnvironment = (id: string, input: Record<string, unknown>, expected: string | null = null) =>
  change(
    'updateEnvironment(id: $id, input: $input, expectedLedgerId: $expected)',
    { id, input, expected },
    '$id: ID!, $input: UpdateEnvironmentInput!, $expected: ID',
    '... on EnvironmentSaved { revision environment { id name description ledgerId parent { name } } }',
  );

const removal = (field: string, id: string) =>
  change(`${field}(id: $id)`, { id }, '$id: ID!', '... on Deleted { id revision }');

describe('environments', () => {
  it('are created, changed and deleted, each with a revision', async () => {
    const createdEnvironment = await createEnvironment({ name: 'qa' });
    expect(createdEnvironment).toMatchObject({
      __typename: 'EnvironmentSaved',
      environment: { name: 'qa', parent: { name: 'default' } },
    });
    const { id, ledgerId } = createdEnvironment.environment;

    const changed = await updateEnvironment(id, { description: 'for testers' });
    expect(changed).toMatchObject({
      revision: createdEnvironment.revision + 1,
      environment: { name: 'qa', description: 'for testers' },
    });
    expect(changed.environment.ledgerId).not.toBe(ledgerId);

    expect(await removal('deleteEnvironment', id)).toMatchObject({
      __typename: 'Deleted',
      id,
      revision: createdEnvironment.revision + 2,
    });
    expect(await removal('deleteEnvironment', id)).toMatchObject({ __typename: 'NotFound' });
  });

  it('return which field is invalid', async () => {
    expect(await createEnvironment({ name: 'production' })).toMatchObject({
      __typename: 'ValidationProblem',
      code: 'duplicate_name',
      fields: [{ field: 'name', message: expect.any(String) }],
    });
  });

  it('return which objects conflict', async () => {
    const root = await organization.environmentNamed('default');

    expect(await removal('deleteEnvironment', root.id)).toMatchObject({
      __typename: 'Conflict',
      message: expect.any(String),
    });
  });

  it('are not overwritten without a matching version', async () => {
    const { environment } = await createEnvironment({ name: 'qa' });
    const first = await updateEnvironment(environment.id, { description: 'one' }, environment.ledgerId);
    const second = await updateEnvironment(environment.id, { description: 'two' }, environment.ledgerId);
    const third = await updateEnvironment(environment.id, { description: 'two' }, first.environment.ledgerId);

    expect([first.__typename, second.__typename, third.__typename]).toEqual([
      'EnvironmentSaved',
      'PreconditionFailed',
      'EnvironmentSaved',
    ]);
    expect(second).toMatchObject({
      present: [
        {
          object: { type: 'Environment', id: environment.id, name: 'qa' },
          ledgerId: first.environment.ledgerId,
          action: 'update',
          revision: first.revision,
          actor: { name: 'Owner', type: 'interactive' },
          operation: null,
        },
      ],
    });
  });

  it('are not changed by a viewer', async () => {
    const query = 'mutation { createEnvironment(input: { name: "qa" }) { ... on Problem { __typename code } } }';
    const { data } = await stack.request(query, {}, await organization.authorization('VIEWER'));

    expect(data.createEnvironment).toMatchObject({ __typename: 'PermissionDenied' });
  });
});

describe('projects and parameters', () => {
  it('are created, changed and deleted', async () => {
    const { project } = await change(
      'createProject(input: $input)',
      { input: { name: 'shop' } },
      '$input: CreateProjectInput!',
      '... on ProjectSaved { project { id } }',
    );
    const { parameter } = await change(
      'createParameter(input: $input)',
      { input: { projectId: project.id, name: 'PORT', type: 'integer' } },
      '$input: CreateParameterInput!',
      '... on ParameterSaved { parameter { id type secret } }',
    );
    expect(parameter).toMatchObject({ type: 'integer', secret: false });

    const renamed = await change(
      'updateParameter(projectId: $p, id: $id, input: { name: "HTTP_PORT" })',
      { p: project.id, id: parameter.id },
      '$p: ID!, $id: ID!',
      '... on ParameterSaved { parameter { name project { name } } }',
    );
    expect(renamed.parameter).toEqual({ name: 'HTTP_PORT', project: { name: 'shop' } });

    const deletion = await change(
      'deleteParameter(projectId: $p, id: $id)',
      { p: project.id, id: parameter.id },
      '$p: ID!, $id: ID!',
      '... on Deleted { id }',
    );
    expect(deletion).toMatchObject({ __typename: 'Deleted', id: parameter.id });
    expect(await removal('deleteProject', project.id)).toMatchObject({ __typename: 'Deleted' });
  });

  it('become independent of their base project with null', async () => {
    const base = await organization.project();
    const child = await organization.project({ depends_on: base.url });
    const update = (input: Record<string, unknown>) =>
      change(
        'updateProject(id: $id, input: $input)',
        { id: child.id, input },
        '$id: ID!, $input: UpdateProjectInput!',
        '... on ProjectSaved { project { dependsOnId } }',
      );

    expect((await update({ description: 'stays' })).project).toEqual({ dependsOnId: base.id });
    expect((await update({ dependsOnId: null })).project).toEqual({ dependsOnId: null });
  });
});

describe('values', () => {
  async function setting(input: { secret?: boolean; type?: string } = {}) {
    const project = await organization.project();
    const parameter = await organization.parameter({ project, ...input });
    const production = await organization.environmentNamed('production');
    const target = { projectId: project.id, parameterId: parameter.id, environmentId: production.id };
    const set = (value: unknown, expected: string | null = null, absent = false) =>
      change(
        'setValue(input: $input, expectedLedgerId: $expected, expectAbsent: $absent)',
        { input: { ...target, internalValue: value }, expected, absent },
        '$input: SetValueInput!, $expected: ID, $absent: Boolean!',
        '... on ValueSaved { created revision value { id ledgerId value environmentName } }',
      );
    const unset = () =>
      change(
        'unsetValue(projectId: $projectId, parameterId: $parameterId, environmentId: $environmentId)',
        target,
        '$projectId: ID!, $parameterId: ID!, $environmentId: ID!',
        '... on Deleted { revision }',
      );
    return { set, unset };
  }

  it('are set, set again and unset', async () => {
    const { set, unset } = await setting();

    expect(await set('a')).toMatchObject({ created: true, value: { value: 'a', environmentName: 'production' } });
    expect(await set('b')).toMatchObject({ created: false, value: { value: 'b' } });
    expect(await set(null)).toMatchObject({ created: false, value: { value: null } });
    expect(await unset()).toMatchObject({ __typename: 'Deleted', revision: expect.any(Number) });
    expect(await unset()).toMatchObject({ __typename: 'NotFound' });
  });

  it('are overwritten and created only with the expected version, and return who changed the object first', async () => {
    const { set, unset } = await setting({ secret: true });
    const first = await set('hunter1', null, true);
    expect(first).toMatchObject({ __typename: 'ValueSaved', created: true });
    const { id, ledgerId } = first.value;
    const currentVersion = { object: { type: 'Value', id }, ledgerId, action: 'create', actor: { name: 'Owner' } };

    const late = await set('hunter2', null, true);
    expect(late).toMatchObject({ __typename: 'PreconditionFailed', present: [currentVersion] });
    expect(JSON.stringify(late)).not.toContain('hunter');
    const second = await set('hunter3', ledgerId);
    expect(second).toMatchObject({ __typename: 'ValueSaved', created: false });
    expect(await set('hunter4', ledgerId)).toMatchObject({
      present: [{ object: { id }, ledgerId: second.value.ledgerId, action: 'update', revision: second.revision }],
    });
    expect(await set('hunter4', 'not a version')).toMatchObject({ __typename: 'PreconditionFailed' });
    expect(await set('hunter4', ledgerId, true)).toMatchObject({ code: 'contradiction' });
    await unset();
    // An empty text is not a version, and is not the same as no expected version.
    for (const expected of [second.value.ledgerId, '']) {
      expect(await set('hunter4', expected)).toMatchObject({ __typename: 'PreconditionFailed', present: [] });
    }
    expect(await set('hunter4', '', true)).toMatchObject({ code: 'contradiction' });
  });

  it('must fit their type', async () => {
    const { set } = await setting({ type: 'integer' });

    expect(await set('many')).toMatchObject({ __typename: 'ValidationProblem', fields: [{ field: 'internal_value' }] });
  });

  it('are not returned when secret', async () => {
    const { set } = await setting({ secret: true });

    expect(await set('hunter2')).toMatchObject({ created: true, value: { value: '*****' } });
  });

  it('are set by many concurrent requests without an error', async () => {
    const { set } = await setting();
    const done = await Promise.all(['a', 'b', 'c', 'd'].map((text) => set(text)));

    expect(done.map(({ __typename }) => __typename)).toEqual(Array(4).fill('ValueSaved'));
    expect(done.filter(({ created }) => created)).toHaveLength(1);
  });
});

describe('the fields of one mutation', () => {
  it('each return the writes of the previous ones', async () => {
    const { id } = await organization.environmentNamed('staging');
    const tag = (name: string) =>
      `createTag(input: { environmentId: "${id}", name: "${name}" }) { ... on TagSaved { tag { environment { name } } } ${PROBLEM} }`;
    const { data, errors } = await stack.request(
      `mutation { a: ${tag('v1')} b: updateEnvironment(id: "${id}", input: { name: "renamed" }) { __typename } c: ${tag('v2')} }`,
      {},
      organization.ownerAuthorization,
    );

    expect(errors).toBeUndefined();
    expect(data).toEqual({
      a: { tag: { environment: { name: 'staging' } } },
      b: { __typename: 'EnvironmentSaved' },
      c: { tag: { environment: { name: 'renamed' } } },
    });
  });
});

import { useSharedGraphQL } from './graphql-access.ts';

const fixture = useSharedGraphQL();

describe('copies over GraphQL', () => {
  it('of environments, projects and parameters include their contents', async () => {
    const project = await fixture.organization.project({ name: 'shop' });
    const parameter = await fixture.organization.parameter({ project, name: 'PORT' });
    const staging = await fixture.organization.environmentNamed('staging');
    await fixture.organization.value({ parameter, environment: staging, internal_value: '8080' });
    const { copyEnvironment, copyProject, copyParameter } = await fixture.request(
      `mutation ($environment: ID!, $project: ID!, $parameter: ID!) {
        copyEnvironment(id: $environment, input: { name: "staging-2" }) { ... on EnvironmentSaved { environment { id name } } ... on Problem { code message } }
        copyProject(id: $project, input: { name: "shop-2" }) { ... on ProjectSaved { project { name parameters { edges { node { name } } } } } ... on Problem { code message } }
        copyParameter(projectId: $project, id: $parameter, input: { name: "PORT_2", projectId: $project }) { ... on ParameterSaved { parameter { name values { value } } } ... on Problem { code message } }
      }`,
      { environment: staging.id, project: project.id, parameter: parameter.id },
    );

    expect(copyEnvironment.environment).toMatchObject({ name: 'staging-2' });
    expect(copyProject.project).toEqual({ name: 'shop-2', parameters: { edges: [{ node: { name: 'PORT' } }] } });
    expect(copyParameter.parameter.name).toBe('PORT_2');
    expect(copyParameter.parameter.values).toContainEqual({ value: '8080' });
  });

  it('report that the name is taken', async () => {
    const project = await fixture.organization.project({ name: 'shop' });
    const { copyProject } = await fixture.request(
      'mutation ($id: ID!) { copyProject(id: $id, input: { name: "shop" }) { __typename ... on ValidationProblem { fields { field } } } }',
      { id: project.id },
    );

    expect(copyProject).toMatchObject({ __typename: 'ValidationProblem' });
  });
});

describe('an import', () => {
  const IMPORT = `mutation ($input: ImportParametersInput!, $preview: Boolean!) { importParameters(input: $input, preview: $preview) {
    ... on ImportSaved { import { parameters { parameterName value secret action parameterId } } revision }
    ... on ValidationProblem { code fields { field message } }
  } }`;
  const input = {
    project: 'shop',
    environment: 'default',
    body: 'PORT=8080\nTOKEN=hunter2\nNOISE=1\n',
    secrets: ['TOKEN'],
    ignore: ['NOISE'],
  };

  it('returns a preview, stores the same, and returns no secret', async () => {
    const preview = await fixture.request(IMPORT, { input, preview: true });
    expect((await fixture.request('{ projects(name: "shop") { totalCount } }')).projects.totalCount).toBe(0);
    const done = await fixture.request(IMPORT, { input, preview: false });

    expect(preview.importParameters.import.parameters).toMatchObject([
      { parameterName: 'PORT', value: '8080', action: 'created', parameterId: null },
      { parameterName: 'TOKEN', value: '*****', secret: true },
    ]);
    expect(done.importParameters.import.parameters).toMatchObject([
      { parameterName: 'PORT', parameterId: expect.any(String) },
      { parameterName: 'TOKEN', value: '*****' },
    ]);
    expect(JSON.stringify([preview, done])).not.toContain('hunter2');
    const { projects } = await fixture.request(
      '{ projects(name: "shop") { edges { node { parameters { totalCount } } } } }',
    );
    expect(projects.edges).toEqual([{ node: { parameters: { totalCount: 2 } } }]);
  });

  it('is rejected as a whole when a line cannot be parsed', async () => {
    const { importParameters } = await fixture.request(IMPORT, {
      input: { ...input, body: 'PORT=8080\nthis is no line' },
      preview: false,
    });

    expect(importParameters).toMatchObject({ code: expect.any(String) });
    expect((await fixture.request('{ projects(name: "shop") { totalCount } }')).projects.totalCount).toBe(0);
  });
});

describe('a backup', () => {
  const BACKUP =
    'mutation { backupSnapshot { ... on BackupSnapshotSaved { backupSnapshot { environments projects timestamp } } ... on Problem { __typename } } }';

  it('contains everything by name', async () => {
    await fixture.organization.parameter({
      project: await fixture.organization.project({ name: 'shop' }),
      name: 'PORT',
    });
    const { backupSnapshot } = await fixture.request(BACKUP);

    expect(Object.keys(backupSnapshot.backupSnapshot.environments)).toContain('production');
    expect(backupSnapshot.backupSnapshot.projects.shop.parameters).toHaveProperty('PORT');
  });

  it('contains tags, groups and grants only if the request selects them', async () => {
    const { backupSnapshot } = await fixture.request(
      `mutation {
        backupSnapshot(extended: true) { ... on BackupSnapshotSaved { backupSnapshot { tags groups grants } } }
      }`,
    );

    expect(backupSnapshot.backupSnapshot).toEqual({ tags: [], groups: [], grants: [] });
  });

  it('is not returned to a caller without permission', async () => {
    const { data } = await fixture.stack.request(BACKUP, {}, await fixture.organization.authorization('CONTRIB'));

    expect(data.backupSnapshot).toEqual({ __typename: 'PermissionDenied' });
  });
});

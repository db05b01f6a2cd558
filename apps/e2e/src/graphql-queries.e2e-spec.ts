import type { Parameter } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import type { GraphQLResult } from './graphql-access.ts';
import { GraphQLStack } from './graphql-stack.ts';

let stack: GraphQLStack;
let organization: TestOrganization;

beforeAll(async () => {
  stack = await GraphQLStack.start();
});
afterAll(() => stack.close());
beforeEach(async () => {
  organization = await stack.organization();
  stack.upstream.length = 0;
});

const request = (query: string, variables: Record<string, unknown> = {}) =>
  stack.request(query, variables, organization.ownerAuthorization);

describe('viewer', () => {
  it('returns the user with organization and role', async () => {
    const { data, errors } = await request('{ viewer { user { id name type } organization { id name } role } }');

    expect(errors).toBeUndefined();
    expect(data.viewer).toMatchObject({
      user: { type: 'interactive' },
      organization: { id: organization.id, name: organization.name },
      role: 'OWNER',
    });
  });

  it.each`
    credential             | authorization
    ${'none'}              | ${''}
    ${'one of no scheme'}  | ${'nonsense'}
    ${'an invented key'}   | ${'Api-Key abcdefgh.0123456789012345678901234567890123456789012'}
    ${'an invented token'} | ${'Bearer eyJhbGciOiJub25lIn0.e30.e30'}
  `('fails with $credential', async ({ authorization }) => {
    const { data, errors } = await stack.request('{ projects { totalCount } }', {}, authorization);

    expect(data).toBeNull();
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED', requestId: expect.any(String) });
  });

  it('cannot read objects of other organizations', async () => {
    const theirs = await (await stack.organization()).project();
    const { data } = await request(
      'query ($id: ID!) { project(id: $id) { id } effective(projectId: $id, environmentId: "production") { digest } }',
      {
        id: theirs.id,
      },
    );

    expect(data).toEqual({ project: null, effective: null });
  });
});

describe('environments and projects', () => {
  it('are connections with their related objects, one request to the core per level', async () => {
    const { data, errors } = await request(`{
      environments(first: 10) {
        totalCount
        revision
        edges { cursor node { name parent { name } children { name parent { name } } } }
        pageInfo { hasNextPage hasPreviousPage }
      }
    }`);

    expect(errors).toBeUndefined();
    const nodes = data.environments.edges.map((edge: { node: unknown }) => edge.node);
    expect(nodes).toContainEqual({ name: 'production', parent: { name: 'default' }, children: [] });
    expect(nodes[0]).toMatchObject({ name: 'default', parent: null });
    expect(data.environments).toMatchObject({ totalCount: 4, revision: expect.any(Number) });
    expect(stack.upstream.length).toBeLessThanOrEqual(3);
  });

  it('are paged through without loss', async () => {
    for (let i = 0; i < 7; i += 1) await organization.project();
    const query =
      'query ($after: String) { projects(first: 3, after: $after) { totalCount edges { node { name } } pageInfo { hasNextPage endCursor } } }';
    const names: string[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const { data }: GraphQLResult = await request(query, { after });
      names.push(...data.projects.edges.map((edge: { node: { name: string } }) => edge.node.name));
      after = data.projects.pageInfo.endCursor;
      more = data.projects.pageInfo.hasNextPage;
    }

    expect(names).toHaveLength(8);
    expect(new Set(names).size).toBe(8);
  });

  it('return what they depend on and what depends on them', async () => {
    const base = await organization.project();
    const child = await organization.project({ depends_on: base.url });
    const { data } = await request(
      'query ($id: ID!) { project(id: $id) { dependsOn { id dependents { id name } } } }',
      {
        id: child.id,
      },
    );

    expect(data.project.dependsOn).toEqual({ id: base.id, dependents: [{ id: child.id, name: child.name }] });
  });

  it('are found again by nodeId', async () => {
    const project = await organization.project();
    const parameter = await organization.parameter({ project });
    const { data } = await request(
      'query ($project: ID!, $parameter: ID!) { project(id: $project) { nodeId } parameter(projectId: $project, id: $parameter) { nodeId } }',
      { project: project.id, parameter: parameter.id },
    );
    const repeatedResponse = await request(
      'query ($a: ID!, $b: ID!, $c: ID!) { a: node(id: $a) { __typename id } b: node(id: $b) { __typename id } c: node(id: $c) { __typename id } }',
      {
        a: data.project.nodeId,
        b: data.parameter.nodeId,
        c: project.id,
      },
    );

    expect(repeatedResponse.data).toEqual({
      a: { __typename: 'Project', id: project.id },
      b: { __typename: 'Parameter', id: parameter.id },
      c: { __typename: 'Project', id: project.id },
    });
  });
});

describe('parameters and their values', () => {
  async function createParameters(count: number) {
    const project = await organization.project();
    const production = await organization.environmentNamed('production');
    const parameters: Parameter[] = [];
    for (let i = 0; i < count; i += 1) {
      const parameter = await organization.parameter({ project });
      await organization.value({ parameter, internal_value: `default ${i}` });
      if (i % 2 === 0)
        await organization.value({ parameter, environment: production, internal_value: `production ${i}` });
      parameters.push(parameter);
    }
    stack.upstream.length = 0;
    return { project, parameters };
  }

  it('are read with their effective values in two requests, however many there are', async () => {
    const { project } = await createParameters(6);
    const { data, errors } = await request(
      `query ($id: ID!) {
        project(id: $id) {
          parameters(environment: "production", first: 100) {
            edges { node { name secret type effective { value environmentName inherited } } }
          }
        }
      }`,
      { id: project.id },
    );

    expect(errors).toBeUndefined();
    expect(data.project.parameters.edges.map((edge: { node: { effective: unknown } }) => edge.node.effective)).toEqual(
      [0, 1, 2, 3, 4, 5].map((i) =>
        i % 2 === 0
          ? { value: `production ${i}`, environmentName: 'production', inherited: false }
          : { value: `default ${i}`, environmentName: 'default', inherited: true },
      ),
    );
    expect(stack.upstream).toHaveLength(2);
  });

  it('join back to environments, parameters and projects in one request per level', async () => {
    const { project } = await createParameters(6);
    const { data, errors } = await request(
      `query ($id: ID!) {
        project(id: $id) {
          parameters {
            edges { node {
              staging: effective(environment: "staging") { environmentName }
              production: effective(environment: "production") { environment { parent { name } } parameter { project { name } } }
              values { environmentName value }
            } }
          }
        }
      }`,
      { id: project.id },
    );

    expect(errors).toBeUndefined();
    expect(data.project.parameters.edges[0].node).toEqual({
      staging: { environmentName: 'default' },
      production: { environment: { parent: { name: 'default' } }, parameter: { project: { name: project.name } } },
      values: [
        { environmentName: 'default', value: 'default 0' },
        { environmentName: 'production', value: 'production 0' },
      ],
    });
    // One request each for project, parameters, staging, production, all values, environments, parents and parameters. Projects are cached.
    expect(stack.upstream.length).toBeLessThanOrEqual(8);
  });

  it('keep secrets masked until they are revealed', async () => {
    const parameter = await organization.parameter({ secret: true });
    await organization.value({ parameter, internal_value: 'hunter2' });
    const query = `query ($id: ID!, $reveal: Boolean!) {
      project(id: $id) { parameters(environment: "production", reveal: $reveal) { edges { node {
        effective { value internalValue secret }
        staging: effective(environment: "staging") { value }
        values { value }
      } } } }
      effective(projectId: $id, environmentId: "production", reveal: $reveal) { hasSecret map values { value } }
    }`;
    const id = parameter.project.split('/').at(-2);
    const masked = await request(query, { id, reveal: false });
    const shownResponse = await request(query, { id, reveal: true });

    expect(masked.errors).toBeUndefined();
    expect(JSON.stringify(masked.data)).not.toContain('hunter2');
    expect(masked.data.project.parameters.edges[0].node).toEqual({
      effective: { value: '*****', internalValue: null, secret: true },
      staging: { value: '*****' },
      values: [{ value: '*****' }],
    });
    expect(masked.data.effective).toMatchObject({ hasSecret: true, values: [{ value: '*****' }] });
    expect(shownResponse.data.project.parameters.edges[0].node).toEqual({
      effective: { value: 'hunter2', internalValue: null, secret: true },
      staging: { value: 'hunter2' },
      values: [{ value: 'hunter2' }],
    });
    expect(shownResponse.data.effective.map).toEqual({ [parameter.name]: 'hunter2' });
  });

  it('return the same digest of the effective configuration as REST, in one request', async () => {
    const { project } = await createParameters(2);
    const { data } = await request(
      'query ($id: ID!) { effective(projectId: $id, environmentId: "production") { projectName environmentName revision digest hasSecret map } }',
      { id: project.id },
    );
    expect(stack.upstream).toHaveLength(1);
    const { body } = await organization.owner.get<Record<string, unknown>>(
      `${project.url}effective/?environment=production`,
    );

    expect(data.effective).toEqual({
      projectName: project.name,
      environmentName: 'production',
      revision: body.revision,
      digest: body.digest,
      hasSecret: false,
      map: body.values,
    });
  });

  it('return which environment does not exist', async () => {
    const project = await organization.project();
    const { errors } = await request(
      'query ($id: ID!) { project(id: $id) { parameters(environment: "nowhere") { totalCount } } }',
      {
        id: project.id,
      },
    );

    expect(errors?.[0]).toMatchObject({
      message: expect.stringContaining('No Environment matches'),
      extensions: { code: 'NOT_FOUND' },
    });
  });
});

import type { Parameter, Project } from '@strata/contract';
import { useGraphQLStack } from './graphql-stack.ts';

const fixture = useGraphQLStack();

/** Creates projects with two parameters, a template and values, and a tag in every environment. */
async function fillOrganization(count: number) {
  const projects: { project: Project; parameters: Parameter[] }[] = [];
  const production = await fixture.organization.environmentNamed('production');
  for (let index = 0; index < count; index += 1) {
    const project = await fixture.organization.project();
    const parameters = [
      await fixture.organization.parameter({ project }),
      await fixture.organization.parameter({ project }),
    ];
    for (const parameter of parameters) {
      await fixture.organization.value({ parameter, internal_value: `of all ${index}` });
      await fixture.organization.value({
        parameter,
        environment: production,
        internal_value: `of production ${index}`,
      });
    }
    await fixture.organization.owner.post(`${project.url}templates/`, { name: 't', body: `text ${index}` });
    projects.push({ project, parameters });
  }
  fixture.stack.upstream.length = 0;
  return projects;
}

/** Every new organization has one empty project. */
const FIRST = 'MyFirstProject';

/** Returns the rows of a connection. */
const rows = <Row>(connection: { edges: { node: Row }[] }): Row[] =>
  connection.edges.map(({ node }) => node).filter((node) => (node as { name?: string }).name !== FIRST);

describe('the number of requests to the core', () => {
  it.each([2, 7])('depends on the levels of a document, not on its %d projects', async (count) => {
    await fillOrganization(count);
    const { projects } = await fixture.request(
      '{ projects(first: 9) { edges { node { name parameters(first: 20) { edges { node { name } } } } } } }',
    );

    expect(rows<{ parameters: { edges: [] } }>(projects).map(({ parameters }) => parameters.edges.length)).toEqual(
      Array(count).fill(2),
    );
    expect(fixture.stack.upstream).toHaveLength(2);
  });

  it.each([2, 5])('increases by one for the effective values of %d projects in four environments', async (count) => {
    const projectsInput = await fillOrganization(count);
    const { projects } =
      await fixture.request(`{ projects(first: 9) { edges { node { name parameters(first: 5) { edges { node {
      a: effective(environment: "default") { value environmentName inherited }
      b: effective(environment: "production") { value environmentName inherited parameterId updated: modifiedAt }
      c: effective(environment: "staging") { value id nodeId }
      d: effective(environment: "development") { value secret ledgerId }
    } } } } } } }`);

    expect(fixture.stack.upstream).toHaveLength(3);
    const [first] = rows<{ parameters: { edges: { node: unknown }[] } }>(projects);
    expect(rows(first?.parameters ?? { edges: [] })[0]).toMatchObject({
      a: { value: 'of all 0', environmentName: 'default', inherited: false },
      b: { value: 'of production 0', environmentName: 'production', parameterId: projectsInput[0]?.parameters[0]?.id },
      c: { value: 'of all 0' },
      d: { value: 'of all 0', secret: false },
    });
  });

  it('increases by one for data that the batch of effective values does not contain', async () => {
    await fillOrganization(3);
    const { projects } =
      await fixture.request(`{ projects(first: 9) { edges { node { parameters(first: 20) { edges { node {
      a: effective(environment: "production") { value internalValue external expiresAt environment { name } }
      b: effective(environment: "staging") { value internalValue }
    } } } } } } }`);

    expect(fixture.stack.upstream.length).toBeLessThanOrEqual(5);
    expect(rows<{ parameters: never }>(projects).flatMap(({ parameters }) => rows(parameters))[0]).toEqual({
      a: {
        value: 'of production 0',
        internalValue: 'of production 0',
        external: false,
        expiresAt: null,
        environment: { name: 'production' },
      },
      b: { value: 'of all 0', internalValue: 'of all 0' },
    });
  });

  it('increases by two for the timelines of twenty parameters, and for the templates and tags of all parents', async () => {
    const [first] = await fillOrganization(1);
    for (let index = 0; index < 18; index += 1)
      await fixture.organization.parameter({ project: first?.project as Project });
    fixture.stack.upstream.length = 0;
    const firstPage = await fixture.request(
      'query ($id: ID!) { project(id: $id) { parameters(first: 20) { edges { node { timeline { count } } } } } }',
      { id: first?.project.id },
    );
    const timelines = fixture.stack.upstream.splice(0);
    const two = await fixture.request('{ environments(first: 5) { edges { node { tags { totalCount } } } } }');
    const tags = fixture.stack.upstream.splice(0);
    await fillOrganization(4);
    await fixture.request(
      '{ projects(first: 9) { edges { node { templates(first: 5) { edges { node { name timeline { count } } } } } } } }',
    );
    const templates = fixture.stack.upstream.splice(0);

    expect(
      rows<{ timeline: { count: number } }>(firstPage.project.parameters).map(({ timeline }) => timeline.count),
    ).toContain(1);
    expect(rows(two.environments)).toHaveLength(4);
    expect([timelines.length, tags.length, templates.length]).toEqual([3, 2, 3]);
  });

  it('does not limit the objects, because ids that do not fit into one request are split', async () => {
    const { owner } = fixture.organization;
    const parent = await fixture.organization.environmentNamed('production');
    const [base] = await fillOrganization(1);
    const creations = Array.from({ length: 230 }, async (_, index) => {
      await owner.post('environments/', { name: `e${index}`, parent: parent.url });
      await owner.post('projects/', { name: `p${index}`, depends_on: base?.project.url });
    });
    await Promise.all(creations);
    const { environment, project } = await fixture.request(
      'query ($e: ID!, $p: ID!) { environment(id: $e) { children { name } } project(id: $p) { dependents { name } } }',
      { e: parent.id, p: base?.project.id },
    );

    expect([environment.children.length, project.dependents.length]).toEqual([230, 230]);
  });

  it('increases by one when the core closes a kept-alive connection, because reads are repeated', async () => {
    await fixture.request('{ projects { totalCount } }');
    fixture.stack.upstream.length = 0;
    fixture.stack.hangUps = 1;
    const result = await fixture.request('{ projects { totalCount } environments { totalCount } }');

    expect(result).toEqual({ projects: { totalCount: 1 }, environments: { totalCount: 4 } });
    expect(fixture.stack.upstream).toEqual(Array(2).fill('POST /api/v1/batch/'));
  });

  it('does not grow with the objects that ids refer to', async () => {
    await fillOrganization(3);
    const { projects } = await fixture.request(`{ projects(first: 9) { edges { node {
      name templates(first: 5) { edges { node { project { name } } } } parameters(first: 20) { edges { node { project { name } } } }
    } } } }`);

    for (const node of rows<{ name: string; templates: never; parameters: never }>(projects))
      for (const shownRow of [...rows(node.templates), ...rows(node.parameters)])
        expect(shownRow).toEqual({ project: { name: node.name } });
    expect(fixture.stack.upstream).toHaveLength(3);
  });
});

describe('values that are read in one batch', () => {
  it('fail one by one if an environment does not exist', async () => {
    await fillOrganization(2);
    const { data, errors } = await fixture.stack.request(
      `{ projects(first: 9) { edges { node { parameters(first: 1) { edges { node {
        known: effective(environment: "production") { value }
        unknown: effective(environment: "nowhere") { value }
      } } } } } } }`,
      {},
      fixture.organization.ownerAuthorization,
    );

    const nodes = rows<{ parameters: never }>(data.projects).flatMap(({ parameters }) => rows(parameters));
    expect(nodes).toEqual([0, 1].map((at) => ({ known: { value: `of production ${at}` }, unknown: null })));
    expect(errors).toHaveLength(2);
    expect(errors?.[0]).toMatchObject({ message: expect.stringContaining('No Environment matches') });
  });

  it('contain secrets only on request', async () => {
    const parameter = await fixture.organization.parameter({ secret: true });
    await fixture.organization.value({ parameter, internal_value: 'hunter2' });
    await fixture.organization.project();
    const masked = await fixture.request(
      '{ projects(first: 9) { edges { node { parameters(first: 20) { edges { node { effective(environment: "staging") { value } } } } } } } }',
    );
    const shownRow = await fixture.request(
      '{ projects(first: 9) { edges { node { parameters(first: 20) { edges { node { effective(environment: "staging", reveal: true) { value } } } } } } } }',
    );

    expect(JSON.stringify(masked)).toContain('*****');
    expect(JSON.stringify(masked)).not.toContain('hunter2');
    expect(JSON.stringify(shownRow)).toContain('hunter2');
  });
});

describe('environments in arguments', () => {
  it('can be referred to by id or name everywhere', async () => {
    const [createdProject] = await fillOrganization(1);
    const production = await fixture.organization.environmentNamed('production');
    const query = `query ($project: ID!, $environment: ID!) {
      environment(id: $environment) { id name }
      effective(projectId: $project, environmentId: $environment) { environment { id name } environmentName }
    }`;
    const request = (environment: string) =>
      fixture.request(query, { project: createdProject?.project.id, environment });
    const expected = { id: production.id, name: 'production' };

    for (const environment of [production.id, 'production'])
      expect(await request(environment)).toEqual({
        environment: expected,
        effective: { environment: expected, environmentName: 'production' },
      });
    expect(await fixture.request('{ environment(id: "nowhere") { id } }')).toEqual({ environment: null });
  });
});

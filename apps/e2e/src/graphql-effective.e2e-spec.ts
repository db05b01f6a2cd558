import type { Parameter, Project, Value } from '@strata/contract';
import { useGraphQLStack } from './graphql-stack.ts';

const fixture = useGraphQLStack();

async function projectWith(...names: string[]) {
  const project = await fixture.organization.project({ name: 'a' });
  const values = new Map<string, { readonly url: string }>();
  for (const name of names) values.set(name, await writeValue(project, name, 'x'));
  return { project, values };
}

async function writeValue(project: Project, name: string, text: string, interpolated = false) {
  const parameter = await fixture.organization.parameter({ project, name });
  return fixture.organization.value({ parameter, internal_value: text, interpolated });
}

/** Creates a parameter `broken` whose text exceeds the evaluation limits although it was accepted when it was written. */
async function addBroken(project: Project): Promise<void> {
  const long = await writeValue(project, 'long', 'x');
  await writeValue(project, 'broken', '{{ long }}'.repeat(17), true);
  expect((await fixture.organization.owner.patch(long.url, { internal_value: 'x'.repeat(65_000) })).status).toBe(200);
}

describe('the environment of an effective value', () => {
  it('is the default one if its name is empty, and other fields keep theirs', async () => {
    await projectWith('port');
    const { projects } =
      await fixture.request(`{ projects(name: "a", first: 1) { edges { node { parameters(name: "port", first: 1) {
      edges { node { a: effective(environment: "production") { value activeEnvironmentName } b: effective(environment: "") { value activeEnvironmentName } } }
    } } } } }`);

    expect(projects.edges[0].node.parameters.edges[0].node).toEqual({
      a: { value: 'x', activeEnvironmentName: 'production' },
      b: { value: 'x', activeEnvironmentName: 'default' },
    });
  });

  it('fails only its own values if no environment has the name, and is fetched once for all projects', async () => {
    await projectWith('port');
    for (const name of ['b', 'c', 'd']) await writeValue(await fixture.organization.project({ name }), 'port', name);
    fixture.stack.upstream.length = 0;
    const { data, errors } = await fixture.stack.request(
      `{ projects(first: 9) { edges { node { parameters(name: "port") { edges { node {
        a: effective(environment: "production") { value } b: effective(environment: "staging") { value } c: effective(environment: "prod") { value }
      } } } } } } }`,
      {},
      fixture.organization.ownerAuthorization,
    );

    const rows = data.projects.edges.flatMap(({ node }: { node: { parameters: { edges: { node: unknown }[] } } }) =>
      node.parameters.edges.map((edge) => edge.node),
    );
    expect(rows).toEqual(['x', 'b', 'c', 'd'].map((value) => ({ a: { value }, b: { value }, c: null })));
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(Array(4).fill('NOT_FOUND'));
    // The requests: projects, parameters, the effective values, the effective values per environment, and the unknown environment per
    // project.
    expect(fixture.stack.upstream.length).toBeLessThanOrEqual(5);
  });
});

it('every field of effective values is fetched once for all projects, and equals the single values', async () => {
  const { owner } = fixture.organization;
  for (const name of ['a', 'b', 'c']) {
    const project = await fixture.organization.project({ name });
    await writeValue(project, 'port', name);
    await writeValue(project, 'link', '{{ port }}!', true);
    const parameter = await fixture.organization.parameter({ project, name: 'key', secret: true, expires: 'P1D' });
    await fixture.organization.value({ parameter, internal_value: 'hush' });
  }
  fixture.stack.upstream.length = 0;
  const { projects } =
    await fixture.request(`{ projects(first: 4) { edges { node { id parameters(first: 5) { edges { node { id effective(environment: "production") {
    id nodeId parameterId projectId environmentId environmentName activeEnvironmentId activeEnvironmentName ledgerId value internalValue secret interpolated evaluated inherited
    external externalError externalFilter externalFqn referencedParameterIds referencedProjectIds referencedTemplateIds createdAt modifiedAt expiresAt
  } } } } } } } }`);
  // projects, parameters, and all effective values
  expect(fixture.stack.upstream).toHaveLength(3);

  const values = projects.edges.flatMap(
    ({ node }: { node: { id: string; parameters: { edges: { node: object }[] } } }) =>
      node.parameters.edges.map((edge) => ({ projectId: node.id, ...(edge.node as { id: string; effective: Value }) })),
  );
  expect(values).toHaveLength(9);
  expect(
    values.map(({ effective }: { effective: { expiresAt: string | null } }) => effective.expiresAt !== null),
  ).toEqual(values.map((_: unknown, at: number) => at % 3 === 0));
  for (const { projectId, id, effective } of values) {
    const path = `projects/${projectId}/parameters/${id}/?environment=production&mask_secrets=true`;
    const [single] = (await owner.get<Parameter>(path)).body.values_flat;
    const parseIds = (links: readonly string[] = []) => links.map((link) => link.split('/').at(-2));
    expect(effective).toMatchObject({
      id: single?.id,
      ledgerId: single?.ledger_id,
      projectId,
      parameterId: single?.parameter_id,
      environmentId: single?.environment_id,
      environmentName: single?.environment_name,
      activeEnvironmentId: single?.active_environment_id,
      activeEnvironmentName: single?.active_environment_name,
      createdAt: single?.created_at,
      modifiedAt: single?.modified_at,
      expiresAt: single?.expires_at,
      value: single?.value,
      internalValue: single?.internal_value,
      secret: single?.secret,
      interpolated: single?.interpolated,
      evaluated: single?.evaluated,
      external: single?.external,
      externalError: single?.external_error,
      externalFilter: single?.external_filter,
      externalFqn: single?.external_fqn,
      referencedParameterIds: parseIds(single?.referenced_parameters),
      referencedProjectIds: parseIds(single?.referenced_projects),
      referencedTemplateIds: parseIds(single?.referenced_templates),
    });
  }
});

describe('a text that cannot be evaluated', () => {
  it('does not affect the lists of other projects, and its own list returns the problem', async () => {
    const { project } = await projectWith('port');
    await addBroken(project);
    await writeValue(await fixture.organization.project({ name: 'b' }), 'port', 'y');
    const { projects } = await fixture.request(`{ projects(first: 3) { edges { node { name
      parameters(environment: "default", first: 5) { problem { __typename code message } edges { node { name effective { value } } } }
    } } } }`);

    const [first, second] = projects.edges.map(({ node }: { node: object }) => node);
    const problem = { __typename: 'ValidationProblem', code: 'evaluation_failed', message: expect.any(String) };
    expect([first, second]).toEqual([
      { name: 'a', parameters: { problem, edges: [] } },
      { name: 'b', parameters: { problem: null, edges: [{ node: { name: 'port', effective: { value: 'y' } } }] } },
    ]);
  });

  it('fails only its own effective value, and the stored text is returned among the values of its parameter', async () => {
    const { project } = await projectWith('port');
    await addBroken(project);
    const { data, errors } = await fixture.stack.request(
      `query ($id: ID!) { project(id: $id) { parameters(first: 5) { edges { node {
        name effective(environment: "production") { value } values { value evaluated }
      } } } } }`,
      { id: project.id },
      fixture.organization.ownerAuthorization,
    );

    const rows = data.project.parameters.edges.map(({ node }: { node: object }) => node);
    expect(rows).toMatchObject([
      { name: 'broken', effective: null, values: [{ value: '{{ long }}'.repeat(17), evaluated: false }] },
      { name: 'long', effective: { value: expect.stringMatching(/^x+$/) }, values: [{ evaluated: false }] },
      { name: 'port', effective: { value: 'x' }, values: [{ value: 'x', evaluated: false }] },
    ]);
    expect(errors?.map(({ extensions }) => extensions.reason)).toEqual(['evaluation_failed']);
  });
});

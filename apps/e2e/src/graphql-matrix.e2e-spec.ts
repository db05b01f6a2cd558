import { useSharedGraphQL } from './graphql-access.ts';

const fixture = useSharedGraphQL();

const CELL = 'states text raw environmentName projectName valueId';

/** Creates two parameters in `shop`, one of which production overrides, and an environment with a comma in its name. */
async function shop() {
  const { organization } = fixture;
  const production = await organization.environmentNamed('production');
  const blue = await organization.environment({ name: 'blue, green', parent: production.url });
  const project = await organization.project({ name: 'shop' });
  const port = await organization.parameter({ project, name: 'port' });
  await organization.value({ parameter: port, internal_value: '80' });
  const live = await organization.value({ parameter: port, environment: production, internal_value: '443' });
  const password = await organization.parameter({ project, name: 'password', secret: true });
  await organization.value({ parameter: password, environment: production, internal_value: 'canary-5e4b' });
  return { organization, project, production, blue, port, live };
}

describe('the matrix of a project', () => {
  it('is a connection of parameter names with a list of columns', async () => {
    const { project, production, live } = await shop();
    const query = `query ($id: ID!) { project(id: $id) { matrix(environment: ["blue, green", "production"]) {
      totalCount revision problem { message } environments { name closed parentId environment { name } }
      edges { node { name secret parameter { name } project { name } cells { ${CELL} } } } } } }`;
    const { project: projectNode } = await fixture.request(query, { id: project.id });

    expect(projectNode.matrix).toMatchObject({
      totalCount: 2,
      revision: expect.any(Number),
      problem: null,
      environments: [
        { name: 'blue, green', closed: false, parentId: production.id, environment: { name: 'blue, green' } },
        { name: 'production', closed: false },
      ],
      edges: [
        { node: { name: 'password', secret: true, parameter: { name: 'password' }, project: { name: 'shop' } } },
        { node: { name: 'port', secret: false } },
      ],
    });
    expect(projectNode.matrix.edges[1].node.cells).toEqual([
      {
        ...{ states: ['inherited'], text: '443', raw: null },
        ...{ environmentName: 'production', projectName: null, valueId: null },
      },
      {
        ...{ states: ['own', 'differs'], text: '443', raw: null },
        ...{ environmentName: null, projectName: null, valueId: live.id },
      },
    ]);
    expect(JSON.stringify(projectNode)).not.toContain('canary-5e4b');
  });

  it('has groups of names with the same prefix if it is sorted by prefix', async () => {
    const { project } = await shop();
    const query = `query ($id: ID!, $ordering: String) { project(id: $id) {
      matrix(first: 0, ordering: $ordering) { totalCount groups { prefix count } } } }`;
    const groups = async (ordering?: string) =>
      (await fixture.request(query, { id: project.id, ordering })).project.matrix.groups;
    for (const name of ['log.level', 'log.format']) await fixture.organization.parameter({ project, name });

    expect(await groups('project,prefix')).toEqual([
      { prefix: 'log', count: 2 },
      { prefix: null, count: 2 },
    ]);
    expect(await groups()).toEqual([]);
  });

  it('can be filtered, and its pages continue from their cursors', async () => {
    const { project } = await shop();
    const query = `query ($id: ID!, $after: String, $state: [MatrixState!]) { project(id: $id) {
      matrix(first: 1, after: $after, state: $state) {
        totalCount pageInfo { hasNextPage endCursor } edges { node { name } } } } }`;
    const fetchNames = async (variables: object) => {
      const { project: projectNode } = await fixture.request(query, { id: project.id, ...variables });
      const { totalCount, pageInfo, edges } = projectNode.matrix;
      return { totalCount, pageInfo, names: edges.map(({ node }: { node: { name: string } }) => node.name) };
    };
    const first = await fetchNames({});
    expect(first).toMatchObject({ totalCount: 2, names: ['password'], pageInfo: { hasNextPage: true } });
    expect(await fetchNames({ after: first.pageInfo.endCursor })).toMatchObject({
      names: ['port'],
      pageInfo: { hasNextPage: false },
    });
    expect(await fetchNames({ state: ['missing'] })).toMatchObject({ totalCount: 1, names: ['password'] });
  });

  it('can start at an offset, for clients that show a part of many rows', async () => {
    const { project } = await shop();
    const query = `query ($id: ID!, $skip: Int!, $after: String) { project(id: $id) {
      matrix(first: 1, skip: $skip, after: $after, ordering: "name") { totalCount pageInfo { endCursor } edges { node { name } } } } }`;
    const page = async (variables: object) =>
      (await fixture.request(query, { id: project.id, ...variables })).project.matrix;

    expect(await page({ skip: 1 })).toMatchObject({ totalCount: 2, edges: [{ node: { name: 'port' } }] });
    const { pageInfo } = await page({ skip: 0 });
    expect(await page({ skip: 0, after: pageInfo.endCursor })).toMatchObject({ edges: [{ node: { name: 'port' } }] });
    await expect(page({ skip: 1, after: pageInfo.endCursor })).rejects.toThrow('Set `after` or `skip`, not both.');
  });

  it('uses the point in time of the field, or of the object above it', async () => {
    const { organization, project, production, live } = await shop();
    await organization.owner.post(`${production.url}tags/`, { name: 'v1' });
    const changeResponse = await organization.owner.patch<{ modified_at: string }>(live.url, {
      internal_value: '8443',
    });
    await organization.owner.patch(live.url, { internal_value: '9443' });
    const inner = `edges { node { cells { text } } }`;
    const query = `query ($id: ID!, $instant: DateTime!) { now: project(id: $id) {
        matrix(environment: ["production"], name: "port") { ${inner} }
        tagged: matrix(environment: ["production"], tag: "v1", name: "port") { ${inner} parameters: edges { node { parameter { id } } } }
      } before: project(id: $id, asOf: $instant) { matrix(environment: ["production"], name: "port") { ${inner} } } }`;
    const { now, before } = await fixture.request(query, { id: project.id, instant: changeResponse.body.modified_at });
    const textOf = ({ edges }: { edges: { node: { cells: { text: string }[] } }[] }) => edges[0]?.node.cells[0]?.text;

    expect([textOf(now.matrix), textOf(now.tagged), textOf(before.matrix)]).toEqual(['9443', '443', '8443']);
    expect(now.tagged.parameters[0].node.parameter.id).toEqual(expect.any(String));
  });
});

describe('the differences of a project', () => {
  it('are the effective values that differ between two sides, and the changes that make the right side equal to the left', async () => {
    const { project, port, live } = await shop();
    const query = `query ($id: ID!) { project(id: $id) { differences(left: "default", right: "production") {
      totalCount left { revision project { name } } right { projectName } columns { left { name } right { name } }
      edges { node { name left { type } right { parameterId } cells {
        column left { ${CELL} } right { ${CELL} } toSet { action text interpolated parameterId valueId ledgerId reason } } } } } } }`;
    const { project: projectNode } = await fixture.request(query, { id: project.id });

    expect(projectNode.differences).toMatchObject({
      totalCount: 2,
      left: { revision: null, project: { name: 'shop' } },
      right: { projectName: 'shop' },
      columns: [{ left: { name: 'default' }, right: { name: 'production' } }],
    });
    const [password, changed] = projectNode.differences.edges;
    expect(password.node).toMatchObject({ name: 'password', cells: [{ toSet: { action: 'unset' } }] });
    expect(changed.node).toMatchObject({ name: 'port', left: { type: 'string' }, right: { parameterId: port.id } });
    expect(changed.node.cells).toMatchObject([
      {
        column: 0,
        left: { text: '80' },
        right: { text: '443', valueId: live.id },
        toSet: {
          ...{ action: 'set', text: '80', interpolated: false, reason: null },
          ...{ parameterId: port.id, valueId: live.id, ledgerId: live.ledger_id },
        },
      },
    ]);
  });

  it('are empty with a reason if one side is forbidden, and reject invalid arguments', async () => {
    const { organization, project, production } = await shop();
    await organization.owner.patch(production.url, { access_controlled: true });
    const query = `query ($id: ID!) { project(id: $id) {
      differences(left: "default", right: "production") { totalCount problem { message } left { projectName } columns { left { name } } }
      matrix { environments { name closed } edges { node { name } } } } }`;
    const viewer = await organization.authorization('VIEWER');
    const { data } = await fixture.stack.request(query, { id: project.id }, viewer);

    expect(data.project.differences).toEqual({
      ...{ totalCount: 0, problem: { message: 'You do not have permission to perform this action.' } },
      ...{ left: null, columns: [] },
    });
    expect(data.project.matrix.environments).toContainEqual({ name: 'production', closed: true });
    const same = `query ($id: ID!) { project(id: $id) { differences(left: "default") { totalCount } } }`;
    const { errors } = await fixture.stack.request(same, { id: project.id }, organization.ownerAuthorization);
    expect(errors?.[0]).toMatchObject({
      message: expect.stringContaining('Left and right are the same'),
      extensions: { code: 'BAD_USER_INPUT', reason: 'same_sides' },
    });
  });
});

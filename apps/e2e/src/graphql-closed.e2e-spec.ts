import { useSharedGraphQL } from './graphql-access.ts';

const fixture = useSharedGraphQL();

const LISTS = `{ projects(first: 5) { edges { node {
  name description
  parameters(first: 5) { totalCount problem { __typename code message } edges { node { name effective(environment: "production") { value } } } }
  templates(first: 5) { totalCount problem { code } }
} } } }`;

describe('a list with a forbidden object among its rows', () => {
  it('returns the other projects completely, and a problem for the forbidden one', async () => {
    const [open, closed] = [
      await fixture.organization.project({ name: 'a', description: 'shown' }),
      await fixture.organization.project({ name: 'b', description: 'hidden' }),
    ];
    for (const project of [open, closed]) {
      const parameter = await fixture.organization.parameter({ project, name: 'p' });
      await fixture.organization.value({ parameter, internal_value: 'x' });
    }
    const viewer = await fixture.organization.authorization('VIEWER');
    await fixture.organization.owner.patch(closed.url, { access_controlled: true });
    const { data, errors } = await fixture.stack.request(LISTS, {}, viewer);

    expect(errors).toBeUndefined();
    const problem = { __typename: 'PermissionDenied', code: 'forbidden', message: expect.any(String) };
    expect(data.projects.edges.map(({ node }: { node: unknown }) => node).slice(0, 2)).toEqual([
      {
        name: 'a',
        description: 'shown',
        parameters: { totalCount: 1, problem: null, edges: [{ node: { name: 'p', effective: { value: 'x' } } }] },
        templates: { totalCount: 0, problem: null },
      },
      {
        name: 'b',
        description: '',
        parameters: { totalCount: 0, problem, edges: [] },
        templates: { totalCount: 0, problem: { code: 'forbidden' } },
      },
    ]);
  });

  it('returns parameters inherited from a forbidden project without the values that were set there', async () => {
    const base = await fixture.organization.project({ name: 'a' });
    const project = await fixture.organization.project({ name: 'b', depends_on: base.url });
    for (const at of [base, project]) {
      const parameter = await fixture.organization.parameter({ project: at, name: `of-${at.name}` });
      await fixture.organization.value({ parameter, internal_value: 'x' });
    }
    const viewer = await fixture.organization.authorization('VIEWER');
    const { body: me } = await fixture.organization.as('VIEWER').get<{ url: string }>('users/current/');
    for (const { url } of [base, project]) await fixture.organization.owner.patch(url, { access_controlled: true });
    await fixture.organization.owner.post('grants/', { principal: me.url, scope: project.url, role: 'VIEWER' });
    const { data, errors } = await fixture.stack.request(
      `query ($id: ID!) { project(id: $id) { parameters(first: 5) { problem { code } edges { node { name values { value } } } } } }`,
      { id: project.id },
      viewer,
    );

    expect(errors).toBeUndefined();
    expect(data.project.parameters).toEqual({
      problem: null,
      edges: [{ node: { name: 'of-a', values: [] } }, { node: { name: 'of-b', values: [{ value: 'x' }] } }],
    });
  });

  it('returns the other environments if one is forbidden', async () => {
    const project = await fixture.organization.project({ name: 'a' });
    const parameter = await fixture.organization.parameter({ project, name: 'p' });
    await fixture.organization.value({ parameter, internal_value: 'x' });
    const staging = await fixture.organization.environmentNamed('staging');
    await fixture.organization.owner.post(`${staging.url}tags/`, { name: 'v1' });
    const viewer = await fixture.organization.authorization('VIEWER');
    await fixture.organization.owner.patch(staging.url, { access_controlled: true });
    const { data, errors } = await fixture.stack.request(
      `{
        environments(first: 5) { edges { node { name tags { totalCount problem { code } } } } }
        projects(first: 5) { edges { node { parameters(first: 5) { edges { node {
          open: effective(environment: "production") { value }
          closed: effective(environment: "staging") { value }
        } } } } } }
      }`,
      {},
      viewer,
    );

    const tags = Object.fromEntries(
      data.environments.edges.map(({ node }: { node: { name: string; tags: unknown } }) => [node.name, node.tags]),
    );
    expect(tags).toMatchObject({
      staging: { totalCount: 0, problem: { code: 'forbidden' } },
      production: { totalCount: 0, problem: null },
    });
    expect(data.projects.edges[0].node.parameters.edges[0].node).toEqual({ open: { value: 'x' }, closed: null });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
  });
});

import { graphQLOfFile } from './graphql-access.ts';

const own = graphQLOfFile();

const LISTS = `{ projects(first: 5) { edges { node {
  name
  parameters(first: 5) { totalCount problem { __typename code message } edges { node { name effective(environment: "production") { value } } } }
  templates(first: 5) { totalCount problem { code } }
} } } }`;

describe('a list with a closed object among its rows', () => {
  it('shows the others whole, and says of the closed one why nothing is seen', async () => {
    const [open, closed] = [
      await own.organization.project({ name: 'a' }),
      await own.organization.project({ name: 'b' }),
    ];
    for (const project of [open, closed]) {
      const parameter = await own.organization.parameter({ project, name: 'p' });
      await own.organization.value({ parameter, internal_value: 'x' });
    }
    const viewer = await own.organization.authorization('VIEWER');
    await own.organization.owner.patch(closed.url, { access_controlled: true });
    const { data, errors } = await own.stack.request(LISTS, {}, viewer);

    expect(errors).toBeUndefined();
    const problem = { __typename: 'PermissionDenied', code: 'forbidden', message: expect.any(String) };
    expect(data.projects.edges.map(({ node }: { node: unknown }) => node).slice(0, 2)).toEqual([
      {
        name: 'a',
        parameters: { totalCount: 1, problem: null, edges: [{ node: { name: 'p', effective: { value: 'x' } } }] },
        templates: { totalCount: 0, problem: null },
      },
      {
        name: 'b',
        parameters: { totalCount: 0, problem, edges: [] },
        templates: { totalCount: 0, problem: { code: 'forbidden' } },
      },
    ]);
  });

  it('shows other environments when one is closed', async () => {
    const project = await own.organization.project({ name: 'a' });
    const parameter = await own.organization.parameter({ project, name: 'p' });
    await own.organization.value({ parameter, internal_value: 'x' });
    const staging = await own.organization.environmentNamed('staging');
    await own.organization.owner.post(`${staging.url}tags/`, { name: 'v1' });
    const viewer = await own.organization.authorization('VIEWER');
    await own.organization.owner.patch(staging.url, { access_controlled: true });
    const { data, errors } = await own.stack.request(
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

import * as fc from 'fast-check';
import { useSharedGraphQL } from './graphql-access.ts';

const fixture = useSharedGraphQL();

interface Connection {
  readonly totalCount: number;
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string; readonly name: string } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean; readonly endCursor: string };
}

const PAGE = 'totalCount edges { cursor node { id name } } pageInfo { hasNextPage hasPreviousPage endCursor }';
const page = async (first: number, after: string | null, ordering: string | null = null): Promise<Connection> => {
  const query = `query ($first: Int!, $after: String, $ordering: String) {
    projects(first: $first, after: $after, ordering: $ordering) { ${PAGE} }
  }`;
  return (await fixture.request(query, { first, after, ordering })).projects;
};
const named = (...names: string[]) => Promise.all(names.map((name) => fixture.organization.project({ name })));
/** Every new organization has one project. */
const FIRST = 'MyFirstProject';
const listNames = ({ edges }: Connection) => edges.map(({ node }) => node.name).filter((name) => name !== FIRST);

describe('a cursor', () => {
  it('stays at its row when rows before it are created and deleted', async () => {
    const [, b] = await named('b', 'd', 'f', 'h');
    const first = await page(2, null);
    await named('a', 'c', 'e');
    await fixture.organization.owner.delete(b?.url ?? '');
    const second = await page(2, first.pageInfo.endCursor);
    const third = await page(9, second.pageInfo.endCursor);

    expect([first, second, third].map(listNames)).toEqual([['b', 'd'], ['e', 'f'], ['h']]);
    expect(third.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(third.totalCount).toBe(7);
  });

  it('of any row continues after that row', async () => {
    await named('a', 'b', 'c', 'd');
    const { edges } = await page(3, null);

    for (const [index, { cursor }] of edges.entries())
      expect(listNames(await page(9, cursor))).toEqual(['a', 'b', 'c', 'd'].slice(index + 1));
  });

  it('counts rows in a list with another order than the default', async () => {
    await named('a', 'b', 'c');
    const first = await page(3, null, '-name');
    const second = await page(3, first.pageInfo.endCursor, '-name');

    expect([first, second].map(listNames)).toEqual([['c', 'b'], ['a']]);
  });

  it('is rejected by lists with another parent, type or order', async () => {
    const [firstProject, secondProject] = await named('one', 'other');
    await fixture.organization.parameter({ project: firstProject, name: 'a' });
    const { project } = await fixture.request(
      'query ($id: ID!) { project(id: $id) { parameters { edges { cursor } } } }',
      {
        id: firstProject?.id,
      },
    );
    const { cursor } = project.parameters.edges[0];
    const request = async (query: string) =>
      (
        await fixture.stack.request(
          query,
          { id: secondProject?.id, after: cursor },
          fixture.organization.ownerAuthorization,
        )
      ).errors;
    const errors = [{ extensions: { code: 'BAD_USER_INPUT' }, message: '`after` is not a cursor of this list.' }];

    expect(
      await request(
        'query ($id: ID!, $after: String) { project(id: $id) { parameters(after: $after) { totalCount } } }',
      ),
    ).toMatchObject(errors);
    expect(await request('query ($after: String) { environments(after: $after) { totalCount } }')).toMatchObject(
      errors,
    );
    expect(
      await request('query ($after: String) { projects(after: $after, ordering: "-name") { totalCount } }'),
    ).toMatchObject(errors);
  });

  it('leads through every list with any page size', async () => {
    await fixture.organization.authorization('VIEWER');
    await fixture.organization.authorization('ADMIN');
    const lists = ['environments', 'memberships', 'users', 'types', 'audit', 'serviceAccounts'];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...lists), fc.integer({ min: 1, max: 3 }), async (list, first) => {
        const seen: string[] = [];
        for (let after: string | null = null, more = true; more; ) {
          const answer: Record<string, Connection> = await fixture.request(
            `query ($first: Int!, $after: String) { ${list}(first: $first, after: $after) { edges { node { id } } pageInfo { hasNextPage endCursor } } }`,
            { first, after },
          );
          const connection = answer[list] as Connection;
          seen.push(...connection.edges.map(({ node }) => node.id));
          after = connection.pageInfo.endCursor;
          more = connection.pageInfo.hasNextPage;
        }
        const whole = await fixture.request(`{ ${list}(first: 200) { edges { node { id } } } }`);
        expect(seen).toEqual((whole[list] as Connection).edges.map(({ node }) => node.id));
      }),
      { numRuns: 10 },
    );
  });
});

describe('a page of no rows', () => {
  it('returns the total count', async () => {
    await named('a', 'b');

    expect(await page(0, null)).toEqual({
      totalCount: 3,
      edges: [],
      pageInfo: { hasNextPage: true, hasPreviousPage: false, endCursor: null },
    });
  });
});

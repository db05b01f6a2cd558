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

interface Made {
  readonly id: string;
  readonly url: string;
}

/** A kind of object, with the ways to create, list and change one. */
interface Kind {
  readonly name: string;
  make(): Promise<Made>;
  /** The connection that lists the objects, with the fields to select. */
  readonly list: string;
  readonly withVersions?: true;
  /** The name of the argument with the id of the parent object. */
  readonly above?: string;
  /** Two changes of the object: one that another caller makes over REST, and one of the tested client. */
  readonly theirs: object;
  readonly mine: object;
}

const post = async (path: string, body: object): Promise<Made> => {
  const response = await organization.owner.post<Made>(path, body);
  if (response.status !== 201) throw new Error(response.text);
  return response.body;
};
const serviceAccount = () => post('serviceaccounts/', { name: 'ci', role: 'VIEWER' });
/** Returns the membership of a user. The owner has a membership, too. */
const fetchMembership = async ({ id }: Made): Promise<Made> => {
  const { body } = await organization.owner.get<{ results: Made[] }>(`memberships/?user=${id}`);
  return body.results[0] as Made;
};

const KINDS: readonly Kind[] = [
  {
    name: 'Webhook',
    make: () =>
      post('webhooks/', {
        name: 'changes',
        event_types: ['project_created'],
        type: 'slack',
        configuration: { token: 'xoxb-0123456789-abcdefghij', channel: '#ops', username: 'Strata' },
      }),
    list: 'webhooks',
    theirs: { name: 'theirs' },
    mine: { name: 'mine' },
  },
  {
    name: 'Organization',
    make: async () => (await organization.owner.get<Made>(`organizations/${organization.id}/`)).body,
    list: 'organizations',
    theirs: { project_name_pattern: '^[a-z]+$' },
    mine: { projectNamePattern: '' },
  },
  {
    name: 'Group',
    make: () => post('groups/', { name: 'team', users: [] }),
    list: 'groups',
    theirs: { description: 'theirs' },
    mine: { description: 'mine' },
  },
  {
    name: 'Membership',
    make: async () => fetchMembership(await serviceAccount()),
    list: 'memberships',
    theirs: { role: 'ADMIN' },
    mine: { role: 'CONTRIB' },
  },
  {
    name: 'ServiceAccount',
    make: serviceAccount,
    list: 'serviceAccounts',
    theirs: { description: 'theirs' },
    mine: { description: 'mine' },
  },
  {
    name: 'Grant',
    make: async () => {
      const project = await organization.project();
      await organization.owner.patch(project.url, { access_controlled: true });
      const { body } = await organization.owner.get<{ user: Made }>((await serviceAccount()).url);
      return post('grants/', { principal: body.user.url, scope: project.url, role: 'VIEWER' });
    },
    list: 'grants',
    theirs: { role: 'ADMIN' },
    mine: { role: 'CONTRIB' },
  },
  {
    name: 'Invitation',
    make: () => post('invitations/', { email: 'somebody@shop.example', role: 'VIEWER' }),
    list: 'invitations',
    withVersions: true,
    theirs: { role: 'ADMIN' },
    mine: { role: 'CONTRIB' },
  },
  {
    name: 'Tag',
    make: async () => post(`${(await organization.environmentNamed('production')).url}tags/`, { name: 'release' }),
    list: 'environment(id: "production") { tags',
    withVersions: true,
    above: 'environmentId',
    theirs: { description: 'theirs' },
    mine: { description: 'mine' },
  },
];

/** Returns a client that updates and deletes over GraphQL, as a form does. */
function createEditor({ name, list, withVersions, above, mine }: Kind, { id, url }: Made) {
  const send = (query: string, variables: object = {}) =>
    stack.data(query, { ...variables }, organization.ownerAuthorization);
  const place = above === undefined ? '' : `${above}: "${url.split('/environments/')[1]?.split('/')[0]}", `;
  const write = async (field: string, expected: string, declared: string, variables: object = {}) => {
    const selection =
      '{ __typename ... on Problem { code } ... on PreconditionFailed { present { object { id } action } } }';
    const argumentList = `${place}id: $id, ${field.startsWith('update') ? 'input: $input, ' : ''}expectedLedgerId: $expected`;
    const query = `mutation ($id: ID!, $expected: ID${declared}) { done: ${field}${name}(${argumentList}) ${selection} }`;
    return (await send(query, { id, expected, ...variables })).done;
  };
  return {
    version: async (): Promise<string> => {
      // Filters by id, because the object could be on a later page in a long list.
      const filters = `idIn: [$id]${withVersions ? ', versions: true' : ''}`;
      const end = list.includes('{') ? '}' : '';
      const data = await send(`query ($id: ID!) { ${list}(${filters}) { edges { node { id ledgerId } } } ${end} }`, {
        id,
      });
      const { edges } = data.environment?.tags ?? Object.values(data)[0];
      return edges[0].node.ledgerId;
    },
    update: (expected: string) => write('update', expected, `, $input: Update${name}Input!`, { input: mine }),
    remove: (expected: string) => write('delete', expected, ''),
  };
}

const revision = async () => (await organization.owner.get('users/current/')).headers['x-revision'];

describe('an object that another caller has changed since it was read', () => {
  it.each(KINDS.map((kind) => [kind.name, kind] as const))(
    'is not overwritten and not deleted: %s',
    async (name, kind) => {
      const createdObject = await kind.make();
      const client = createEditor(kind, createdObject);
      const seen = await client.version();
      expect((await organization.owner.patch(createdObject.url, kind.theirs)).status).toBe(200);
      const [before, stored] = [await revision(), (await organization.owner.get(createdObject.url)).body];
      const currentVersions = [{ object: { id: createdObject.id }, action: 'update' }];
      const rejection = { __typename: 'PreconditionFailed', code: 'precondition_failed', present: currentVersions };

      expect(await client.update(seen)).toEqual(rejection);
      expect(await client.remove(seen)).toEqual(rejection);
      expect(await client.update('no version')).toEqual(rejection);
      expect(await client.update('')).toEqual(rejection);
      expect([await revision(), (await organization.owner.get(createdObject.url)).body]).toEqual([before, stored]);

      const now = await client.version();
      expect(now).not.toBe(seen);
      expect((await client.update(now)).__typename).toBe(`${name}Saved`);
      expect((await client.update(now)).__typename).toBe('PreconditionFailed');
      expect((await client.remove(await client.version())).__typename).toBe('Deleted');
    },
  );

  it('keeps members that were added and roles that were removed meanwhile', async () => {
    const { id, url } = await post('groups/', { name: 'team', users: [] });
    const client = createEditor(KINDS.find(({ name }) => name === 'Group') as Kind, { id, url });
    const seen = await client.version();
    const { body } = await organization.owner.get<{ id: string }>('users/current/');
    expect((await organization.owner.post(`${url}add/?user=${body.id}`)).status).toBe(200);

    expect((await client.update(seen)).__typename).toBe('PreconditionFailed');
    expect((await organization.owner.get<{ users: unknown[] }>(url)).body.users).toHaveLength(1);
  });

  it('has the same version in changesets', async () => {
    const group = await post('groups/', { name: 'team', users: [] });
    const client = createEditor(KINDS.find(({ name }) => name === 'Group') as Kind, group);
    const seen = await client.version();
    const rename = (name: string, ifMatch: string) =>
      organization.owner.post('changesets/', {
        operations: [{ operation: 'groups_partial_update', path: { id: group.id }, body: { name }, if_match: ifMatch }],
      });

    expect((await rename('theirs', seen)).status).toBe(201);
    expect((await rename('mine', seen)).status).toBe(412);
    expect((await organization.owner.get(group.url)).body).toMatchObject({ name: 'theirs' });
    expect((await rename('mine', await client.version())).status).toBe(201);
  });
});

import type { TestOrganization } from '@strata/testkit';
import { GraphQLStack } from './graphql-stack.ts';

let stack: GraphQLStack;
let house: TestOrganization;

beforeAll(async () => {
  stack = await GraphQLStack.start();
}, 90_000);
afterAll(() => stack.close());
beforeEach(async () => {
  house = await stack.organization();
});

const ask = (query: string, variables: Record<string, unknown> = {}) =>
  stack.data(query, variables, house.ownerAuthorization);

const NEW_ACCOUNT = `mutation ($name: String!) { createServiceAccount(input: { name: $name, role: CONTRIB }) {
  ... on NewServiceAccountSaved { newServiceAccount { id apikey user { id role } } revision }
  ... on Problem { code message }
} }`;

const hire = async (name: string) => (await ask(NEW_ACCOUNT, { name })).createServiceAccount.newServiceAccount;

describe('service accounts', () => {
  it('are made with a key that is shown once, listed without it, given a new one, and deleted', async () => {
    const account = await hire('ci');
    const own = await stack.ask('{ viewer { role user { id type } } }', {}, `Api-Key ${account.apikey}`);
    expect(own.data.viewer).toMatchObject({ role: 'CONTRIB', user: { type: 'service' } });

    const { serviceAccounts, serviceAccount } = await ask(
      'query ($id: ID!) { serviceAccounts { totalCount edges { node { id user { name } } } } serviceAccount(id: $id) { id keys { prefix revoked } } }',
      { id: account.id },
    );
    expect(serviceAccounts).toMatchObject({ totalCount: 1, edges: [{ node: { id: account.id } }] });
    expect(JSON.stringify([serviceAccounts, serviceAccount])).not.toContain(account.apikey);

    const { rekeyServiceAccount, updateServiceAccount, deleteServiceAccount } = await ask(
      `mutation ($id: ID!) {
        rekeyServiceAccount(id: $id) { ... on NewServiceAccountSaved { newServiceAccount { apikey } } }
        updateServiceAccount(id: $id, input: { description: "builds" }) { ... on ServiceAccountSaved { serviceAccount { description } } }
        deleteServiceAccount(id: $id) { __typename }
      }`,
      { id: account.id },
    );
    expect(rekeyServiceAccount.newServiceAccount.apikey).not.toBe(account.apikey);
    expect(updateServiceAccount.serviceAccount).toEqual({ description: 'builds' });
    expect(deleteServiceAccount).toEqual({ __typename: 'Deleted' });
  });

  it('are not made by those who may not', async () => {
    const { data } = await stack.ask(NEW_ACCOUNT, { name: 'ci' }, await house.authorization('VIEWER'));

    expect(data.createServiceAccount).toMatchObject({ code: expect.any(String) });
  });
});

describe('groups and grants', () => {
  it('are made, filled, given rights, listed with what they are about in one request per level, and taken away', async () => {
    const [first, second] = [await hire('one'), await hire('two')];
    const project = await house.project();
    const { createGroup } = await ask(
      `mutation ($user: ID!) { createGroup(input: { name: "team", userIds: [$user] }) {
        ... on GroupSaved { group { id nodeId users { id } } } ... on Problem { code message }
      } }`,
      { user: first.user.id },
    );
    const { group } = createGroup;
    expect(group.users).toEqual([{ id: first.user.id }]);

    const { addToGroup, createGrant } = await ask(
      `mutation ($group: ID!, $user: String!, $scope: ID!) {
        addToGroup(id: $group, user: $user) { ... on GroupSaved { group { userIds } } ... on Problem { code message } }
        createGrant(input: { principalId: $group, scopeId: $scope, role: OWNER }) { ... on GrantSaved { grant { id role } } ... on Problem { code message } }
      }`,
      { group: group.id, user: second.user.id, scope: project.id },
    );
    expect(addToGroup.group.userIds).toHaveLength(2);
    expect(createGrant.grant).toMatchObject({ role: 'OWNER' });

    stack.upstream.length = 0;
    const { grants, groups } = await ask(`{
      grants { edges { node { role principal { __typename ... on Group { name users { name } } } scope { __typename ... on Project { name } } } } }
      groups { totalCount edges { node { name users { name } } } }
    }`);
    expect(grants.edges).toContainEqual({
      node: {
        role: 'OWNER',
        principal: { __typename: 'Group', name: 'team', users: expect.any(Array) },
        scope: { __typename: 'Project', name: project.name },
      },
    });
    expect(groups.totalCount).toBe(1);
    // Grants, groups, users, and what the grants are about: groups and projects.
    expect(stack.upstream.length).toBeLessThanOrEqual(6);

    const { deleteGrants, deleteGroup } = await ask(
      `mutation ($group: ID!, $text: String!) {
        deleteGrants(principal: $text) { __typename }
        deleteGroup(id: $group) { __typename }
      }`,
      { group: group.id, text: group.id },
    );
    expect([deleteGrants.__typename, deleteGroup.__typename]).toEqual(['GrantSaved', 'Deleted']);
  });

  it('say what is wrong with them', async () => {
    const { missing, unknown } = await ask(`mutation {
      missing: addToGroup(id: "00000000-0000-4000-8000-000000000000", user: "x") { __typename }
      unknown: createGrant(input: { principalId: "nobody", scopeId: "nowhere", role: VIEWER }) { __typename }
    }`);

    expect(missing).toEqual({ __typename: 'NotFound' });
    expect(unknown.__typename).toMatch(/^(ValidationProblem|NotFound)$/);
  });
});

describe('invitations', () => {
  it('let somebody in, who needs no credential for it', async () => {
    const { createInvitation } = await ask(`mutation {
      createInvitation(input: { email: "new.person@example.com", role: CONTRIB }) {
        ... on NewInvitationSaved { newInvitation { id token state } }
        ... on Problem { code message }
      }
    }`);
    const { id, token } = createInvitation.newInvitation;
    const ACCEPT = `mutation ($id: ID!, $input: AcceptInvitationInput) { acceptInvitation(id: $id, input: $input) {
      ... on InvitationSaved { invitation { state } } ... on Problem { __typename code }
    } }`;
    const wrong = await stack.ask(ACCEPT, { id, input: { token: 'wrong', password: 'correct horse battery' } });
    expect(wrong.data.acceptInvitation).toMatchObject({ code: expect.any(String) });

    const input = { token, password: 'correct horse battery', name: 'New Person' };
    const { data } = await stack.ask(ACCEPT, { id, input });
    expect(data.acceptInvitation).toEqual({ invitation: { state: 'accepted' } });

    const signedIn = await stack.ask(
      `mutation ($organization: String!) { signIn(input: { email: "new.person@example.com", password: "correct horse battery", organization: $organization }) {
        ... on AuthTokenSaved { authToken { accessToken organizationId } } ... on Problem { code }
      } }`,
      { organization: house.id },
    );
    const { accessToken, organizationId } = signedIn.data.signIn.authToken;
    expect(organizationId).toBe(house.id);
    const { memberships } = await stack.data(
      '{ memberships { edges { node { role user { email } } } } }',
      {},
      `Bearer ${accessToken}`,
    );
    expect(memberships.edges).toContainEqual({ node: { role: 'CONTRIB', user: { email: 'new.person@example.com' } } });
  });
});

describe('the organization', () => {
  it('is shown, changed, and not made over by those who may not', async () => {
    const { organizations, updateOrganization } = await ask(
      '{ organizations { edges { node { id current role } } } }',
    ).then(async (seen) => ({
      ...seen,
      ...(await ask(
        `mutation ($id: ID!) { updateOrganization(id: $id, input: { projectNamePattern: "[a-z-]+" }) {
            ... on OrganizationSaved { organization { projectNamePattern } } ... on Problem { code message }
          } }`,
        { id: house.id },
      )),
    }));
    expect(organizations.edges).toContainEqual({ node: { id: house.id, current: true, role: 'OWNER' } });
    expect(updateOrganization.organization).toEqual({ projectNamePattern: '[a-z-]+' });

    const { data } = await stack.ask(
      'mutation ($id: ID!) { updateOrganization(id: $id, input: { name: "mine" }) { __typename } }',
      { id: house.id },
      await house.authorization('ADMIN'),
    );
    expect(data.updateOrganization).toEqual({ __typename: 'PermissionDenied' });
  });
});

import { type OwnCore, type OwnGateway, startCore, startGateway } from '@strata/testkit';
import { GraphQLFixture } from './graphql-access.ts';
import { useGraphQLStack } from './graphql-stack.ts';

const fixture = useGraphQLStack();

const NEW_ACCOUNT = `mutation ($name: String!) { createServiceAccount(input: { name: $name, role: CONTRIB }) {
  ... on NewServiceAccountSaved { newServiceAccount { id apikey user { id role } } revision }
  ... on Problem { code message }
} }`;

const addMember = async (name: string) =>
  (await fixture.request(NEW_ACCOUNT, { name })).createServiceAccount.newServiceAccount;

describe('service accounts', () => {
  it('are created with a key that is shown once, listed without it, given a new key, and deleted', async () => {
    const account = await addMember('ci');
    const login = await fixture.stack.request('{ viewer { role user { id type } } }', {}, `Api-Key ${account.apikey}`);
    expect(login.data.viewer).toMatchObject({ role: 'CONTRIB', user: { type: 'service' } });

    const { serviceAccounts, serviceAccount } = await fixture.request(
      'query ($id: ID!) { serviceAccounts { totalCount edges { node { id user { name } } } } serviceAccount(id: $id) { id keys { prefix revoked } } }',
      { id: account.id },
    );
    expect(serviceAccounts).toMatchObject({ totalCount: 1, edges: [{ node: { id: account.id } }] });
    expect(JSON.stringify([serviceAccounts, serviceAccount])).not.toContain(account.apikey);

    const { rekeyServiceAccount, updateServiceAccount, deleteServiceAccount } = await fixture.request(
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

  it('can have keys with limits, which mutations and subscriptions respect', async () => {
    const [shop, billing] = [await fixture.organization.project(), await fixture.organization.project()];
    const { createServiceAccount } = await fixture.request(
      `mutation ($projects: [ID!]) {
        createServiceAccount(input: { name: "reader", role: OWNER, keyScopes: [read], keyProjectIds: $projects }) {
          ... on NewServiceAccountSaved { newServiceAccount { id apikey keys { scopes projectIds environmentIds lastReadAt } } }
        }
      }`,
      { projects: [shop.id] },
    );
    const { newServiceAccount: account } = createServiceAccount;
    expect(account.keys).toEqual([{ scopes: ['read'], projectIds: [shop.id], environmentIds: null, lastReadAt: null }]);

    const send = (document: string, variables: Record<string, unknown>) =>
      fixture.stack.request(document, variables, `Api-Key ${account.apikey}`);
    const { data } = await send(
      `mutation ($id: ID!) { createParameter(input: { projectId: $id, name: "x" }) { __typename ... on Problem { code message } } }`,
      { id: shop.id },
    );
    expect(data.createParameter).toMatchObject({ message: expect.stringContaining('"write"') });
    const READ = 'query ($id: ID!) { effective(projectId: $id, environmentId: "production") { map } }';
    expect(await send(READ, { id: shop.id })).toMatchObject({ data: { effective: { map: {} } } });
    const { errors } = await send(READ, { id: billing.id });
    expect(errors).toMatchObject([{ extensions: { reason: 'key_scope_missing' } }]);
  });

  it('cannot be created by a caller without permission', async () => {
    const { data } = await fixture.stack.request(
      NEW_ACCOUNT,
      { name: 'ci' },
      await fixture.organization.authorization('VIEWER'),
    );

    expect(data.createServiceAccount).toMatchObject({ code: expect.any(String) });
  });
});

describe('groups and grants', () => {
  it('are created, given members and permissions, listed with their scopes in one request per level, and deleted', async () => {
    const [first, second] = [await addMember('one'), await addMember('two')];
    const project = await fixture.organization.project();
    const { createGroup } = await fixture.request(
      `mutation ($user: ID!) { createGroup(input: { name: "team", userIds: [$user] }) {
        ... on GroupSaved { group { id nodeId users { id } } } ... on Problem { code message }
      } }`,
      { user: first.user.id },
    );
    const { group } = createGroup;
    expect(group.users).toEqual([{ id: first.user.id }]);

    const { addToGroup, createGrant } = await fixture.request(
      `mutation ($group: ID!, $user: String!, $scope: ID!) {
        addToGroup(id: $group, user: $user) { ... on GroupSaved { group { userIds } } ... on Problem { code message } }
        createGrant(input: { principalId: $group, scopeId: $scope, role: OWNER }) { ... on GrantSaved { grant { id role } } ... on Problem { code message } }
      }`,
      { group: group.id, user: second.user.id, scope: project.id },
    );
    expect(addToGroup.group.userIds).toHaveLength(2);
    expect(createGrant.grant).toMatchObject({ role: 'OWNER' });

    fixture.stack.upstream.length = 0;
    const { grants, groups } = await fixture.request(`{
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
    // One request each for grants, groups, users, and the scopes of the grants.
    expect(fixture.stack.upstream.length).toBeLessThanOrEqual(6);

    const { deleteGrants, deleteGroup } = await fixture.request(
      `mutation ($group: ID!, $text: String!) {
        deleteGrants(principal: $text) { __typename }
        deleteGroup(id: $group) { __typename }
      }`,
      { group: group.id, text: group.id },
    );
    expect([deleteGrants.__typename, deleteGroup.__typename]).toEqual(['GrantSaved', 'Deleted']);
  });

  it('restrict a project so that other callers see that it exists, but none of its contents', async () => {
    const project = await fixture.organization.project({ name: 'closed' });
    const parameter = await fixture.organization.parameter({ project, name: 'PORT' });
    const outsider = await fixture.organization.authorization('CONTRIB');
    const { updateProject } = await fixture.request(
      'mutation ($id: ID!) { updateProject(id: $id, input: { accessControlled: true }) { ... on ProjectSaved { project { accessControlled } } ... on Problem { code message } } }',
      { id: project.id },
    );
    expect(updateProject.project).toEqual({ accessControlled: true });

    const { data, errors } = await fixture.stack.request(
      `query ($id: ID!, $parameter: ID!) {
        project(id: $id) { name role }
        parameter(projectId: $id, id: $parameter) { name }
        effective(projectId: $id, environmentId: "default") { digest }
        audit(projectId: $id) { totalCount }
      }`,
      { id: project.id, parameter: parameter.id },
      outsider,
    );
    expect(data).toMatchObject({
      project: { name: 'closed', role: null },
      parameter: null,
      effective: null,
      audit: { totalCount: 0 },
    });
    // Inside the project, the core rejects the request with a reason, as over REST.
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
  });

  it('return which field is invalid', async () => {
    const { missing, unknown } = await fixture.request(`mutation {
      missing: addToGroup(id: "00000000-0000-4000-8000-000000000000", user: "x") { __typename }
      unknown: createGrant(input: { principalId: "nobody", scopeId: "nowhere", role: VIEWER }) { __typename }
    }`);

    expect(missing).toEqual({ __typename: 'NotFound' });
    expect(unknown.__typename).toMatch(/^(ValidationProblem|NotFound)$/);
  });
});

describe('invitations', () => {
  it('can be accepted without a credential', async () => {
    const { createInvitation } = await fixture.request(`mutation {
      createInvitation(input: { email: "new.person@example.com", role: CONTRIB }) {
        ... on NewInvitationSaved { newInvitation { id token state } }
        ... on Problem { code message }
      }
    }`);
    const { id, token } = createInvitation.newInvitation;
    const ACCEPT = `mutation ($id: ID!, $input: AcceptInvitationInput) { acceptInvitation(id: $id, input: $input) {
      ... on InvitationSaved { invitation { state } } ... on Problem { __typename code }
    } }`;
    const wrong = await fixture.stack.request(ACCEPT, {
      id,
      input: { token: 'wrong', password: 'correct horse battery' },
    });
    expect(wrong.data.acceptInvitation).toMatchObject({ code: expect.any(String) });

    const input = { token, password: 'correct horse battery', name: 'New Person' };
    const { data } = await fixture.stack.request(ACCEPT, { id, input });
    expect(data.acceptInvitation).toEqual({ invitation: { state: 'accepted' } });

    const signedIn = await fixture.stack.request(
      `mutation ($organization: String!) { signIn(input: { email: "new.person@example.com", password: "correct horse battery", organization: $organization }) {
        ... on AuthTokenSaved { authToken { accessToken organizationId } } ... on Problem { code }
      } }`,
      { organization: fixture.organization.id },
    );
    const { accessToken, organizationId } = signedIn.data.signIn.authToken;
    expect(organizationId).toBe(fixture.organization.id);
    const { memberships } = await fixture.stack.data(
      '{ memberships { edges { node { role user { email } } } } }',
      {},
      `Bearer ${accessToken}`,
    );
    expect(memberships.edges).toContainEqual({ node: { role: 'CONTRIB', user: { email: 'new.person@example.com' } } });
  });
});

describe('signing in', () => {
  let core: OwnCore | undefined;
  let gateway: OwnGateway | undefined;
  let surface: GraphQLFixture;
  // Failed attempts are counted per client address.
  beforeAll(async () => {
    core = await startCore();
    gateway = await startGateway(core);
    surface = new GraphQLFixture(gateway.origin, core);
  });
  afterAll(async () => {
    await gateway?.close();
    await core?.close();
  });

  it('fails with a wrong password, and after repeated attempts', async () => {
    const SIGN_IN =
      'mutation ($password: String!) { signIn(input: { email: "nobody@example.com", password: $password }) { __typename ... on Problem { code } } }';
    const codes = new Set<unknown>();
    for (let guess = 0; guess < 12; guess += 1) {
      const { data, errors } = await surface.request(SIGN_IN, { password: `guess ${guess}` });
      codes.add(data ? `${data.signIn.__typename} ${data.signIn.code}` : errors?.[0]?.extensions.code);
    }

    expect([...codes]).toEqual(['PermissionDenied bad_credential', 'RATE_LIMITED']);
  });
});

describe('the organization', () => {
  it('is returned and changed, but not by a caller without permission', async () => {
    const { organizations, updateOrganization } = await fixture
      .request('query ($id: ID!) { organizations(idIn: [$id]) { edges { node { id current role } } } }', {
        id: fixture.organization.id,
      })
      .then(async (seen) => ({
        ...seen,
        ...(await fixture.request(
          `mutation ($id: ID!) { updateOrganization(id: $id, input: { projectNamePattern: "[a-z-]+" }) {
            ... on OrganizationSaved { organization { projectNamePattern } } ... on Problem { code message }
          } }`,
          { id: fixture.organization.id },
        )),
      }));
    expect(organizations.edges).toEqual([{ node: { id: fixture.organization.id, current: true, role: 'OWNER' } }]);
    expect(updateOrganization.organization).toEqual({ projectNamePattern: '[a-z-]+' });

    const { data } = await fixture.stack.request(
      'mutation ($id: ID!) { updateOrganization(id: $id, input: { name: "mine" }) { __typename } }',
      { id: fixture.organization.id },
      await fixture.organization.authorization('ADMIN'),
    );
    expect(data.updateOrganization).toEqual({ __typename: 'PermissionDenied' });
  });

  it('has a sign-in policy, which requires single sign-on only if there is an identity provider', async () => {
    const { organizations } = await fixture.request(
      'query ($id: ID!) { organizations(idIn: [$id]) { edges { node { signInPolicy { ssoOnly breakGlassOwner { id } providers { id } } } } } }',
      { id: fixture.organization.id },
    );
    const policy = { ssoOnly: false, breakGlassOwner: null, providers: [] };
    expect(organizations.edges).toEqual([{ node: { signInPolicy: policy } }]);

    const UPDATE = `mutation ($id: ID!, $ssoOnly: Boolean!) { updateSignInPolicy(id: $id, input: { ssoOnly: $ssoOnly }) {
      __typename ... on SignInPolicySaved { signInPolicy { ssoOnly } } ... on ValidationProblem { fields { field message } }
    } }`;
    const update = async (ssoOnly: boolean) =>
      (await fixture.request(UPDATE, { id: fixture.organization.id, ssoOnly })).updateSignInPolicy;
    expect(await update(false)).toMatchObject({ signInPolicy: { ssoOnly: false } });
    expect(await update(true)).toMatchObject({
      __typename: 'ValidationProblem',
      fields: [{ field: 'sso_only', message: expect.stringContaining('STRATA_IDENTITY_PROVIDERS') }],
    });
  });
});

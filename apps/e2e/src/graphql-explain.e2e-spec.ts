import type { Grant, ServiceAccountCreated } from '@strata/contract';
import { useSharedGraphQL } from './graphql-access.ts';

const file = useSharedGraphQL();

const EXPLAIN = `query ($project: ID!, $environment: ID!, $name: String!, $reveal: Boolean!, $revision: Int) {
  explain(projectId: $project, environmentId: $environment, name: $name, reveal: $reveal, revision: $revision) {
    name environment { name } reason { code nearestNames }
    winner { value secret type project { name } environment { name } }
    next { state } candidates { state wins hiddenBy environmentName } neededByHidden since { action objectType } } }`;

async function built() {
  const { organization } = file;
  const project = await organization.project({ name: 'web' });
  const production = await organization.environmentNamed('production');
  const parameter = await organization.parameter({ project, name: 'token', secret: true });
  await organization.value({ parameter, environment: production, internal_value: 'canary-text' });
  await organization.value({ parameter, internal_value: null });
  const requestExplanation = (variables: object) =>
    file.request(EXPLAIN, {
      project: project.id,
      environment: 'production',
      name: 'token',
      reveal: false,
      ...variables,
    });
  return { organization, project, production, requestExplanation };
}

const EXPLAIN_ACCESS = `query ($project: String!, $who: String!, $revision: Int) {
  explainAccess(project: $project, environment: "production", who: $who, revision: $revision) {
    totalCount edges { node { userName membershipId read write user { id }
      project { controlledByName candidates { kind role wins hiddenBy } } environment { candidates { kind } } } } } }`;

describe('explainAccess', () => {
  it('returns who has access now and at a revision, and why', async () => {
    const { organization, project } = await built();
    await organization.owner.patch(project.url, { access_controlled: true });
    const account = { name: 'deployer', role: 'VIEWER' };
    const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', account);
    const grant = { principal: body.user.url, scope: project.url, role: 'CONTRIB' };
    const created = await organization.owner.post<Grant>('grants/', grant);
    const revision = Number(created.headers['x-revision']);
    await organization.owner.delete(created.body.url);
    const variables = { project: 'web', who: body.id };

    const before = (await file.request(EXPLAIN_ACCESS, { ...variables, revision })).explainAccess;
    const now = (await file.request(EXPLAIN_ACCESS, variables)).explainAccess;

    const decision = { kind: 'grant', role: 'CONTRIB', wins: true, hiddenBy: null };
    const roleInOrganization = { kind: 'organization_role', role: 'VIEWER', wins: false, hiddenBy: 'access_control' };
    expect(before.edges).toEqual([
      {
        node: {
          ...{
            userName: 'deployer',
            membershipId: body.user.membership_id,
            read: true,
            write: true,
            user: { id: body.id },
          },
          project: { controlledByName: 'web', candidates: [decision, roleInOrganization] },
          environment: { candidates: [] },
        },
      },
    ]);
    expect(now).toMatchObject({
      totalCount: 1,
      edges: [{ node: { read: false, write: false, project: { candidates: [roleInOrganization] } } }],
    });
  });
});

describe('explain', () => {
  it('returns the value that applies, masked unless the query reveals it', async () => {
    const { requestExplanation } = await built();

    const { explain } = await requestExplanation({});

    expect(explain).toEqual({
      name: 'token',
      environment: { name: 'production' },
      reason: null,
      winner: {
        value: '*****',
        secret: true,
        type: 'string',
        project: { name: 'web' },
        environment: { name: 'production' },
      },
      next: { state: 'NULL' },
      candidates: [
        { state: 'set', wins: true, hiddenBy: null, environmentName: 'production' },
        { state: 'NULL', wins: false, hiddenBy: 'environment', environmentName: 'default' },
      ],
      neededByHidden: 0,
      since: { action: 'create', objectType: 'Value' },
    });
    expect((await requestExplanation({ reveal: true })).explain.winner.value).toBe('canary-text');
  });

  it('returns a point in time, including its related objects as of then', async () => {
    const { organization, production, requestExplanation } = await built();
    const revision = Number((await organization.owner.get('users/current/')).headers['x-revision']);
    await organization.owner.patch(production.url, { name: 'live' });

    const { explain } = await requestExplanation({ environment: production.id, revision });

    expect([explain.environment.name, explain.winner.environment.name]).toEqual(['production', 'production']);
  });

  it('explains why a name does not exist, and is null if the project or the environment does not exist', async () => {
    const { requestExplanation } = await built();

    expect((await requestExplanation({ name: 'tokne' })).explain).toMatchObject({
      winner: null,
      reason: { code: 'never_made', nearestNames: ['token'] },
    });
    expect((await requestExplanation({ project: '00000000-0000-4000-8000-000000000000' })).explain).toBeNull();
    expect((await requestExplanation({ environment: 'nowhere' })).explain).toBeNull();
  });

  it('returns a problem in its list if the caller has no access', async () => {
    const { organization, project, production } = await built();
    await organization.owner.patch(production.url, { access_controlled: true });
    const query = `query ($id: ID!) { project(id: $id) { name explanations(environment: "production") {
      edges { node { name } } problem { __typename } } } }`;

    const { data, errors } = await file.stack.request(
      query,
      { id: project.id },
      await organization.authorization('VIEWER'),
    );

    expect(errors).toBeUndefined();
    expect(data.project).toEqual({
      name: 'web',
      explanations: { edges: [], problem: { __typename: 'PermissionDenied' } },
    });
  });
});

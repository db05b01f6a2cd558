import { useSharedGraphQL } from './graphql-access.ts';

const fixture = useSharedGraphQL();

const INPUTS = {
  aws: {
    awsAccountId: '123456789012',
    awsEnabledRegions: ['eu-west-1'],
    awsEnabledServices: ['ssm'],
    awsRoleName: 'strata',
  },
  azure_key_vault: { tenantId: '7d3f7f9c-0b0e-4c3e-9b57-0d5f8f2f6a01', vaultName: 'strata-vault' },
  google_secret_manager: { googleProjectId: 'shop-production' },
  github: { ghInstallationId: 4711 },
};

async function createIntegration(provider: keyof typeof INPUTS) {
  const { createIntegration: createdIntegration } = await fixture.request(
    `mutation ($input: CreateIntegrationInput!) { createIntegration(input: $input) {
      ... on IntegrationSaved { integration { id nodeId status awsAccountId vaultName ghInstallationId } revision }
      ... on Problem { __typename code message }
    } }`,
    { input: { provider, ...INPUTS[provider] } },
  );
  return createdIntegration.integration;
}

describe('integrations over GraphQL', () => {
  it.each(['aws', 'azure_key_vault', 'google_secret_manager', 'github'] as const)(
    'of %s can be created, listed, found and deleted',
    async (provider) => {
      const integration = await createIntegration(provider);
      const { integrations, one, node } = await fixture.request(
        `query ($provider: IntegrationProvider!, $id: ID!, $nodeId: ID!) {
        integrations(provider: $provider) { totalCount edges { node { id status } } }
        one: integration(provider: $provider, id: $id) { id fqn pulls { totalCount } }
        node(id: $nodeId) { __typename id }
      }`,
        { provider, id: integration.id, nodeId: integration.nodeId },
      );
      expect(integrations.edges).toEqual([{ node: { id: integration.id, status: integration.status } }]);
      expect(one).toMatchObject({ id: integration.id, pulls: { totalCount: expect.any(Number) } });
      expect(node).toEqual({ __typename: 'Integration', id: integration.id });

      const { deleteIntegration } = await fixture.request(
        'mutation ($provider: IntegrationProvider!, $id: ID!) { deleteIntegration(provider: $provider, id: $id, inUse: remove) { __typename } }',
        { provider, id: integration.id },
      );
      expect(deleteIntegration).toEqual({ __typename: 'Deleted' });
    },
  );

  it('return a problem if their provider does not support an operation', async () => {
    const { id } = await createIntegration('github');
    const { createPull: rejection } = await fixture.request(
      `mutation ($id: ID!) { createPull(input: { provider: github, integrationId: $id, name: "pull", resource: "x" }) { __typename ... on Problem { code } } }`,
      { id },
    );

    expect(rejection).toEqual({ __typename: 'ValidationProblem', code: 'method_not_allowed' });
  });

  it('return which field is invalid', async () => {
    const { createIntegration: rejection } = await fixture.request(
      `mutation { createIntegration(input: { provider: aws, awsAccountId: "12" }) { __typename ... on ValidationProblem { fields { field } } } }`,
    );

    expect(rejection.__typename).toBe('ValidationProblem');
    expect(rejection.fields.map(({ field }: { field: string }) => field)).toContain('aws_account_id');
  });

  it('run pushes and pulls, and return that the provider was not reached', async () => {
    const integration = await createIntegration('aws');
    const project = await fixture.organization.project();
    const environment = await fixture.organization.environmentNamed('default');
    const { createTag } = await fixture.request(
      'mutation ($id: ID!) { createTag(input: { environmentId: $id, name: "v1" }) { ... on TagSaved { tag { id } } } }',
      { id: environment.id },
    );
    const { createPush } = await fixture.request(
      `mutation ($input: CreatePushInput!) { createPush(input: $input) {
        ... on PushSaved { push { id provider integrationId name region projects { id } tags { name } } }
        ... on ValidationProblem { code fields { field message } }
      } }`,
      {
        input: {
          provider: 'aws',
          integrationId: integration.id,
          name: 'nightly',
          projectIds: [project.id],
          tagIds: [createTag.tag.id],
          region: 'eu-west-1',
          service: 'ssm',
          resource: '/{{ environment }}/{{ project }}/{{ parameter }}',
        },
      },
    );
    expect(createPush.push).toMatchObject({
      provider: 'aws',
      integrationId: integration.id,
      name: 'nightly',
      projects: [{ id: project.id }],
      tags: [{ name: 'v1' }],
    });

    const target = { integration: integration.id, id: createPush.push.id };
    const { syncPush } = await fixture.request(
      'mutation ($integration: ID!, $id: ID!) { syncPush(provider: aws, integrationId: $integration, id: $id) { __typename } }',
      target,
    );
    expect(syncPush).toEqual({ __typename: 'Done' });

    const { push } = await fixture.request(
      `query ($integration: ID!, $id: ID!) { push(provider: aws, integrationId: $integration, id: $id) {
        latestTask { id state } tasks { totalCount edges { node { id state errorDetail } } }
      } }`,
      target,
    );
    // The push ran when it was created, and once more on request.
    expect(push.tasks.totalCount).toBe(2);
    expect(push.tasks.edges.map(({ node }: { node: { id: string } }) => node.id)).toContain(push.latestTask.id);

    const { pushTaskSteps, project: carried } = await fixture.request(
      `query ($integration: ID!, $id: ID!, $task: ID!, $project: ID!) {
        pushTaskSteps(provider: aws, integrationId: $integration, pushId: $id, taskId: $task) { totalCount }
        project(id: $project) { pushIds pushes { name } }
      }`,
      { ...target, task: push.latestTask.id, project: project.id },
    );
    expect(pushTaskSteps).toEqual({ totalCount: expect.any(Number) });
    const steered = await fixture.request(
      `mutation ($integration: ID!, $id: ID!) {
        changePushPolicy(provider: aws, integrationId: $integration, pushId: $id, input: { planFirst: true, drift: overwrite }) {
          ... on PushPolicySaved { pushPolicy { planFirst drift } }
        }
        runPush(provider: aws, integrationId: $integration, pushId: $id, input: { decisions: [{ key: "/none", action: overwrite }] }) {
          __typename ... on ValidationProblem { code }
        }
      }`,
      target,
    );
    expect(steered).toEqual({
      changePushPolicy: { pushPolicy: { planFirst: true, drift: 'overwrite' } },
      runPush: { __typename: 'ValidationProblem', code: 'unknown_push_key' },
    });
    const { push: withKeys } = await fixture.request(
      `query ($integration: ID!, $id: ID!) { push(provider: aws, integrationId: $integration, id: $id) {
        policy { planFirst drift } plan { hash waitsForApproval creates foreign hidden }
        keys(first: 10, state: foreign) { totalCount edges { node { key decisions project { id } } } }
      } }`,
      target,
    );
    expect(withKeys).toEqual({
      policy: { planFirst: true, drift: 'overwrite' },
      plan: { hash: expect.any(String), waitsForApproval: false, creates: 0, foreign: 0, hidden: 0 },
      keys: { totalCount: 0, edges: [] },
    });
    expect(carried).toEqual({ pushIds: [target.id], pushes: [{ name: 'nightly' }] });
  });

  it('can be explored', async () => {
    const { exploreIntegrations } = await fixture.request(
      '{ exploreIntegrations { totalCount edges { node { fqn nodeType } } } }',
    );

    expect(exploreIntegrations.totalCount).toBe(exploreIntegrations.edges.length);
  });
});

describe('utility operations over GraphQL', () => {
  it('generate passwords, and reject lengths that are too short', async () => {
    const { good, short } = await fixture.request(`mutation {
      good: generatePassword(length: 20, requireSymbols: true) { ... on GeneratedPasswordSaved { generatedPassword { value } } }
      short: generatePassword(length: 3) { __typename ... on Problem { code } }
    }`);

    expect(good.generatedPassword.value).toHaveLength(20);
    expect(short).toEqual({ __typename: 'ValidationProblem', code: 'password_too_short' });
  });

  it('return the features of this installation to everyone', async () => {
    const { data } = await fixture.stack.request('{ features { selfHosted awsIntegration } }');

    expect(data.features).toMatchObject({ selfHosted: expect.any(Boolean) });
  });
});

import { useSharedGraphQL } from './graphql-access.ts';

const fixture = useSharedGraphQL();

interface Found {
  readonly __typename: string;
  readonly id: string;
  readonly nodeId: string;
}

/** Returns every object with a nodeId in a response. */
function* nodesIn(result: unknown): Generator<Found> {
  if (typeof result !== 'object' || result === null) return;
  if ('nodeId' in result) yield result as Found;
  for (const member of Object.values(result)) yield* nodesIn(member);
}

const NODE = '{ __typename id nodeId }';
const ROWS = `{ edges { node ${NODE} } }`;

/** Creates one object of each kind. */
async function fillOrganization() {
  const project = await fixture.organization.project();
  const parameter = await fixture.organization.parameter({ project, type: 'integer' });
  const value = await fixture.organization.value({ parameter, internal_value: '1' });
  await fixture.organization.webhook();
  const environment = await fixture.organization.environmentNamed('default');
  await fixture.organization.authorization('VIEWER');
  const { viewer, types } = await fixture.request(
    '{ viewer { user { id } } types(name: "integer") { edges { node { id } } } }',
  );
  const createdObjects = await fixture.request(
    `mutation ($project: ID!, $parameter: ID!, $environment: ID!, $user: ID!, $integer: ID!) {
      createTag(input: { environmentId: $environment, name: "v1" }) { ... on TagSaved { tag { id } } }
      createTemplate(input: { projectId: $project, name: "t", body: "x" }) { __typename }
      createParameterRule(input: { projectId: $project, parameterId: $parameter, type: max, constraint: "9" }) { __typename }
      createParameterType(input: { name: "port", parentId: $integer }) { ... on ParameterTypeSaved { parameterType { id } } }
      createGroup(input: { name: "team", userIds: [$user] }) { __typename }
      createGrant(input: { principalId: $user, scopeId: $project, role: OWNER }) { __typename }
      createInvitation(input: { email: "a@example.com", role: VIEWER }) { __typename }
      createDestination(input: { name: "d", type: http, eventTypes: [value_updated], address: "https://hooks.invalid/a" }) { __typename }
      createIntegration(input: { provider: azure_key_vault, tenantId: "7d3f7f9c-0b0e-4c3e-9b57-0d5f8f2f6a01", vaultName: "vault" }) { ... on IntegrationSaved { integration { id } } }
    }`,
    {
      project: project.id,
      parameter: parameter.id,
      environment: environment.id,
      user: viewer.user.id,
      integer: types.edges[0].node.id,
    },
  );
  const { createPush, createPull } = await fixture.request(
    `mutation ($type: ID!, $integration: ID!, $project: ID!, $tag: ID!) {
      createParameterTypeRule(input: { typeId: $type, type: max, constraint: "9" }) { __typename }
      createPush(input: { provider: azure_key_vault, integrationId: $integration, name: "out", resource: "{{ parameter }}", projectIds: [$project], tagIds: [$tag] }) { __typename }
      createPull(input: { provider: azure_key_vault, integrationId: $integration, name: "in", resource: "{{ environment }}-{{ project }}-{{ parameter }}" }) { __typename }
    }`,
    {
      type: createdObjects.createParameterType.parameterType.id,
      integration: createdObjects.createIntegration.integration.id,
      project: project.id,
      tag: createdObjects.createTag.tag.id,
    },
  );
  expect([createPush.__typename, createPull.__typename]).toEqual(['PushSaved', 'PullSaved']);
  return { project, parameter, value, environment, type: createdObjects.createParameterType.parameterType };
}

describe('every type of object', () => {
  it('is found again by its nodeId alone', async () => {
    const { project, parameter, environment, type } = await fillOrganization();
    const first = await fixture.request(
      `query ($environment: ID!, $project: ID!, $parameter: ID!, $type: ID!) {
        environment(id: $environment) { __typename id nodeId tags ${ROWS} }
        project(id: $project) { __typename id nodeId templates ${ROWS} parameters ${ROWS} }
        parameterRules(projectId: $project, parameterId: $parameter) ${ROWS}
        parameterTypeRules(typeId: $type) ${ROWS}
        types ${ROWS}
        values(projectId: $project, parameterId: $parameter) ${ROWS}
      }`,
      { environment: environment.id, project: project.id, parameter: parameter.id, type: type.id },
    );
    const second = await fixture.request(`{
      users ${ROWS} organizations ${ROWS} memberships ${ROWS} serviceAccounts ${ROWS}
      groups ${ROWS} grants ${ROWS} invitations ${ROWS} webhooks ${ROWS} destinations ${ROWS} audit(first: 3) ${ROWS}
      integrations(provider: azure_key_vault, first: 5) { edges { node { __typename id nodeId pulls ${ROWS} pushes ${ROWS} } } }
    }`);
    const kinds = new Map([...nodesIn(first), ...nodesIn(second)].map((node) => [node.__typename, node]));
    expect([...kinds.keys()].sort()).toEqual([
      ...['AuditTrail', 'Destination', 'Environment', 'Grant', 'Group', 'Integration', 'Invitation', 'Membership'],
      ...['Organization'],
      ...['Parameter', 'ParameterRule', 'ParameterType', 'ParameterTypeRule', 'Project', 'Pull', 'Push'],
      ...['ServiceAccount', 'Tag', 'Template', 'User', 'Value', 'Webhook'],
    ]);

    for (const node of kinds.values()) {
      const { node: secondResult } = await fixture.request(`query ($id: ID!) { node(id: $id) ${NODE} }`, {
        id: node.nodeId,
      });
      expect(secondResult).toEqual({ __typename: node.__typename, id: node.id, nodeId: node.nodeId });
    }
  });

  it('is null if it belongs to another organization', async () => {
    const theirs = await fixture.stack.organization();
    const parameter = await theirs.parameter({});
    const { data } = await fixture.stack.request(
      '{ projects { edges { node { parameters { edges { node { nodeId } } } } } } }',
      {},
      theirs.ownerAuthorization,
    );
    const ids = [...nodesIn(data)].map(({ nodeId }) => nodeId);
    expect(ids.length).toBeGreaterThan(0);

    for (const id of ids)
      expect(await fixture.request('query ($id: ID!) { node(id: $id) { id } }', { id })).toEqual({ node: null });
    expect(parameter.id).toBeTruthy();
  });
});

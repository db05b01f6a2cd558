import { startInstallation, type TestInstallation, type TestOrganization } from '@strata/testkit';
import { GraphQLFixture } from './graphql-access.ts';

let installation: TestInstallation;
let stack: GraphQLFixture;
let organization: TestOrganization;

beforeAll(async () => {
  installation = await startInstallation();
  stack = new GraphQLFixture(installation.gateway.origin, installation.core);
});
afterAll(() => installation.close());
beforeEach(async () => {
  organization = await stack.organization();
});

const TOKEN = 'xoxb-0123456789-abcdefghij';

async function request(query: string, variables: Record<string, unknown> = {}) {
  const { data, errors } = await stack.request(query, variables, organization.ownerAuthorization);
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

async function createWebhook(channel: string) {
  const { createWebhook: createdWebhook } = await request(
    `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) {
      ... on WebhookSaved { webhook { id nodeId name eventTypes type configuration { channel username token } state stateReason } revision }
      ... on Problem { code message }
    } }`,
    {
      input: {
        name: 'changes',
        eventTypes: ['project_created'],
        type: 'slack',
        configuration: { token: TOKEN, channel, username: 'Strata' },
      },
    },
  );
  return createdWebhook.webhook;
}

describe('webhooks over GraphQL', () => {
  it('are created without ever returning their token, listed, found, changed and deleted', async () => {
    const webhook = await createWebhook('C1');
    expect(webhook).toMatchObject({
      name: 'changes',
      eventTypes: ['project_created'],
      configuration: { channel: 'C1' },
      state: 'active',
    });

    const { webhooks, node } = await request(
      'query ($id: ID!) { webhooks { totalCount edges { node { id configuration { token } } } } node(id: $id) { id ... on Webhook { configuration { channel } } } }',
      { id: webhook.nodeId },
    );
    expect(webhooks).toMatchObject({ totalCount: 1, edges: [{ node: { id: webhook.id } }] });
    expect(node).toEqual({ id: webhook.id, configuration: { channel: 'C1' } });
    expect(JSON.stringify([webhook, webhooks])).not.toContain(TOKEN);

    const { updateWebhook, deleteWebhook } = await request(
      `mutation ($id: ID!) {
        updateWebhook(id: $id, input: { configuration: { channel: "C2" } }) { ... on WebhookSaved { webhook { configuration { channel username } } } }
        deleteWebhook(id: $id) { ... on Deleted { id } }
      }`,
      { id: webhook.id },
    );
    expect(updateWebhook.webhook).toEqual({ configuration: { channel: 'C2', username: 'Strata' } });
    expect(deleteWebhook).toEqual({ id: webhook.id });
  });

  it('return which field is invalid', async () => {
    const { createWebhook: rejection } = await request(
      `mutation { createWebhook(input: { name: "x", eventTypes: [], type: slack, configuration: { token: "xoxb-1234567890-a", channel: "C1", username: "s" } }) {
        __typename ... on ValidationProblem { fields { field } }
      } }`,
    );

    expect(rejection).toEqual({ __typename: 'ValidationProblem', fields: [{ field: 'event_types' }] });
  });

  it('deliver a change made over GraphQL to the channel, and return the delivery', async () => {
    const webhook = await createWebhook('C-live');
    await request('mutation { createProject(input: { name: "shop" }) { __typename } }');
    const DELIVERIES =
      'query ($id: ID!) { webhook(id: $id) { deliveries { totalCount edges { node { id status events eventTypes text attempts { at httpStatus } } } } } }';
    let deliveries: { edges: { node: { id: string; status: string } }[] };
    do {
      await new Promise((resolve) => setTimeout(resolve, 100));
      deliveries = (await request(DELIVERIES, { id: webhook.id })).webhook.deliveries;
    } while (deliveries.edges[0]?.node.status !== 'delivered');

    expect(installation.chat.messages('C-live')).toHaveLength(1);
    expect(deliveries).toMatchObject({
      totalCount: 1,
      edges: [{ node: { events: 1, eventTypes: ['project_created'] } }],
    });

    const { redeliver } = await request(
      'mutation ($w: ID!, $d: ID!) { redeliver(webhookId: $w, deliveryId: $d) { __typename ... on DeliveryMade { delivery { webhookId } } } }',
      { w: webhook.id, d: deliveries.edges[0]?.node.id },
    );
    expect(redeliver).toEqual({ __typename: 'DeliveryMade', delivery: { webhookId: webhook.id } });
  });

  it('send a test message on request', async () => {
    const webhook = await createWebhook('C-test');
    const { testWebhook, enableWebhook } = await request(
      `mutation ($id: ID!) {
        testWebhook(id: $id) { ... on DeliveryMade { delivery { events status } } ... on Problem { code message } }
        enableWebhook(id: $id) { ... on WebhookSaved { webhook { state } } }
      }`,
      { id: webhook.id },
    );

    expect(testWebhook.delivery).toMatchObject({ events: 0, status: 'delivered' });
    expect(enableWebhook.webhook).toEqual({ state: 'active' });
    expect(installation.chat.messages('C-test')).toHaveLength(1);
  });
});

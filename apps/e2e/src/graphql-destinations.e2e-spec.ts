import { useSharedGraphQL } from './graphql-access.ts';

const fixture = useSharedGraphQL();

it('destinations over GraphQL show a new secret once, and report the result of a test message', async () => {
  const project = await fixture.organization.project();
  const { createDestination } = await fixture.request(
    `mutation ($project: ID!) {
      createDestination(input: {
        name: "deploys", type: http, eventTypes: [value_updated, value_expires_soon], address: "https://hooks.invalid/canary-path"
        projectIds: [$project]
      }) { ... on NewDestinationSaved { newDestination { id secret } } ... on Problem { code message } }
    }`,
    { project: project.id },
  );
  const { id, secret } = createDestination.newDestination;
  expect(secret).toMatch(/^whsec_/);
  const { testDestination, rotateDestinationSecret } = await fixture.request(
    `mutation ($id: ID!) {
      testDestination(id: $id) { ... on DestinationDeliverySaved { destinationDelivery { status hint attempts { errorCode } } } ... on Problem { message } }
      rotateDestinationSecret(id: $id, input: { overlapHours: 1 }) { ... on NewDestinationSaved { newDestination { secret previousSecretUntil } } ... on Problem { message } }
    }`,
    { id },
  );
  expect(testDestination).toMatchObject({
    destinationDelivery: { status: 'exhausted', attempts: [{ errorCode: 'name_not_found' }] },
  });
  expect(rotateDestinationSecret.newDestination.secret).not.toBe(secret);
  const { destinations } = await fixture.request(
    '{ destinations(first: 5) { edges { node { name address projects { id } deliveries(first: 5) { edges { node { kind events } } } } } } }',
  );
  expect(destinations.edges).toMatchObject([
    {
      node: {
        name: 'deploys',
        projects: [{ id: project.id }],
        deliveries: { edges: [{ node: { kind: 'test', events: 0 } }] },
      },
    },
  ]);
  expect(JSON.stringify([testDestination, destinations])).not.toMatch(/canary|whsec_/);
});

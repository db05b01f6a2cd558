import type { DestinationDelivery, Parameter } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { moduleOfCore } from '../../../testing/core-in-process.ts';
import {
  type CreatedDestination,
  DestinationFixture,
  listDeliveries,
  untilDeliveries,
} from '../../../testing/destination-fixture.ts';

type Module = typeof import('./expiry-reminders.ts');

let at: DestinationFixture;
let reminders: Module['ExpiryReminders'];
let org: TestOrganization;
beforeAll(async () => {
  at = await DestinationFixture.open();
  ({ ExpiryReminders: reminders } = await moduleOfCore<Module>('./features/webhooks/delivery/expiry-reminders.js'));
});
afterAll(() => at.close());
beforeEach(async () => {
  org = await at.core.organization();
});

/** Runs the job of a core as if some days had passed. */
const runAfter = (days: number, { core } = at.core) =>
  core.app.get(reminders).run(new Date(Date.now() + days * 86_400_000).toISOString());

const reminding = (input = {}): Promise<CreatedDestination> =>
  at.destination(org, { event_types: ['value_expires_soon'], ...input });

/** Creates a secret that expires after 30 days. */
async function expiringSecret(name = 'API_KEY') {
  const project = await org.project();
  const { body: parameter } = await org.owner.post<Parameter>(`${project.url}parameters/`, {
    name,
    secret: true,
    expires: 'P30D',
  });
  return org.value({ parameter, internal_value: 'canary' });
}

const delivered = (destination: CreatedDestination, count: number) =>
  untilDeliveries(
    org,
    destination,
    (all) => all.length >= count && all.every(({ status }: DestinationDelivery) => status === 'delivered'),
  );

it('reminds once per lead time, even if several processes look, and without the value', async () => {
  const destination = await reminding();
  const value = await expiringSecret();
  const secondCore = await at.core.another();
  try {
    for (const days of [15, 17, 17, 20, 24, 25, 29.5, 29.6]) {
      await Promise.all([runAfter(days), runAfter(days, secondCore)]);
    }
  } finally {
    await secondCore.close();
  }
  const deliveries = await delivered(destination, 3);
  expect(deliveries.map(({ kind, events, event_types: types }) => [kind, events, types])).toEqual(
    Array(3).fill(['reminder', 1, ['value_expires_soon']]),
  );
  const requests = await at.received(destination, 3);
  const payloads = requests.map(({ body }) => JSON.parse(body) as { type: string; data: { values: object[] } });
  expect(payloads.map(({ data }) => data.values)).toMatchObject(
    [14, 7, 1].map((days) => [
      { id: value.id, parameter: { name: 'API_KEY' }, environment: { name: 'default' }, secret: true, days },
    ]),
  );
  expect(payloads[0]?.type).toBe('value.expires_soon');
  expect(JSON.stringify([requests, deliveries])).not.toContain('canary');
});

it('reminds of a value that is found late with the shortest lead time only', async () => {
  const destination = await reminding({ expiry_days: [20, 10, 3] });
  await expiringSecret();
  await runAfter(28);
  const [delivery] = await delivered(destination, 1);
  const [request] = await at.received(destination, 1);
  expect(JSON.parse(request?.body ?? '')).toMatchObject({ data: { values: [{ days: 3 }] } });
  const repeatedResponse = await org.owner.post<DestinationDelivery>(
    `${destination.url}deliveries/${delivery?.id}/redeliver/`,
  );
  expect(repeatedResponse.body).toMatchObject({
    kind: 'reminder',
    message_id: delivery?.message_id,
    text: delivery?.text,
  });
  const requests = await at.received(destination, 2);
  expect(requests[1]?.body).toContain('API_KEY');
});

it('reminds again after the value was changed, and not of values that the filter excludes', async () => {
  const destination = await reminding({ parameter_names: ['API_*'] });
  const value = await expiringSecret();
  await expiringSecret('OTHER');
  await runAfter(17);
  await delivered(destination, 1);
  await org.owner.patch(value.url, { internal_value: 'canary-two' });
  await runAfter(17.001);
  await delivered(destination, 2);
  expect((await listDeliveries(org, destination)).map(({ events }) => events)).toEqual([1, 1]);
});

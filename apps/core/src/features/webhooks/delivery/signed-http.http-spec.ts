import { createHash } from 'node:crypto';
import { verifyAsync } from '@noble/ed25519';
import type { DestinationCreated, DestinationDelivery, ReplayResult } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { CloudEvent, HTTP } from 'cloudevents';
import { Webhook as Verifier } from 'standardwebhooks';
import { moduleOfCore } from '../../../testing/core-in-process.ts';
import {
  type CreatedDestination,
  DestinationFixture,
  listDeliveries,
  untilDeliveries,
} from '../../../testing/destination-fixture.ts';
import { query } from '../../../testing/query.ts';
import type { ReceivedRequest } from '../../../testing/receiver.ts';
import { waitUntil } from '../../../testing/until.ts';

let at: DestinationFixture;
let org: TestOrganization;
beforeAll(async () => {
  at = await DestinationFixture.open();
});
afterAll(() => at.close());
beforeEach(async () => {
  org = await at.core.organization();
});

interface Payload {
  readonly type: string;
  readonly data: { readonly events: readonly { readonly type: string; readonly object: { readonly name: string } }[] };
}

const parsePayload = ({ body }: ReceivedRequest) => JSON.parse(body) as Payload;
const namesIn = (request: ReceivedRequest) => parsePayload(request).data.events.map(({ object }) => object.name);
const verifyHmac = (secret: string | null, { body, headers }: ReceivedRequest) =>
  new Verifier(secret ?? '').verify(body, headers) as Payload;

/** Verifies a `v1a` signature with an implementation of Ed25519 that is not ours. */
async function verifiesEd25519(publicKey: string, { headers, body }: ReceivedRequest): Promise<boolean> {
  const key = Buffer.from(publicKey.replace('whpk_', ''), 'base64');
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  const signatures = (headers['webhook-signature'] ?? '').split(' ').filter((text) => text.startsWith('v1a,'));
  for (const signature of signatures) {
    if (await verifyAsync(Buffer.from(signature.slice(4), 'base64'), signed, key)) return true;
  }
  return false;
}

describe('a message to an HTTP endpoint', () => {
  it('is accepted by the verifier of Standard Webhooks, and contains the events without values', async () => {
    const destination = await at.destination(org, { event_types: ['parameter_created', 'value_created'] });
    const parameter = await org.parameter({ name: 'DB_PASSWORD', secret: true });
    // A message may contain several events, so the second change waits for the message of the first.
    await at.received(destination, 1);
    await org.value({ parameter, internal_value: 'canary' });

    const requests = await at.received(destination, 2);
    expect(destination.secret).toMatch(/^whsec_/);
    const payloads = requests.map((request) => verifyHmac(destination.secret, request));
    expect(payloads.map(({ type }) => type)).toEqual(['configuration.changed', 'configuration.changed']);
    expect(payloads[1]?.data).toMatchObject({
      organization: org.id,
      destination: { id: destination.id, name: destination.name },
      events: [{ type: 'value_created', parameter: { name: 'DB_PASSWORD' } }],
    });
    expect(JSON.stringify(requests)).not.toContain('canary');
    const wrongVerifier = new Verifier(`whsec_${createHash('sha256').update('another').digest('base64')}`);
    expect(() => wrongVerifier.verify(requests[0]?.body ?? '', requests[0]?.headers ?? {})).toThrow();
  });

  it('has an Ed25519 signature that the public key verifies', async () => {
    const destination = await at.destination(org, { signing: 'ed25519' });
    expect(destination).toMatchObject({
      secret: null,
      signing: 'ed25519',
      public_keys: [expect.stringMatching(/^whpk_/)],
    });
    await org.project();
    const [request] = (await at.received(destination, 1)) as [ReceivedRequest];
    const [publicKey = ''] = destination.public_keys;
    expect(await verifiesEd25519(publicKey, request)).toBe(true);
    expect(await verifiesEd25519(publicKey, { ...request, body: `${request.body} ` })).toBe(false);
  });

  it('is a CloudEvent in structured mode on request', async () => {
    const destination = await at.destination(org, { envelope: 'cloudevents' });
    await org.project({ name: 'billing' });
    const [request] = (await at.received(destination, 1)) as [ReceivedRequest];
    const event = HTTP.toEvent({ headers: { ...request.headers }, body: request.body });
    if (Array.isArray(event) || !(event instanceof CloudEvent)) throw new Error('Not one event.');
    expect(event.validate()).toBe(true);
    expect(event).toMatchObject({
      id: request.headers['webhook-id'],
      source: `urn:uuid:${org.id}`,
      type: 'strata.configuration.changed',
      data: { events: [{ type: 'project_created', object: { name: 'billing' } }] },
    });
    verifyHmac(destination.secret, request);
  });

  it('is sent only for events that the filter selects', async () => {
    const [billing, shop] = [await org.project({ name: 'billing' }), await org.project({ name: 'shop' })];
    const destination = await at.destination(org, {
      event_types: ['parameter_created', 'project_updated'],
      projects: [billing.url],
      parameter_names: ['DB_*'],
    });
    for (const project of [billing, shop]) {
      for (const name of ['DB_HOST', 'API_KEY']) await org.parameter({ project, name });
      await org.owner.patch(project.url, { description: 'changed' });
    }
    await org.parameter({ project: billing, name: 'DB_LAST' });
    const requests = await at.received(destination, 2);
    expect(requests.flatMap(namesIn)).toEqual(['DB_HOST', 'DB_LAST']);
  });

  it('is split if a changeset has more events than a message can contain', async () => {
    const destination = await at.destination(org);
    const operations = Array.from({ length: 120 }, (_, index) => ({
      operation: 'environments_create',
      body: { name: `env-${index}` },
    }));
    await org.owner.post('changesets/', { operations });
    const requests = await at.received(destination, 2);
    expect(requests.map((request) => namesIn(request).length)).toEqual([100, 20]);
    expect(new Set(requests.flatMap(namesIn)).size).toBe(120);
  });
});

describe('a failed message', () => {
  it('is repeated with the same id and a new signature, and later messages wait for it', async () => {
    const destination = await at.destination(org);
    at.receiver.script(destination.path, { status: 500 }, { status: 302, headers: { location: '/elsewhere' } });
    await org.project({ name: 'a' });
    await at.received(destination, 1);
    await org.project({ name: 'b' });
    const requests = await at.received(destination, 4);

    expect(new Set(requests.slice(0, 3).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(requests.map(namesIn)).toEqual([['a'], ['a'], ['a'], ['b']]);
    for (const request of requests) verifyHmac(destination.secret, request);
    const [delivery] = await untilDeliveries(org, destination, ([first]) => first?.status === 'delivered');
    expect(delivery?.message_id).toBe(requests[0]?.headers['webhook-id']);
    expect(delivery?.attempts.map(({ error_code: code }) => code)).toEqual(['http_500', 'http_302', null]);
    expect(at.receiver.at('elsewhere')).toEqual([]);
  });

  it('is repeated if the endpoint switches the protocol, and later messages are sent', async () => {
    const destination = await at.destination(org);
    at.receiver.script(destination.path, { status: 101, headers: { connection: 'upgrade', upgrade: 'websocket' } });
    await org.project({ name: 'a' });
    await at.received(destination, 2);
    await org.project({ name: 'b' });
    const requests = await at.received(destination, 3);
    expect(requests.map(namesIn)).toEqual([['a'], ['a'], ['b']]);
    const [delivery] = await listDeliveries(org, destination);
    expect(delivery?.attempts.map(({ error_code: code }) => code)).toEqual(['connection_lost', null]);
  });

  it('waits as long as the endpoint requests', async () => {
    const destination = await at.destination(org);
    at.receiver.script(destination.path, { status: 429, headers: { 'retry-after': '1' } });
    await org.project();
    const [first, second] = await at.received(destination, 2);
    expect((second?.time ?? 0) - (first?.time ?? 0)).toBeGreaterThanOrEqual(950);
  });

  it('can be sent again at once', async () => {
    const destination = await at.destination(org);
    at.receiver.script(destination.path, { status: 503, headers: { 'retry-after': '3600' } });
    await org.project();
    const [waiting] = await untilDeliveries(org, destination, ([first]) => first?.status === 'retrying');
    expect(Date.parse(waiting?.next_attempt_at ?? '')).toBeGreaterThan(Date.now() + 3_000_000);

    const { status, body } = await org.owner.post<DestinationDelivery>(
      `${destination.url}deliveries/${waiting?.id}/redeliver/`,
    );
    expect([status, body.id]).toEqual([202, waiting?.id]);
    const [delivered] = await untilDeliveries(org, destination, ([first]) => first?.status === 'delivered');
    expect(delivered).toMatchObject({ next_attempt_at: null, attempts: [{ http_status: 503 }, { http_status: 204 }] });
  });
});

describe('a destination whose messages are not accepted', () => {
  async function suspended(): Promise<CreatedDestination> {
    const destination = await at.destination(org);
    at.receiver.break(destination.path, 410);
    await org.project({ name: 'a' });
    await untilState(destination, 'suspended');
    return destination;
  }

  const untilState = (destination: CreatedDestination, expected: string) =>
    waitUntil(
      async () => (await org.owner.get<DestinationCreated>(destination.url)).body,
      ({ state }) => state === expected,
    );

  it('is suspended with a reason, keeps its messages, and sends them once it is enabled', async () => {
    const destination = await suspended();
    const shown = (await org.owner.get<DestinationCreated>(destination.url)).body;
    expect(shown).toMatchObject({ state_reason: 'destination: http_410', hint: expect.stringMatching(/new address/) });
    expect(shown.failing_since).not.toBeNull();
    await org.project({ name: 'b' });
    const path = `${destination.url}deliveries/${(await listDeliveries(org, destination))[0]?.id}/redeliver/`;
    expect((await org.owner.post(path)).headers['x-error-code']).toBe('destination_suspended');

    at.receiver.repair(destination.path);
    const enabled = await org.owner.post<DestinationCreated>(`${destination.url}enable/`);
    expect(enabled.body).toMatchObject({ state: 'active', state_reason: null, failing_since: null });
    expect((await at.received(destination, 3)).map(namesIn)).toEqual([['a'], ['a'], ['b']]);
  });

  it('sends them to its new address', async () => {
    const destination = await suspended();
    const address = at.receiver.address(`${destination.path}-moved`);
    await org.owner.patch(destination.url, { address });
    const moved = { ...destination, path: `${destination.path}-moved` };
    const [request] = (await at.received(moved, 1)) as [ReceivedRequest];
    verifyHmac(destination.secret, request);
    expect(namesIn(request)).toEqual(['a']);
  });

  it('keeps its requested messages for as long as it is suspended', async () => {
    const destination = await suspended();
    await query(
      at.core,
      `update delivery set created_at = now() - interval '40 days', kind = 'redelivery' where destination_id = $1`,
      [destination.id],
    );
    const { CLEAN_UP } = await moduleOfCore<typeof import('./delivery-queue.ts')>(
      './features/webhooks/delivery/delivery-queue.js',
    );
    await query(at.core, CLEAN_UP);
    expect((await listDeliveries(org, destination)).map(({ kind }) => kind)).toEqual(['redelivery']);
  });

  it('is an event once, which names the delivery as its author', async () => {
    const destination = await suspended();
    const about = async () => {
      const { body } = await org.owner.get<{ results: { actor: { name: string }; object: { id: string } }[] }>(
        'events/?types=destination_updated',
      );
      return body.results.filter(({ object }) => object.id === destination.id);
    };
    expect(await waitUntil(about, (events) => events.length > 0)).toMatchObject([{ actor: { name: 'Delivery' } }]);
  });
});

describe('the secret of a destination', () => {
  it('is replaced without a gap: both secrets verify messages until the overlap ends', async () => {
    const destination = await at.destination(org);
    const { body: rotated } = await org.owner.post<DestinationCreated>(`${destination.url}rotate-secret/`, {});
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(Date.parse(rotated.previous_secret_until ?? '')).toBeGreaterThan(Date.now() + 86_000_000);
    await org.project();
    const [request] = (await at.received(destination, 1)) as [ReceivedRequest];
    for (const secret of [destination.secret, rotated.secret]) verifyHmac(secret, request);

    const { body: replaced } = await org.owner.post<DestinationCreated>(`${destination.url}rotate-secret/`, {
      overlap_hours: 0,
    });
    expect(replaced.previous_secret_until).toBeNull();
    await org.project();
    const [, second] = (await at.received(destination, 2)) as [ReceivedRequest, ReceivedRequest];
    verifyHmac(replaced.secret, second);
    expect(() => verifyHmac(rotated.secret, second)).toThrow();
  });

  it('is replaced in the same way for Ed25519', async () => {
    const destination = await at.destination(org, { signing: 'ed25519' });
    const { body } = await org.owner.post<DestinationCreated>(`${destination.url}rotate-secret/`, {});
    expect(body.public_keys).toEqual([expect.stringMatching(/^whpk_/), destination.public_keys[0]]);
    await org.project();
    const [request] = (await at.received(destination, 1)) as [ReceivedRequest];
    for (const key of body.public_keys) expect(await verifiesEd25519(key, request)).toBe(true);
  });
});

it('a new address is used at once, even if the destination is waiting for its next attempt', async () => {
  const destination = await at.destination(org);
  at.receiver.script(destination.path, { status: 503, headers: { 'retry-after': '3600' } });
  await org.project({ name: 'a' });
  await untilDeliveries(org, destination, ([first]) => first?.status === 'retrying');
  const path = `${destination.path}-moved`;
  const { body } = await org.owner.patch<DestinationCreated>(destination.url, { address: at.receiver.address(path) });
  expect(body.failing_since).toBeNull();
  const [request] = (await at.received({ ...destination, path }, 1)) as [ReceivedRequest];
  expect(namesIn(request)).toEqual(['a']);
});

it('the text of a message about a forbidden scope is hidden, also for events beyond the contract', async () => {
  const destination = await at.destination(org, { event_types: ['template_created'] });
  const project = await org.project({ name: 'canary' });
  const { status } = await org.owner.post(`${project.url}templates/`, { name: 'canary-template', body: 'x' });
  expect(status).toBe(201);
  await untilDeliveries(org, destination, ([first]) => first?.status === 'delivered');
  const viewer = org.as('VIEWER');
  const read = async () =>
    (await viewer.get<{ results: { text: string | null }[] }>(`${destination.url}deliveries/`)).body;
  expect((await read()).results[0]?.text).toContain('canary');
  await org.owner.patch(project.url, { access_controlled: true });
  expect((await read()).results).toMatchObject([{ text: null }]);
});

describe('a replay', () => {
  it('sends the events of a range of revisions again', async () => {
    const destination = await at.destination(org);
    const revisions: number[] = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      await org.project({ name });
      revisions.push(Number((await org.owner.get('projects/')).headers['x-revision']));
    }
    await untilDeliveries(org, destination, (all) => all.reduce((sum, { events }) => sum + events, 0) === 4);
    const before = at.receiver.at(destination.path).length;
    const [, from_revision, to_revision] = revisions;
    const { status, body } = await org.owner.post<ReplayResult>(`${destination.url}replay/`, {
      from_revision,
      to_revision,
    });
    expect([status, body]).toEqual([202, { messages: 1, events: 2 }]);
    const requests = await at.received(destination, before + 1);
    expect(namesIn(requests[before] as ReceivedRequest)).toEqual(['b', 'c']);
    const deliveries = await untilDeliveries(org, destination, (all) =>
      all.every(({ status }) => status === 'delivered'),
    );
    expect(deliveries.at(-1)).toMatchObject({ kind: 'redelivery', events: 2 });
  });

  it('that fails is repeated, and changes meanwhile come first', async () => {
    const destination = await at.destination(org);
    await org.project({ name: 'a' });
    const [original] = await untilDeliveries(org, destination, ([first]) => first?.status === 'delivered');
    const { promise: isChanged, resolve: change } = Promise.withResolvers<void>();
    at.receiver.script(destination.path, { status: 500, after: isChanged });
    await org.owner.post(`${destination.url}deliveries/${original?.id}/redeliver/`);
    await at.received(destination, 2);
    await org.project({ name: 'b' });
    change();
    const deliveries = await untilDeliveries(org, destination, (all) =>
      all.every(({ status }) => ['delivered', 'exhausted'].includes(status)),
    );
    const statuses = deliveries.map(({ kind, status }) => `${kind} ${status}`);
    expect(statuses.toSorted()).toEqual(['change delivered', 'change delivered', 'redelivery delivered']);
    const names = at.receiver.at(destination.path).map((request) => namesIn(request)[0]);
    expect(names.slice(-2)).toEqual(['b', 'a']);
  });

  it('of one delivery has the message id of the original', async () => {
    const destination = await at.destination(org);
    await org.project();
    const [original] = await untilDeliveries(org, destination, ([first]) => first?.status === 'delivered');
    const path = `${destination.url}deliveries/${original?.id}/redeliver/`;
    const { status, body } = await org.owner.post<DestinationDelivery>(path);
    expect([status, body.kind, body.message_id]).toEqual([202, 'redelivery', original?.message_id]);
    const [first, second] = await at.received(destination, 2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
  });

  it.each([
    [{ from_revision: 999_999 }, 'unknown_revision', '/from_revision'],
    [{ from_revision: 2, to_revision: 1 }, 'invalid', '/to_revision'],
    [{ from_revision: 0 }, 'invalid', '/from_revision'],
  ])('of %j is rejected', async (range, code, pointer) => {
    const destination = await at.destination(org);
    const { status, body } = await org.owner.post<{ errors: { pointer: string }[] }>(
      `${destination.url}replay/`,
      range,
      { accept: 'application/problem+json' },
    );
    expect([status, body]).toMatchObject([400, { code, errors: [{ pointer }] }]);
  });
});

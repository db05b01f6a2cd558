import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery, Webhook } from '@strata/contract';
import type { ChatMessageRecord, TestOrganization } from '@strata/testkit';
import {
  ChatFixture,
  channelOf,
  listDeliveries,
  listErrorCodes,
  TOKEN,
  untilReceived,
} from '../../../testing/chat-fixture.ts';
import { query } from '../../../testing/query.ts';
import { waitUntil } from '../../../testing/until.ts';

let at: ChatFixture;
let org: TestOrganization;
beforeAll(async () => {
  at = await ChatFixture.open();
});
afterAll(() => at.close());
beforeEach(async () => {
  org = await at.core.organization();
});
afterEach(() => at.chat.up());

const listStatuses = (received: readonly Delivery[]) => received.map(({ status }) => status);
const messageText = (message: ChatMessageRecord) => JSON.stringify([message.text, message.blocks]);

describe('a message', () => {
  it('contains who did what, where, when and in which revision', async () => {
    const hook = await at.webhook(org);
    const project = await org.project({ name: 'billing' });
    const [message] = await at.chat.waitFor(1, channelOf(hook));
    expect(message).toMatchObject({ username: 'strata', text: expect.stringMatching(/Owner created project billing/) });
    const [delivery] = await untilReceived(org, hook, 1);
    expect(delivery).toMatchObject({
      webhook: hook.url,
      status: 'delivered',
      event_types: ['project_created'],
      events: 1,
      revision: 3,
      text: message?.text,
      attempts: [{ http_status: 200, error_code: null, retry_at: null }],
    });
    expect(messageText(message as ChatMessageRecord)).toContain('revision 3');
    expect(project.name).toBe('billing');
  });

  it('is not sent for events that the webhook did not select, or for those of another organization', async () => {
    const hook = await at.webhook(org);
    await org.owner.patch(hook.url, { event_types: ['environment_deleted'] });
    const { url } = await org.environment();
    await (await at.core.organization()).environment();
    await org.owner.delete(url);
    await untilReceived(org, hook, 1);
    expect((await listDeliveries(org, hook)).map(({ event_types: types }) => types)).toEqual([['environment_deleted']]);
    expect(at.chat.messages(channelOf(hook))).toHaveLength(1);
  });

  it('never contains a value or a mention of a person', async () => {
    const hook = await at.webhook(org);
    const project = await org.project({ name: '<!channel> & co' });
    const secret = await org.parameter({ project, name: 'DB_PASSWORD', secret: true });
    const open = await org.parameter({ project, name: 'DB_HOST' });
    for (const parameter of [secret, open]) {
      const value = await org.value({ parameter, internal_value: 'canary-one' });
      await org.owner.patch(value.url, { internal_value: 'canary-two' });
      await org.owner.delete(value.url);
    }
    await org.owner.delete(open.url);
    await untilReceived(org, hook, 10);
    const messages = at.chat.messages(channelOf(hook)).map(messageText).join();
    expect(messages).toContain('DB_PASSWORD');
    expect(messages).not.toContain('canary');
    expect(messages).not.toContain('<!channel>');
    expect(JSON.stringify(await listDeliveries(org, hook))).not.toContain('canary');
  });
});

describe('errors of the chat service', () => {
  it('after an outage, all events are sent once and in order', async () => {
    const hook = await at.webhook(org);
    await at.chat.down();
    await org.environment({ name: 'a' });
    await waitUntil(
      () => listDeliveries(org, hook),
      ([first]) => (first?.attempts.length ?? 0) >= 2,
    );
    for (const name of ['b', 'c']) await org.environment({ name });
    await at.chat.up();
    const [first, second, ...more] = await untilReceived(org, hook, 3);
    expect([first?.events, second?.events, more]).toEqual([1, 2, []]);
    expect(new Set(listErrorCodes(first as Delivery))).toEqual(new Set(['connection_refused', null]));
    const messages = at.chat.messages(channelOf(hook));
    expect(messages).toHaveLength(2);
    expect(messages[0]?.text).toMatch(/created environment a/);
    expect(messages[1]?.text).toMatch(/^2 changes/);
  });

  it.each([
    ['an error with status 200', { kind: 'error', error: 'internal_error' }, 'internal_error'],
    ['an unknown code', { kind: 'error', error: 'gremlins' }, 'gremlins'],
    ['a server error', { kind: 'status', status: 503 }, 'http_503'],
    ['a page that is not JSON', { kind: 'not_json' }, 'unreadable_answer'],
    ['a broken connection', { kind: 'cut', when: 'before' }, 'connection_lost'],
    ['a timeout', { kind: 'hang' }, 'timeout'],
  ] as const)('after %s, the message is sent again', async (_, fault, code) => {
    const hook = await at.webhook(org);
    at.chat.script(fault);
    await org.environment();
    const [delivery] = await untilReceived(org, hook, 1);
    expect(listErrorCodes(delivery as Delivery)).toEqual([code, null]);
    expect(delivery?.attempts[0]?.retry_at).toMatch(/^\d{4}-.*Z$/);
  });

  it('after 429, nothing is sent with this token until Retry-After is over, and the error does not count as a failure', async () => {
    const hook = await at.webhook(org);
    at.chat.script({ kind: 'rate_limited', retryAfter: 3 });
    await org.environment();
    const [delivery] = await untilReceived(org, hook, 1);
    const [rejected, accepted] = at.attemptsAt(hook);
    expect((accepted?.time ?? 0) - (rejected?.time ?? 0)).toBeGreaterThanOrEqual(2_900);
    expect(listErrorCodes(delivery as Delivery)).toEqual(['rate_limited', null]);
    const [row] = await query<{ failures: number }>(at.core, 'select failures from webhook where id = $1', [hook.id]);
    expect(row?.failures).toBe(0);
  });

  it('after a rejection, the message is parked and the next one is sent', async () => {
    const hook = await at.webhook(org);
    at.chat.script({ kind: 'error', error: 'msg_too_long' });
    await org.environment({ name: 'a' });
    await waitUntil(
      () => listDeliveries(org, hook),
      ([first]) => first?.status === 'parked',
    );
    await org.environment({ name: 'b' });
    const received = await untilReceived(org, hook, 1);
    expect(listStatuses(received)).toEqual(['parked', 'delivered']);
    expect(received[0]?.hint).toMatch(/bug of Strata/);

    const repeatedResponse = await org.owner.post<Delivery>(`${hook.url}deliveries/${received[0]?.id}/redeliver/`);
    expect([repeatedResponse.status, repeatedResponse.body.status, repeatedResponse.body.events]).toEqual([
      202,
      'delivered',
      1,
    ]);
    expect(at.chat.messages(channelOf(hook)).at(-1)?.text).toMatch(/created environment a/);
  });

  it("if the bot may not choose its name, the message is sent under the bot's own name", async () => {
    const hook = await at.webhook(org);
    at.chat.script({ kind: 'error', error: 'missing_scope', needed: 'chat:write.customize' });
    await org.environment();
    const [delivery] = await untilReceived(org, hook, 1);
    expect(listErrorCodes(delivery as Delivery)).toEqual(['missing_scope', null]);
    expect(at.attemptsAt(hook).map(({ username }) => username)).toEqual(['strata', null]);
  });
});

describe('a requested message with an Idempotency-Key', () => {
  it('is sent once, as a test or as a redelivery, even if it is requested several times', async () => {
    const hook = await at.webhook(org);
    await org.environment();
    const [first] = await untilReceived(org, hook, 1);

    for (const path of ['test/', `deliveries/${first?.id}/redeliver/`]) {
      const before = at.chat.messages(channelOf(hook)).length;
      const key = { 'idempotency-key': `${hook.id} ${path}`.replaceAll(/[^\w-]/g, '-') };
      const response = await org.owner.post<Delivery>(`${hook.url}${path}`, {}, key);
      const repeatedResponse = await org.owner.post<Delivery>(`${hook.url}${path}`, {}, key);

      expect(response.body.status).toBe('delivered');
      expect([repeatedResponse.status, repeatedResponse.body]).toEqual([response.status, response.body]);
      expect(at.chat.messages(channelOf(hook))).toHaveLength(before + 1);
      expect(await org.owner.post(`${hook.url}test/?another`, {}, key)).toMatchObject({
        status: 422,
        headers: { 'x-error-code': 'idempotency_key_reused' },
      });
    }
  });
});

describe('a webhook whose token or channel is rejected', () => {
  async function suspended(error: string): Promise<Webhook> {
    const hook = await at.webhook(org);
    at.chat.script({ kind: 'error', error });
    await org.environment({ name: 'a' });
    await waitUntil(
      async () => (await org.owner.get<Webhook>(hook.url)).body,
      ({ state }) => state === 'suspended',
    );
    return hook;
  }

  it('stops after one attempt, reports the reason, and keeps its waiting events', async () => {
    const hook = await suspended('invalid_auth');
    await org.environment({ name: 'b' });
    await sleep(300);
    expect(at.attemptsAt(hook)).toHaveLength(1);
    expect((await org.owner.get<Webhook>(hook.url)).body.state_reason).toBe('credential: invalid_auth');
    const [delivery, ...more] = await listDeliveries(org, hook);
    expect([delivery?.status, listErrorCodes(delivery as Delivery), more]).toEqual(['queued', ['invalid_auth'], []]);
  });

  it('sends all events in order once it has a new token', async () => {
    const hook = await suspended('token_revoked');
    for (const name of ['b', 'c']) await org.environment({ name });
    const { body } = await org.owner.patch<Webhook>(hook.url, { configuration: { token: `${TOKEN}-fresh` } });
    expect([body.state, body.state_reason]).toEqual(['active', null]);
    const received = await untilReceived(org, hook, 3);
    expect(received.map(({ events }) => events)).toEqual([1, 2]);
    expect(at.chat.messages(channelOf(hook))[0]?.text).toMatch(/created environment a/);
    expect(at.attemptsAt(hook).at(-1)?.authorization).toBe(`Bearer ${TOKEN}-fresh`);
  });

  it('sends all events once a member enables it again', async () => {
    const hook = await suspended('is_archived');
    expect((await org.owner.get<Webhook>(hook.url)).body.state_reason).toBe('destination: is_archived');
    const { status, body } = await org.owner.post<Webhook>(`${hook.url}enable/`);
    expect([status, body.state]).toEqual([200, 'active']);
    await untilReceived(org, hook, 1);
    const before = (await org.owner.get(hook.url)).headers['x-revision'];
    expect((await org.owner.post(`${hook.url}enable/`)).headers['x-revision']).toBe(before);
  });
});

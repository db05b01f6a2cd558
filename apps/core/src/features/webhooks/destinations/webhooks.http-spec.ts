import type { Delivery, Page, Webhook } from '@strata/contract';
import { type FakeChat, startFakeChat, type TestOrganization } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess } from '../../../testing/core-in-process.ts';

const TOKEN = 'xoxb-1234567890-abcdefWXYZ';
const configuration = { token: TOKEN, channel: '#changes', username: 'strata' };
const input = { name: 'changes', event_types: ['value_updated', 'environment_created'], type: 'slack', configuration };

let chat: FakeChat;
let core: CoreInProcess;
let org: TestOrganization;

beforeAll(async () => {
  chat = await startFakeChat();
  core = await startCoreInProcess({ STRATA_SLACK_API_URL: chat.url });
});
afterAll(async () => {
  await core.close();
  await chat.close();
});
beforeEach(async () => {
  org = await core.organization();
});

function createWebhook(): Promise<Webhook> {
  return org.webhook({ ...input, event_types: ['environment_created'], type: 'slack' });
}

describe('webhooks', () => {
  it('are created for the organization of the caller, and never show their token again', async () => {
    const { status, headers, body, text } = await org.as('ADMIN').post<Webhook>('webhooks/', input);

    expect(status).toBe(201);
    expect(headers.location).toBe(body.url);
    expect(body).toEqual({
      url: expect.stringMatching(/\/api\/v1\/webhooks\/[0-9a-f-]{36}\/$/),
      id: expect.any(String),
      name: 'changes',
      event_types: ['value_updated', 'environment_created'],
      type: 'slack',
      configuration: { token: '*****WXYZ', channel: '#changes', username: 'strata' },
      organization: org.id,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      modified_at: body.created_at,
      state: 'active',
      state_reason: null,
    });
    const shown = [text, (await org.owner.get(body.url)).text, (await org.owner.get('webhooks/')).text];
    for (const response of shown) expect(response).not.toContain('1234567890');
  });

  it.each([
    ['no event types', { event_types: [] }, 'event_types'],
    ['an unknown event type', { event_types: ['tag_created'] }, 'event_types'],
    ['another chat service', { type: 'teams' }, 'type'],
    ['no token', { configuration: { channel: '#c', username: 'u' } }, 'configuration'],
    ['no channel', { configuration: { token: TOKEN, username: 'u' } }, 'configuration'],
    ['no username', { configuration: { token: TOKEN, channel: '#c' } }, 'configuration'],
    ['no name', { name: ' ' }, 'name'],
    ['a token that is a mask', { configuration: { ...configuration, token: '*****WXYZ' } }, 'configuration'],
    ['a line break in the token', { configuration: { ...configuration, token: `${TOKEN}\r\nX: y` } }, 'configuration'],
    ['a space in the token', { configuration: { ...configuration, token: `${TOKEN} ` } }, 'configuration'],
    ['a foreign organization', { organization: '0b9f4c5e-1f5a-4f0e-8a43-6f1f4f3b2a10' }, 'organization'],
  ])('are rejected with %s', async (_, broken, field) => {
    const { status, body, text } = await org.owner.post('webhooks/', { ...input, ...broken });
    expect([status, Object.keys(body as object)]).toEqual([400, [field]]);
    expect(text).not.toContain(TOKEN);
  });

  it('accept their own organization, by id or link', async () => {
    for (const organization of [org.id, `${core.origin}/api/v1/organizations/${org.id}/`]) {
      expect((await org.owner.post('webhooks/', { ...input, organization })).status).toBe(201);
    }
  });

  it('can be changed without sending their token again', async () => {
    const { url } = await createWebhook();
    const { status, body } = await org.owner.patch<Webhook>(url, { configuration: { channel: 'C123' } });
    expect([status, body.configuration]).toEqual([200, { ...configuration, token: '*****WXYZ', channel: 'C123' }]);
    const back = await org.owner.put<Webhook>(url, { ...body, name: 'renamed' });
    expect([back.status, back.body.name, back.body.configuration.token]).toEqual([200, 'renamed', '*****WXYZ']);
    for (const token of ['*****', '*****WXYZ', '*****0000']) {
      const changedToken = await org.owner.patch<Webhook>(url, { configuration: { token } });
      expect([changedToken.status, changedToken.body.configuration.token]).toEqual([200, '*****WXYZ']);
    }
    await org.owner.post(`${url}test/`);
    expect(chat.attempts().at(-1)).toMatchObject({ channel: 'C123', authorization: `Bearer ${TOKEN}` });
  });

  it('create a revision only when they change', async () => {
    const { url } = await createWebhook();
    const before = Number((await org.owner.get(url)).headers['x-revision']);
    const same = await org.owner.patch(url, { name: 'changes', configuration: { token: TOKEN } });
    expect(Number(same.headers['x-revision'])).toBe(before);
    const replacedToken = await org.owner.patch(url, { configuration: { token: 'xoxb-0987654321-newtoken99' } });
    expect(Number(replacedToken.headers['x-revision'])).toBe(before + 1);
    expect((await org.owner.get('events/')).text).not.toContain('Webhook');
  });

  it('return 304 for a current copy, and 412 for a stale precondition', async () => {
    const { url } = await createWebhook();
    const { etag = '' } = (await org.owner.get(url)).headers;
    expect((await org.owner.get(url, { 'if-none-match': etag })).status).toBe(304);
    expect((await org.owner.patch(url, { name: 'a' }, { 'if-match': '"old"' })).status).toBe(412);
    expect((await org.owner.patch(url, { name: 'a' }, { 'if-match': etag })).status).toBe(200);
    expect((await org.owner.delete(url, undefined, { 'if-match': etag })).status).toBe(412);
  });

  it('can be listed by name, filtered and paged', async () => {
    const ids: string[] = [];
    for (const name of ['second', 'first']) ids.push((await org.webhook({ ...input, name } as never)).id);
    const names = async (query: string) =>
      (await org.as('VIEWER').get<Page<Webhook>>(`webhooks/?${query}`)).body.results.map(({ name }) => name);
    expect(await names('')).toEqual(['first', 'second']);
    expect(await names('ordering=created_at')).toEqual(['second', 'first']);
    expect(await names('ordering=description')).toHaveLength(2);
    expect(await names('name=first')).toEqual(['first']);
    expect(await names(`id__in=${ids[0]},${org.id}`)).toEqual(['second']);
    expect(await names('page_size=1&page=2')).toHaveLength(1);
  });

  it('are limited to twenty per organization', async () => {
    for (let n = 0; n < 20; n += 1) await org.webhook({ ...input, name: `hook ${n}` } as never);
    const { status, headers } = await org.owner.post('webhooks/', input);
    expect([status, headers['x-error-code']]).toEqual([400, 'too_many_webhooks']);
  });

  it('are deleted with their deliveries', async () => {
    const { url } = await createWebhook();
    await org.owner.post(`${url}test/`);
    expect((await org.owner.delete(url)).status).toBe(204);
    expect((await org.owner.get(url)).status).toBe(404);
    expect((await org.owner.get(`${url}deliveries/`)).status).toBe(404);
  });

  it('require an administrator of the same organization', async () => {
    const { url, id } = await createWebhook();
    const contributor = org.as('CONTRIB');
    expect((await contributor.post('webhooks/', input)).status).toBe(403);
    for (const path of [`${url}test/`, `${url}enable/`, `${url}deliveries/${id}/redeliver/`]) {
      expect((await contributor.post(path)).status).toBe(403);
    }
    expect((await contributor.get(url)).status).toBe(200);
    const outsider = (await core.organization()).owner;
    for (const path of [url, `${url}deliveries/`, `${url}deliveries/${id}/`]) {
      expect((await outsider.get(path)).status).toBe(404);
    }
    for (const path of [`${url}test/`, `${url}enable/`]) expect((await outsider.post(path)).status).toBe(404);
    expect((await outsider.delete(url)).status).toBe(404);
  });
});

describe('a test message', () => {
  it('is sent immediately and recorded', async () => {
    const { url, name } = await createWebhook();
    const { status, body } = await org.owner.post<Delivery>(`${url}test/`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ webhook: url, status: 'delivered', events: 0, revision: null, hint: null });
    expect(body.attempts).toEqual([
      { at: expect.any(String), duration_ms: expect.any(Number), http_status: 200, error_code: null, retry_at: null },
    ]);
    expect(chat.messages().at(-1)).toMatchObject({ text: body.text, channel: '#changes', username: 'strata' });
    expect(body.text).toContain(name);
    expect((await org.owner.get<Page<Delivery>>(`${url}deliveries/`)).body.results).toEqual([body]);
  });

  it('returns the response of the chat service, and what to do about it', async () => {
    const { url } = await org.webhook({ ...input, configuration: { ...configuration, channel: 'C404' } } as never);
    chat.script({ kind: 'error', error: 'channel_not_found' });
    const { status, body } = await org.owner.post<Delivery>(`${url}test/`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'parked', attempts: [{ http_status: 200, error_code: 'channel_not_found' }] });
    expect(body.hint).toMatch(/channel/);
    expect((await org.owner.get<Webhook>(url)).body.state).toBe('active');
  });
});

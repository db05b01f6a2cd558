import { type FakeChat, startFakeChat } from './fake-chat.ts';

let chat: FakeChat;
beforeEach(async () => {
  chat = await startFakeChat();
});
afterEach(() => chat.close());

const HEADERS = { authorization: 'Bearer xoxb-test', 'content-type': 'application/json' };

function send(fields: object, headers: Record<string, string> = HEADERS): Promise<Response> {
  const body = JSON.stringify(fields);
  return fetch(`${chat.url}chat.postMessage`, { method: 'POST', headers, body, redirect: 'manual' });
}

async function sendJson(fields: object, headers?: Record<string, string>): Promise<unknown> {
  return (await send(fields, headers)).json();
}

describe('the fake chat service', () => {
  it('accepts JSON and forms', async () => {
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'hi' } }];
    expect(await sendJson({ channel: 'C1', text: 'hello', username: 'u', blocks })).toMatchObject({ ok: true });
    await fetch(`${chat.url}chat.postMessage`, {
      method: 'POST',
      headers: { authorization: 'Bearer xoxb-test' },
      body: new URLSearchParams({ channel: 'C1', text: 'hello', username: 'u', blocks: JSON.stringify(blocks) }),
    });
    const [first, second] = chat.messages('C1');
    expect(first).toMatchObject({
      channel: 'C1',
      text: 'hello',
      username: 'u',
      blocks,
      authorization: 'Bearer xoxb-test',
    });
    expect(second).toMatchObject({ channel: 'C1', text: 'hello', username: 'u', blocks });
    expect(second?.ts).not.toBe(first?.ts);
  });

  it.each`
    what                   | fields                                                                                                                                 | headers                                   | error
    ${'no credential'}     | ${{ channel: 'C1', text: 'a' }}                                                                                                        | ${{ 'content-type': 'application/json' }} | ${'not_authed'}
    ${'no channel'}        | ${{ text: 'a' }}                                                                                                                       | ${HEADERS}                                | ${'channel_not_found'}
    ${'no text'}           | ${{ channel: 'C1' }}                                                                                                                   | ${HEADERS}                                | ${'no_text'}
    ${'no object'}         | ${[]}                                                                                                                                  | ${HEADERS}                                | ${'invalid_form_data'}
    ${'51 blocks'}         | ${{ channel: 'C1', blocks: Array.from({ length: 51 }, () => ({ type: 'divider' })) }}                                                  | ${HEADERS}                                | ${'invalid_blocks'}
    ${'a long section'}    | ${{ channel: 'C1', blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'a'.repeat(3001) } }] }}                                  | ${HEADERS}                                | ${'invalid_blocks'}
    ${'too much in total'} | ${{ channel: 'C1', blocks: Array.from({ length: 5 }, () => ({ type: 'section', text: { type: 'mrkdwn', text: 'a'.repeat(3000) } })) }} | ${HEADERS}                                | ${'msg_blocks_too_long'}
  `('rejects $what like the real service', async ({ fields, headers, error }) => {
    expect(await sendJson(fields, headers)).toEqual({ ok: false, error });
    expect(chat.messages()).toHaveLength(0);
  });

  it('has no other method', async () => {
    expect(await (await fetch(`${chat.url}auth.test`, { method: 'POST' })).json()).toMatchObject({ ok: false });
  });

  it('applies each scripted fault once, in order, and records the attempts', async () => {
    chat.script({ kind: 'rate_limited', retryAfter: 3 }, { kind: 'accept' }, { kind: 'error', error: 'is_archived' });
    const limited = await send({ channel: 'C1', text: '1' });
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '3']);
    expect(await sendJson({ channel: 'C1', text: '2' })).toMatchObject({ ok: true });
    expect(await sendJson({ channel: 'C1', text: '3' })).toEqual({ ok: false, error: 'is_archived' });
    expect(await sendJson({ channel: 'C1', text: '4' })).toMatchObject({ ok: true });
    expect(chat.messages().map(({ text }) => text)).toEqual(['2', '4']);
    expect(chat.attempts().map(({ fault }) => fault)).toEqual(['rate_limited', 'accept', 'error', null]);
  });

  it.each`
    when        | recorded
    ${'before'} | ${0}
    ${'after'}  | ${1}
  `('cuts the connection $when recording', async ({ when, recorded }) => {
    chat.script({ kind: 'cut', when });
    await expect(send({ channel: 'C1', text: 'a' })).rejects.toThrow();
    expect(chat.messages()).toHaveLength(recorded);
  });

  it('delays its response after recording', async () => {
    chat.script({ kind: 'slow', ms: 300 });
    let isAnswered = false;
    const sent = sendJson({ channel: 'C1', text: 'a' }).finally(() => {
      isAnswered = true;
    });
    await chat.waitFor(1, 'C1');
    expect(isAnswered).toBe(false);
    expect(await sent).toMatchObject({ ok: true });
  });

  it('returns other statuses, pages and redirects', async () => {
    chat.script(
      { kind: 'status', status: 503 },
      { kind: 'not_json' },
      { kind: 'redirect', location: 'http://127.0.0.1:9/' },
    );
    expect((await send({})).status).toBe(503);
    expect(await (await send({})).text()).toContain('<h1>');
    expect((await send({})).headers.get('location')).toBe('http://127.0.0.1:9/');
  });

  it('can hang without a response and still close', async () => {
    chat.script({ kind: 'hang' });
    const silence = expect(send({ channel: 'C1', text: 'a' })).rejects.toThrow();
    await chat.down();
    await silence;
  });

  it('refuses connections while down and comes back at the same address', async () => {
    await chat.down();
    await expect(send({ channel: 'C1', text: 'a' })).rejects.toThrow();
    await chat.up();
    expect(await sendJson({ channel: 'C1', text: 'b' })).toMatchObject({ ok: true });
    expect(chat.messages().map(({ text }) => text)).toEqual(['b']);
  });

  it('`fetch` resolves `users/..` to `api/v1/` before it sends the request.', async () => {
    const waiting = chat.waitFor(2, 'C2');
    await sendJson({ channel: 'C2', text: '1' });
    await sendJson({ channel: 'C1', text: 'other' });
    await sendJson({ channel: 'C2', text: '2' });
    expect((await waiting).map(({ text }) => text)).toEqual(['1', '2']);
  });

  it('reports the received messages if the wait times out', async () => {
    await sendJson({ channel: 'C1', text: 'only one' });
    await expect(chat.waitFor(2, 'C1', 50)).rejects.toThrow('got 1: ["only one"]');
  });
});

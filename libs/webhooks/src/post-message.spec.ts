import { type ChatFault, type FakeChat, startFakeChat } from '@strata/testkit';
import { classify, type Post, postMessage, renderTest } from './index.ts';

const TOKEN = 'xoxb-1234567890-SECRETSECRET';
const OTHER_TOKEN = 'xoxb-1234567890-OTHER';

let chat: FakeChat;
beforeEach(async () => {
  chat = await startFakeChat();
});
afterEach(() => chat.close());

function post(change: Partial<Post> = {}) {
  const message = renderTest('ops & friends');
  return postMessage({ apiUrl: chat.url, token: TOKEN, channel: '#ops', username: 'Strata', message, ...change });
}

describe('postMessage', () => {
  it('sends text, blocks, channel and username with the token as bearer', async () => {
    const response = await post();
    const [message] = chat.messages('#ops');
    expect(message).toMatchObject({
      ...renderTest('ops & friends'),
      username: 'Strata',
      authorization: `Bearer ${TOKEN}`,
    });
    expect(response).toEqual({
      kind: 'answered',
      status: 200,
      retryAfter: null,
      body: { ok: true, ts: message?.ts },
      usernameSent: true,
    });
  });

  it('lets the bot keep its own name if no username is given', async () => {
    await post({ username: '' });
    expect(chat.messages()[0]?.username).toBeNull();
  });

  it('sends every character unchanged', async () => {
    const text = 'a+b %20 & = ? " \\ é 😀 \u2028 end';
    await post({ message: { text, blocks: [] }, channel: 'https://evil.example/?a=b&c#d' });
    expect(chat.messages()[0]).toMatchObject({ text, channel: 'https://evil.example/?a=b&c#d' });
  });

  it.each<[string, ChatFault, object]>([
    ['being rate limited', { kind: 'rate_limited', retryAfter: 7 }, { kind: 'retry', retryAfterSeconds: 7 }],
    [
      'a wait that is no number',
      { kind: 'rate_limited', retryAfter: 'soon' },
      { kind: 'retry', retryAfterSeconds: 30 },
    ],
    ['a wait that is missing', { kind: 'rate_limited' }, { kind: 'retry', retryAfterSeconds: 30 }],
    ['a bad token', { kind: 'error', error: 'invalid_auth' }, { kind: 'suspend', code: 'invalid_auth' }],
    [
      'a bot that may not choose its name',
      { kind: 'error', error: 'missing_scope', needed: 'chat:write.customize' },
      { kind: 'resend_without_username', code: 'missing_scope' },
    ],
    ['an error that repeats the token', { kind: 'error', error: TOKEN }, { kind: 'retry', reason: 'unreadable_error' }],
    ['a server error', { kind: 'status', status: 500, body: TOKEN }, { kind: 'retry', reason: 'http_500' }],
    ['an empty answer', { kind: 'status', status: 204 }, { kind: 'retry', reason: 'http_204' }],
    ['a web page', { kind: 'not_json', body: TOKEN }, { kind: 'retry', reason: 'unreadable_answer' }],
    ['JSON that is no object', { kind: 'not_json', body: 'null' }, { kind: 'retry', reason: 'unreadable_answer' }],
    ['a body without end', { kind: 'flood', bytes: 5_000_000 }, { kind: 'retry', reason: 'unreadable_answer' }],
    ['a cut connection', { kind: 'cut', when: 'before' }, { kind: 'ambiguous', reason: 'connection_lost' }],
    ['silence', { kind: 'hang' }, { kind: 'ambiguous', reason: 'timeout' }],
    [
      'a server error without end',
      { kind: 'hang', after: 'headers', status: 502 },
      { kind: 'retry', reason: 'http_502' },
    ],
    ['a body that never comes', { kind: 'hang', after: 'headers' }, { kind: 'ambiguous', reason: 'timeout' }],
  ])('reports %s after one attempt and without the token', async (_, fault, outcome) => {
    chat.script(fault);
    // Only what never ends needs a short limit, which a busy machine could exceed otherwise.
    const response = await post({ timeoutMs: fault.kind === 'hang' ? 500 : 20_000 });
    expect(classify(response)).toMatchObject(outcome);
    expect(JSON.stringify(response)).not.toContain('SECRET');
    expect(chat.attempts()).toHaveLength(1);
    expect(chat.messages()).toHaveLength(0);
  });

  it('reports an ambiguous result if the message was received but the response was lost', async () => {
    chat.script({ kind: 'cut', when: 'after' });
    expect(classify(await post())).toEqual({ kind: 'ambiguous', reason: 'connection_lost' });
    expect(chat.messages()).toHaveLength(1);
  });

  it('never follows a redirect', async () => {
    const redirectTarget = await startFakeChat();
    chat.script({ kind: 'redirect', location: `${redirectTarget.url}chat.postMessage` });
    const outcome = classify(await post());
    expect(outcome).toEqual({ kind: 'retry', reason: 'http_302' });
    expect(redirectTarget.attempts()).toHaveLength(0);
    await redirectTarget.close();
  });

  it('reports that nothing was posted while the service is down, and delivers once it is back', async () => {
    await chat.down();
    expect(await post()).toEqual({ kind: 'unsent', cause: 'connection_refused' });
    await chat.up();
    expect(classify(await post()).kind).toBe('delivered');
    expect(chat.messages()).toHaveLength(1);
  });

  it('sends nothing with a token that contains a line break', async () => {
    const response = await post({ token: `${TOKEN}\r\nHost: evil.example` });
    expect(response).toEqual({ kind: 'unsent', cause: 'malformed_token' });
    expect(chat.attempts()).toHaveLength(0);
  });

  it.each(['nonsense', 'ftp://chat.example/'])('handles the address %s', async (apiUrl) => {
    expect(await post({ apiUrl })).toEqual({ kind: 'unsent', cause: 'unreachable' });
  });

  it('keeps concurrent messages with different tokens separate', async () => {
    await Promise.all([post({ channel: 'A' }), post({ channel: 'B', token: OTHER_TOKEN })]);
    expect(chat.messages('A')[0]?.authorization).toBe(`Bearer ${TOKEN}`);
    expect(chat.messages('B')[0]?.authorization).toBe(`Bearer ${OTHER_TOKEN}`);
  });
});

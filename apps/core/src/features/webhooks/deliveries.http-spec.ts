import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Delivery, Page, Webhook } from '@strata/contract';
import { EVENT_TYPES } from '@strata/domain';
import {
  type ChatMessageRecord,
  createTestDatabase,
  type FakeChat,
  organization,
  startFakeChat,
  type TestOrganization,
  testCredentials,
} from '@strata/testkit';
import pg from 'pg';
import { createCore, readEnv } from '../../index.ts';
import { Work } from '../../platform/database/work.ts';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';
import { DeliverySettings } from './delivery-settings.ts';

const TOKEN = 'xoxb-1234567890-abcdefWXYZ';
/** Retries after a tenth of a second instead of five. */
const QUICK = { retryScale: 0.02, timeoutMs: 1_500 };

let chat: FakeChat;
let core: CoreInProcess;
let org: TestOrganization;
let channels = 0;

beforeAll(async () => {
  chat = await startFakeChat();
  core = await startCoreInProcess({ STRATA_SLACK_API_URL: chat.url });
  Object.assign(core.core.app.get(DeliverySettings), QUICK);
});
afterAll(async () => {
  await core.close();
  await chat.close();
});
beforeEach(async () => {
  org = await core.organization();
});
afterEach(() => chat.up());

/** A webhook with a channel and a token of its own, so that tests do not wait for each other. */
function webhook({ channel, token }: { channel?: string; token?: string } = {}): Promise<Webhook> {
  channels += 1;
  return org.webhook({
    event_types: [...EVENT_TYPES],
    configuration: { token: token ?? `${TOKEN}-${channels}`, channel: channel ?? `C${channels}`, username: 'strata' },
  });
}

const channelOf = ({ configuration }: Webhook) => configuration.channel;
const attemptsAt = (hook: Webhook) => chat.attempts().filter(({ channel }) => channel === channelOf(hook));

async function deliveries({ url }: Webhook): Promise<readonly Delivery[]> {
  const { body } = await org.owner.get<Page<Delivery>>(`${url}deliveries/`);
  return [...body.results].reverse();
}

async function until<T>(read: () => Promise<T>, isEnough: (found: T) => boolean, timeoutMs = 15_000): Promise<T> {
  for (const end = Date.now() + timeoutMs; ; await sleep(20)) {
    const found = await read();
    if (isEnough(found)) return found;
    if (Date.now() > end) throw new Error(`Waited in vain; at last: ${JSON.stringify(found)}`);
  }
}

function untilTold(hook: Webhook, events: number, timeoutMs?: number): Promise<readonly Delivery[]> {
  const told = (found: readonly Delivery[]) =>
    found.filter(({ status }) => status === 'delivered').reduce((sum, delivery) => sum + delivery.events, 0);
  return until(
    () => deliveries(hook),
    (found) => told(found) >= events,
    timeoutMs,
  );
}

const statusesOf = (found: readonly Delivery[]) => found.map(({ status }) => status);
const codesOf = ({ attempts }: Delivery) => attempts.map(({ error_code: code }) => code);
const wordsOf = (message: ChatMessageRecord) => JSON.stringify([message.text, message.blocks]);

async function sql<Row extends object>(text: string, values: unknown[] = [], url = core.database.url): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return (await client.query<Row>(text, values).finally(() => client.end().catch(() => undefined))).rows;
}

/** A change without the work around it: five hundred through the door take longer than what is to be seen here. */
async function happen(): Promise<void> {
  const { id } = org;
  await core.core.app.get(Work).write(
    {
      id: 'someone',
      name: 'someone',
      type: 'service',
      organizationId: org.id,
      membershipId: id,
      role: 'OWNER',
      scopes: new Map(),
      requestId: '',
      surface: 'rest',
      idempotencyKey: null,
    },
    async ({ record }) =>
      record({
        eventType: 'environment_updated',
        action: 'update',
        objectType: 'Environment',
        object: { id, name: 'x' },
      }),
  );
}

/** The chat service takes one a second; the clock of the observer may differ a little. */
function expectOneASecond(messages: readonly ChatMessageRecord[]): void {
  const gaps = messages.slice(1).map(({ time }, n) => time - (messages[n] as ChatMessageRecord).time);
  expect(gaps.filter((gap) => gap < 950)).toEqual([]);
}

describe('a message', () => {
  it('says who did what, where, when and in which revision', async () => {
    const hook = await webhook();
    const project = await org.project({ name: 'billing' });
    const [message] = await chat.waitFor(1, channelOf(hook));
    expect(message).toMatchObject({ username: 'strata', text: expect.stringMatching(/Owner created project billing/) });
    const [delivery] = await untilTold(hook, 1);
    expect(delivery).toMatchObject({
      webhook: hook.url,
      status: 'delivered',
      event_types: ['project_created'],
      events: 1,
      revision: 3,
      text: message?.text,
      attempts: [{ http_status: 200, error_code: null, retry_at: null }],
    });
    expect(wordsOf(message as ChatMessageRecord)).toContain('revision 3');
    expect(project.name).toBe('billing');
  });

  it('is not sent for what the webhook did not ask for, nor for what another organization does', async () => {
    const hook = await webhook();
    await org.owner.patch(hook.url, { event_types: ['environment_deleted'] });
    const { url } = await org.environment();
    await (await core.organization()).environment();
    await org.owner.delete(url);
    await untilTold(hook, 1);
    expect((await deliveries(hook)).map(({ event_types: types }) => types)).toEqual([['environment_deleted']]);
    expect(chat.messages(channelOf(hook))).toHaveLength(1);
  });

  it('never holds a value, whatever happened to it, and mentions nobody', async () => {
    const hook = await webhook();
    const project = await org.project({ name: '<!channel> & co' });
    const secret = await org.parameter({ project, name: 'DB_PASSWORD', secret: true });
    const open = await org.parameter({ project, name: 'DB_HOST' });
    for (const parameter of [secret, open]) {
      const value = await org.value({ parameter, internal_value: 'canary-one' });
      await org.owner.patch(value.url, { internal_value: 'canary-two' });
      await org.owner.delete(value.url);
    }
    await org.owner.delete(open.url);
    await untilTold(hook, 10);
    const words = chat.messages(channelOf(hook)).map(wordsOf).join();
    expect(words).toContain('DB_PASSWORD');
    expect(words).not.toContain('canary');
    expect(words).not.toContain('<!channel>');
    expect(JSON.stringify(await deliveries(hook))).not.toContain('canary');
  });
});

describe('when the chat service has trouble', () => {
  it('is down for a while, everything is told afterwards, once and in order', async () => {
    const hook = await webhook();
    await chat.down();
    await org.environment({ name: 'a' });
    await until(
      () => deliveries(hook),
      ([first]) => (first?.attempts.length ?? 0) >= 2,
    );
    for (const name of ['b', 'c']) await org.environment({ name });
    await chat.up();
    const [first, second, ...more] = await untilTold(hook, 3);
    expect([first?.events, second?.events, more]).toEqual([1, 2, []]);
    expect(new Set(codesOf(first as Delivery))).toEqual(new Set(['connection_refused', null]));
    const messages = chat.messages(channelOf(hook));
    expect(messages).toHaveLength(2);
    expect(messages[0]?.text).toMatch(/created environment a/);
    expect(messages[1]?.text).toMatch(/^2 changes/);
  });

  it.each([
    ['an error inside 200', { kind: 'error', error: 'internal_error' }, 'internal_error'],
    ['a code nobody knows', { kind: 'error', error: 'gremlins' }, 'gremlins'],
    ['a server error', { kind: 'status', status: 503 }, 'http_503'],
    ['a page for people', { kind: 'not_json' }, 'unreadable_answer'],
    ['a broken connection', { kind: 'cut', when: 'before' }, 'connection_lost'],
    ['silence', { kind: 'hang' }, 'timeout'],
  ] as const)('answers with %s, the message is tried again', async (_, fault, code) => {
    const hook = await webhook();
    chat.script(fault);
    await org.environment();
    const [delivery] = await untilTold(hook, 1);
    expect(codesOf(delivery as Delivery)).toEqual([code, null]);
    expect(delivery?.attempts[0]?.retry_at).toMatch(/^\d{4}-.*Z$/);
  });

  it('says 429, nothing is sent with this token before Retry-After is over, and it is no failure', async () => {
    const hook = await webhook();
    chat.script({ kind: 'rate_limited', retryAfter: 3 });
    await org.environment();
    const [delivery] = await untilTold(hook, 1);
    const [refused, accepted] = attemptsAt(hook);
    expect((accepted?.time ?? 0) - (refused?.time ?? 0)).toBeGreaterThanOrEqual(2_900);
    expect(codesOf(delivery as Delivery)).toEqual(['rate_limited', null]);
    const [row] = await sql<{ failures: number }>('select failures from webhook where id = $1', [hook.id]);
    expect(row?.failures).toBe(0);
  });

  it('refuses one message, it is parked and the next one goes on', async () => {
    const hook = await webhook();
    chat.script({ kind: 'error', error: 'msg_too_long' });
    await org.environment({ name: 'a' });
    await until(
      () => deliveries(hook),
      ([first]) => first?.status === 'parked',
    );
    await org.environment({ name: 'b' });
    const found = await untilTold(hook, 1);
    expect(statusesOf(found)).toEqual(['parked', 'delivered']);
    expect(found[0]?.hint).toMatch(/bug of Strata/);

    const again = await org.owner.post<Delivery>(`${hook.url}deliveries/${found[0]?.id}/redeliver/`);
    expect([again.status, again.body.status, again.body.events]).toEqual([202, 'delivered', 1]);
    expect(chat.messages(channelOf(hook)).at(-1)?.text).toMatch(/created environment a/);
  });

  it('does not let the bot choose its name, the message is sent under its own', async () => {
    const hook = await webhook();
    chat.script({ kind: 'error', error: 'missing_scope', needed: 'chat:write.customize' });
    await org.environment();
    const [delivery] = await untilTold(hook, 1);
    expect(codesOf(delivery as Delivery)).toEqual(['missing_scope', null]);
    expect(attemptsAt(hook).map(({ username }) => username)).toEqual(['strata', null]);
  });
});

describe('a webhook whose token or channel is refused', () => {
  async function suspended(error: string): Promise<Webhook> {
    const hook = await webhook();
    chat.script({ kind: 'error', error });
    await org.environment({ name: 'a' });
    await until(
      async () => (await org.owner.get<Webhook>(hook.url)).body,
      ({ state }) => state === 'suspended',
    );
    return hook;
  }

  it('stops after one attempt, says why, and keeps what it has yet to tell', async () => {
    const hook = await suspended('invalid_auth');
    await org.environment({ name: 'b' });
    await sleep(300);
    expect(attemptsAt(hook)).toHaveLength(1);
    expect((await org.owner.get<Webhook>(hook.url)).body.state_reason).toBe('credential: invalid_auth');
    const [delivery, ...more] = await deliveries(hook);
    expect([delivery?.status, codesOf(delivery as Delivery), more]).toEqual(['queued', ['invalid_auth'], []]);
  });

  it('tells everything in order once it has a new token', async () => {
    const hook = await suspended('token_revoked');
    for (const name of ['b', 'c']) await org.environment({ name });
    const { body } = await org.owner.patch<Webhook>(hook.url, { configuration: { token: `${TOKEN}-fresh` } });
    expect([body.state, body.state_reason]).toEqual(['active', null]);
    const found = await untilTold(hook, 3);
    expect(found.map(({ events }) => events)).toEqual([1, 2]);
    expect(chat.messages(channelOf(hook))[0]?.text).toMatch(/created environment a/);
    expect(attemptsAt(hook).at(-1)?.authorization).toBe(`Bearer ${TOKEN}-fresh`);
  });

  it('tells everything once somebody enables it again', async () => {
    const hook = await suspended('is_archived');
    expect((await org.owner.get<Webhook>(hook.url)).body.state_reason).toBe('destination: is_archived');
    const { status, body } = await org.owner.post<Webhook>(`${hook.url}enable/`);
    expect([status, body.state]).toEqual([200, 'active']);
    await untilTold(hook, 1);
    const before = (await org.owner.get(hook.url)).headers['x-revision'];
    expect((await org.owner.post(`${hook.url}enable/`)).headers['x-revision']).toBe(before);
  });
});

describe('when much happens', () => {
  it('five hundred changes become a few messages, one a second, whose counts are exact', async () => {
    const hook = await webhook();
    for (let n = 0; n < 500; n += 1) await happen();
    const found = await untilTold(hook, 500, 60_000);
    expect(found.reduce((sum, { events }) => sum + events, 0)).toBe(500);
    const messages = chat.messages(channelOf(hook));
    expect(messages.map(({ text }) => Number(/^(\d+) changes/.exec(text)?.[1] ?? 1))).toEqual(
      found.map(({ events }) => events),
    );
    expectOneASecond(messages);
    const revisions = found.map(({ revision }) => revision ?? 0);
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
  }, 120_000);

  it('two processes share the work: nothing twice, and still one a second for webhooks of one channel', async () => {
    const other = await core.another();
    Object.assign(other.core.app.get(DeliverySettings), QUICK);
    try {
      const first = await webhook();
      const second = await webhook({ channel: channelOf(first), token: `${TOKEN}-${channels}` });
      for (let n = 0; n < 30; n += 1) {
        await happen();
        await sleep(50);
      }
      for (const hook of [first, second]) {
        const found = await untilTold(hook, 30, 30_000);
        expect(found.reduce((sum, { events }) => sum + events, 0)).toBe(30);
      }
      const sent = (await deliveries(first)).length + (await deliveries(second)).length;
      expect(chat.messages(channelOf(first))).toHaveLength(sent);
      expectOneASecond(chat.messages(channelOf(first)));
    } finally {
      await other.close();
    }
  }, 60_000);
});

const WAIT_BEFORE_MARK = `
  create function strata_test_wait() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return new; end $$;
  create trigger strata_test_wait before update on delivery for each row
    when (new.status = 'delivered') execute function strata_test_wait();`;
const STOP_WAITING = `
  select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep';
  drop trigger strata_test_wait on delivery;`;

describe('when we have trouble ourselves', () => {
  it('a process that dies between the answer and its mark costs one repetition, and loses nothing', async () => {
    const { url: databaseUrl, drop } = await createTestDatabase();
    const port = await freePort();
    const child = await startChild(databaseUrl, port);
    org = await organization({ ...testCredentials(), origin: `http://127.0.0.1:${port}` });
    const hook = await webhook();
    // the message is out, and the note that says so cannot be made
    await sql(WAIT_BEFORE_MARK, [], databaseUrl);
    await org.environment({ name: 'a' });
    await chat.waitFor(1, channelOf(hook));
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await sql(STOP_WAITING, [], databaseUrl);
    expect(await sql('select status from delivery', [], databaseUrl)).toEqual([{ status: 'sending' }]);
    await sql('update webhook set lease_until = clock_timestamp()', [], databaseUrl); // as if a minute had passed

    const heir = await createCore(readEnv(settingsOf(databaseUrl)));
    try {
      await heir.listen(port, '127.0.0.1');
      await org.environment({ name: 'b' });
      const found = await untilTold(hook, 2);
      expect(found.map(({ events }) => events)).toEqual([1, 1]);
      const names = chat.messages(channelOf(hook)).map(({ text }) => /environment \w/.exec(text)?.[0]);
      expect(names).toEqual(['environment a', 'environment a', 'environment b']);
    } finally {
      await heir.close();
      await drop();
    }
  }, 60_000);

  it('what a dead process left is found without anything new happening', async () => {
    const hook = await webhook();
    await chat.down();
    await org.environment();
    await until(
      () => deliveries(hook),
      ([first]) => first?.status === 'retrying',
    );
    await sql(
      `update webhook set lease_token = gen_random_uuid(), lease_until = clock_timestamp(),
                      next_attempt_at = clock_timestamp() where id = $1`,
      [hook.id],
    );
    await sql(`select graphile_worker.remove_job('webhook:' || $1)`, [hook.id]);
    await chat.up();
    await untilTold(hook, 1);
  });

  it('a worker that comes back from a long pause can no longer say how its message went', async () => {
    const hook = await webhook();
    chat.script({ kind: 'hang' });
    await org.environment({ name: 'a' });
    await until(
      async () => attemptsAt(hook),
      (attempts) => attempts.length === 1,
    );
    await sql('update webhook set lease_until = clock_timestamp() where id = $1', [hook.id]);
    await org.environment({ name: 'b' });
    const found = await untilTold(hook, 2);
    await sleep(QUICK.timeoutMs);
    expect(await deliveries(hook)).toEqual(found);
    expect(found.map(codesOf)).toEqual([[null], [null]]);
  });

  it('the database breaks all connections, and the next change is told all the same', async () => {
    const hook = await webhook();
    await org.environment({ name: 'a' });
    await untilTold(hook, 1);
    await sql(`select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid()`);
    await until(
      () => org.owner.post('environments/', { name: 'b' }),
      ({ status }) => status === 201,
    );
    await untilTold(hook, 2, 25_000);
  }, 60_000);

  it('no token is anywhere but sealed in its row', async () => {
    const token = 'xoxb-5555555555-canarycanary';
    const hook = await webhook({ token });
    chat.script({ kind: 'error', error: 'invalid_auth' });
    await org.environment();
    await until(
      () => deliveries(hook),
      ([first]) => first?.status === 'queued',
    );
    const tables = await sql<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname in ('public', 'graphile_worker')`,
    );
    for (const { name } of tables) {
      const rows = await sql(
        `select 1 from ${name} t where t::text like '%5555555555%' or t::text like '%${Buffer.from('5555555555').toString('hex')}%'`,
      );
      expect([name, rows]).toEqual([name, []]);
    }
  });
});

/** A core in a process of its own, that can be killed. */
async function startChild(databaseUrl: string, port: number): Promise<ChildProcess> {
  const main = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, ...settingsOf(databaseUrl), STRATA_PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

function settingsOf(databaseUrl: string): Record<string, string> {
  const { STRATA_ROOT_KEY } = core.env;
  return { DATABASE_URL: databaseUrl, STRATA_ROOT_KEY, STRATA_SLACK_API_URL: chat.url, STRATA_LOG_LEVEL: 'silent' };
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

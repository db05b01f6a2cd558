import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type ChatMessageRecord,
  createTestDatabase,
  organization,
  type TestOrganization,
  testCredentials,
} from '@strata/testkit';
import {
  ChatFixture,
  channelOf,
  listDeliveries,
  listErrorCodes,
  QUICK,
  setDeliveryIntervals,
  TOKEN,
  untilReceived,
} from '../../../testing/chat-fixture.ts';
import { moduleOfCore } from '../../../testing/core-in-process.ts';
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

/** Writes a change directly to the database, because five hundred requests would take too long. */
async function happen(): Promise<void> {
  const { id } = org;
  const { UnitOfWork } = await moduleOfCore<typeof import('../../../platform/ledger/unit-of-work.ts')>(
    './platform/ledger/unit-of-work.js',
  );
  await at.core.core.app.get(UnitOfWork).run({
    operation: 'environments_update',
    caller: {
      id: 'someone',
      name: 'someone',
      type: 'service',
      organizationId: org.id,
      membershipId: id,
      role: 'OWNER',
      scopes: new Map(),
      requestId: '',
      surface: 'rest',
      revision: 0,
      authorization: null,
      idempotencyKey: null,
    },
    isLong: true,
    run: async ({ record }) =>
      record({
        eventType: 'environment_updated',
        action: 'update',
        objectType: 'Environment',
        object: { id, name: 'x' },
      }),
  });
}

/** Expects one message per second and channel. The clock of the chat service may differ slightly. */
function expectOneASecond(messages: readonly ChatMessageRecord[]): void {
  const gaps = messages.slice(1).map(({ time }, n) => time - (messages[n] as ChatMessageRecord).time);
  expect(gaps.filter((gap) => gap < 950)).toEqual([]);
}

describe('many events', () => {
  it('of five hundred changes become a few messages, one per second, with exact counts', async () => {
    const hook = await at.webhook(org);
    for (let n = 0; n < 500; n += 1) await happen();
    const received = await untilReceived(org, hook, 500);
    expect(received.reduce((sum, { events }) => sum + events, 0)).toBe(500);
    const messages = at.chat.messages(channelOf(hook));
    expect(messages.map(({ text }) => Number(/^(\d+) changes/.exec(text)?.[1] ?? 1))).toEqual(
      received.map(({ events }) => events),
    );
    expectOneASecond(messages);
    const revisions = received.map(({ revision }) => revision ?? 0);
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
  });

  it('are shared by two processes: nothing is sent twice, and webhooks of one channel send one message per second', async () => {
    const secondCore = await at.core.another();
    await setDeliveryIntervals(secondCore);
    try {
      const shared = { channel: 'C-shared', token: `${TOKEN}-shared` };
      const [first, second] = [await at.webhook(org, shared), await at.webhook(org, shared)];
      for (let n = 0; n < 30; n += 1) {
        await happen();
        await sleep(50);
      }
      for (const hook of [first, second]) {
        const received = await untilReceived(org, hook, 30);
        expect(received.reduce((sum, { events }) => sum + events, 0)).toBe(30);
      }
      const sent = (await listDeliveries(org, first)).length + (await listDeliveries(org, second)).length;
      expect(at.chat.messages(channelOf(first))).toHaveLength(sent);
      expectOneASecond(at.chat.messages(channelOf(first)));
    } finally {
      await secondCore.close();
    }
  });
});

it('a worker does not send the events of a webhook while another worker sends a message for it', async () => {
  await setDeliveryIntervals(at.core, { ...QUICK, timeoutMs: 50_000 });
  try {
    const hook = await at.webhook(org);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    at.chat.script({ kind: 'held', until: released });
    await org.environment({ name: 'a' });
    await at.chat.waitFor(1, channelOf(hook));
    const state = () =>
      query<{ lease_token: string | null; hasJob: boolean }>(
        at.core,
        `select lease_token, exists (select from graphile_worker.jobs where key = 'webhook:' || webhook.id) as "hasJob"
           from webhook where id = $1`,
        [hook.id],
      );
    const [before] = await state();
    await org.environment({ name: 'b' });
    await waitUntil(state, ([now]) => !now?.hasJob || now.lease_token !== before?.lease_token);
    release();
    await untilReceived(org, hook, 2);
    const names = at.chat.messages(channelOf(hook)).map(({ text }) => /environment \w/.exec(text)?.[0]);
    expect(names).toEqual(['environment a', 'environment b']);
  } finally {
    await setDeliveryIntervals(at.core);
  }
});

const WAIT_BEFORE_MARK = `
  create function strata_test_wait() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return new; end $$;
  create trigger strata_test_wait before update on delivery for each row
    when (new.status = 'delivered') execute function strata_test_wait();`;
const STOP_WAITING = `
  select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep';
  drop trigger strata_test_wait on delivery;`;

describe('failures of Strata itself', () => {
  it('a process that crashes between the response and its record causes one repetition, and loses nothing', async () => {
    const database = await createTestDatabase();
    const port = await freePort();
    const child = await startChild(database.url, port);
    org = await organization({ ...testCredentials(), origin: `http://127.0.0.1:${port}` });
    const hook = await at.webhook(org);
    // The message is sent, but its success cannot be recorded.
    await query({ database }, WAIT_BEFORE_MARK);
    await org.environment({ name: 'a' });
    await at.chat.waitFor(1, channelOf(hook));
    const whenEnded = once(child, 'exit');
    child.kill('SIGKILL');
    await whenEnded;
    await query({ database }, STOP_WAITING);
    expect(await query({ database }, 'select status from delivery')).toEqual([{ status: 'sending' }]);
    await query({ database }, 'update webhook set lease_until = clock_timestamp()'); // Simulates that a minute has passed.

    const { createCore, readEnv } = await moduleOfCore<typeof import('../../../index.ts')>('./index.js');
    const successor = await createCore(readEnv(buildSettings(database.url)));
    try {
      await successor.listen(port, '127.0.0.1');
      await org.environment({ name: 'b' });
      const received = await untilReceived(org, hook, 2);
      expect(received.map(({ events }) => events)).toEqual([1, 1]);
      const names = at.chat.messages(channelOf(hook)).map(({ text }) => /environment \w/.exec(text)?.[0]);
      expect(names).toEqual(['environment a', 'environment a', 'environment b']);
    } finally {
      await successor.close();
      await database.drop();
    }
  });

  it('events that a crashed process left are sent without any new event', async () => {
    const hook = await at.webhook(org);
    await at.chat.down();
    await org.environment();
    await waitUntil(
      () => listDeliveries(org, hook),
      ([first]) => first?.status === 'retrying',
    );
    await query(
      at.core,
      `update webhook set lease_token = gen_random_uuid(), lease_until = clock_timestamp(),
                      next_attempt_at = clock_timestamp() where id = $1`,
      [hook.id],
    );
    await query(at.core, `select graphile_worker.remove_job('webhook:' || $1)`, [hook.id]);
    await at.chat.up();
    await untilReceived(org, hook, 1);
  });

  it('a worker that resumes after a long pause can no longer record the result of its message', async () => {
    const hook = await at.webhook(org);
    at.chat.script({ kind: 'hang' });
    await org.environment({ name: 'a' });
    await waitUntil(
      async () => at.attemptsAt(hook),
      (attempts) => attempts.length === 1,
    );
    await query(at.core, 'update webhook set lease_until = clock_timestamp() where id = $1', [hook.id]);
    await org.environment({ name: 'b' });
    const received = await untilReceived(org, hook, 2);
    await sleep(QUICK.timeoutMs);
    expect(await listDeliveries(org, hook)).toEqual(received);
    expect(received.map(listErrorCodes)).toEqual([[null], [null]]);
  });

  it('after the database breaks all connections, the next change is still reported', async () => {
    const hook = await at.webhook(org);
    await org.environment({ name: 'a' });
    await untilReceived(org, hook, 1);
    await query(
      at.core,
      `select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await waitUntil(
      () => org.owner.post('environments/', { name: 'b' }),
      ({ status }) => status === 201,
    );
    await untilReceived(org, hook, 2);
  });

  it('a token is stored only encrypted in its row', async () => {
    const token = 'xoxb-5555555555-canarycanary';
    const hook = await at.webhook(org, { token });
    at.chat.script({ kind: 'error', error: 'invalid_auth' });
    await org.environment();
    await waitUntil(
      () => listDeliveries(org, hook),
      ([first]) => first?.status === 'queued',
    );
    const tables = await query<{ name: string }>(
      at.core,
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname in ('public', 'graphile_worker')`,
    );
    for (const { name } of tables) {
      const rows = await query(
        at.core,
        `select 1 from ${name} stored where stored::text like '%5555555555%' or stored::text like '%${Buffer.from('5555555555').toString('hex')}%'`,
      );
      expect([name, rows]).toEqual([name, []]);
    }
  });
});

/** Starts a core in a separate process that can be killed. */
async function startChild(databaseUrl: string, port: number): Promise<ChildProcess> {
  const main = fileURLToPath(new URL('../../../../dist/main.js', import.meta.url));
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, ...buildSettings(databaseUrl), STRATA_PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

function buildSettings(databaseUrl: string): Record<string, string> {
  const { STRATA_ROOT_KEY } = at.core.env;
  return {
    DATABASE_URL: databaseUrl,
    STRATA_ROOT_KEY,
    STRATA_SLACK_API_URL: at.chat.url,
    STRATA_LOG_LEVEL: 'silent',
    STRATA_GRACE_SECONDS: '0',
    // The test database does not flush writes to the disk.
    STRATA_UNSAFE_DATABASE: 'true',
  };
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@strata/processes';
import {
  type ChatMessageRecord,
  type FakeChat,
  organization,
  startFakeChat,
  type TestOrganization,
  testCredentials,
} from '@strata/testkit';
import { buildMissingApps, eventually, fetchStatus, migrate, type Service, startService } from './processes.ts';
import { RestartablePostgres } from './restartable-postgres.ts';

const CHANNELS = ['C1', 'C2', 'C3', 'C4', 'C5', 'C6', 'C7', 'C8'];

let postgres: RestartablePostgres;
let chat: FakeChat;
let core: Service;
let org: TestOrganization;

beforeAll(async () => {
  await buildMissingApps('core');
  [postgres, chat] = await Promise.all([RestartablePostgres.start(), startFakeChat()]);
  const { apiKey, ownerEmail, ownerPassword, rootKey } = testCredentials();
  const settings = {
    DATABASE_URL: postgres.url,
    STRATA_ROOT_KEY: rootKey,
    STRATA_BOOTSTRAP_API_KEY: apiKey,
    STRATA_BOOTSTRAP_EMAIL: ownerEmail,
    STRATA_BOOTSTRAP_PASSWORD: ownerPassword,
    STRATA_SLACK_API_URL: chat.url,
  };
  await migrate(settings);
  core = await startService('core', await findFreePort(), settings);
  org = await organization({ origin: core.origin, ownerEmail, ownerPassword });
});
afterAll(async () => {
  await core.end('SIGKILL');
  await Promise.all([postgres.remove(), chat.close()]);
});

/** Returns the first and the last revision of the changes in a message. */
function receivedIn({ text }: ChatMessageRecord): [number, number] {
  const [, first, last = first] = /\(revisions? (\d+)(?:–(\d+))?/.exec(text) ?? [];
  return [Number(first), Number(last)];
}

/** Expects that the messages cover all revisions in order. A message may arrive twice, but none may be missing or overtake another. */
function expectAllInOrder(messages: readonly ChatMessageRecord[], from: number, to: number): void {
  let shownCount = from;
  for (const message of messages) {
    const [first, last] = receivedIn(message);
    expect(first).toBeLessThanOrEqual(shownCount + 1);
    shownCount = Math.max(shownCount, last);
  }
  expect(shownCount).toBe(to);
}

const revision = async () => Number((await org.owner.get('environments/')).headers['x-revision']);
const lastReceived = (channel: string) =>
  Math.max(0, ...chat.messages(channel).map((message) => receivedIn(message)[1]));

/** Creates environments until it is stopped, regardless of the responses. */
async function writing(isOver: () => boolean): Promise<void> {
  for (let n = 1; !isOver(); n += 1) {
    await org.owner.post('environments/', { name: `environment-${n}` }).catch(() => undefined);
    await sleep(100);
  }
}

describe('kill -9 of PostgreSQL while webhook messages are being delivered', () => {
  it('loses no delivery and keeps their order; deliveries continue within ten seconds without a restart of the core', async () => {
    for (const channel of CHANNELS) {
      const configuration = { token: `xoxb-token-of-${channel}`, channel, username: 'strata' };
      await org.webhook({ event_types: ['environment_created'], configuration });
    }
    const from = await revision();
    let isOver = false;
    const work = writing(() => isOver);

    for (let cut = 1; cut <= 3; cut += 1) {
      const { promise: isDown, resolve: respond } = Promise.withResolvers<void>();
      chat.script(...CHANNELS.map(() => ({ kind: 'held', until: isDown }) as const));
      const waiting = () => chat.attempts().filter(({ fault }) => fault === 'held').length;
      await eventually('all channels wait for a response', () => waiting() === cut * CHANNELS.length);
      await postgres.cutPower();
      await eventually('the database is down', async () => (await fetchStatus(core.origin, 'readyz')) === 503);
      // The chat service accepts the messages while the core cannot record it.
      respond();
      await postgres.start();
      await eventually('ready again', async () => (await fetchStatus(core.origin, 'readyz')) === 200);
      const before = new Map(CHANNELS.map((channel) => [channel, lastReceived(channel)]));
      const goesOn = (channel: string) => lastReceived(channel) > (before.get(channel) ?? 0);
      await eventually('every channel hears more', () => CHANNELS.every(goesOn));
    }

    isOver = true;
    await work;
    const to = await revision();
    await eventually('all is told', () => CHANNELS.every((channel) => lastReceived(channel) >= to));
    for (const channel of CHANNELS) {
      const messages = chat.messages(channel);
      expectAllInOrder(messages, from, to);
      const gaps = messages.slice(1).map(({ time }, n) => time - (messages[n] as ChatMessageRecord).time);
      expect(gaps.filter((gap) => gap < 950)).toEqual([]);
    }
    expect(core.process.exitCode).toBeNull();
  });

  it('does not prevent the core from stopping', async () => {
    chat.script(...CHANNELS.map(() => ({ kind: 'slow', ms: 500 }) as const));
    const attempts = chat.attempts().length;
    await org.environment({ name: 'the last one' });
    await eventually('messages are on their way', () => chat.attempts().length > attempts);
    await postgres.cutPower();
    core.process.kill('SIGTERM');

    expect(await core.ended).toEqual({ code: 0, signal: null });
    await postgres.start();
  });

  it('leaves only JSON lines without stack traces in the log', () => {
    const lines = core.log().trim().split('\n');
    expect(lines.map((line) => JSON.parse(line)).filter((line) => 'stack' in line || 'err' in line)).toEqual([]);
  });
});

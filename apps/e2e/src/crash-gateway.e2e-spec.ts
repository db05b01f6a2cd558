import { setTimeout as sleep } from 'node:timers/promises';
import type { EventPage } from '@strata/contract';
import { findFreePort } from '@strata/processes';
import {
  createTestDatabase,
  organization,
  type TestDatabase,
  type TestOrganization,
  testCredentials,
} from '@strata/testkit';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { buildMissingApps, eventually, type Service, startService } from './processes.ts';
import { Writers } from './writers.ts';

const WATCH = 'subscription ($after: String) { changes(after: $after) { cursor revision } }';

let database: TestDatabase;
let core: Service;
let gateway: Service;
let gatewayPort: number;
let org: TestOrganization;

const startGateway = async () => {
  gateway = await startService('gateway', gatewayPort, { STRATA_CORE_URL: core.origin });
};

beforeAll(async () => {
  await buildMissingApps('core', 'gateway');
  database = await createTestDatabase();
  core = await startService('core', await findFreePort(), {
    DATABASE_URL: database.url,
    STRATA_ROOT_KEY: testCredentials().rootKey,
    STRATA_LOG_LEVEL: 'error',
  });
  gatewayPort = await findFreePort();
  await startGateway();
  org = await organization({ origin: core.origin, ...testCredentials() });
});
afterAll(async () => {
  await Promise.all([gateway.end('SIGKILL'), core.end('SIGKILL')]);
  await database.drop();
});

/** A client that reconnects when its connection breaks, and resumes after the last change that it received. */
class Subscriber {
  readonly received: string[] = [];
  lines = 0;
  private readonly client: Client;
  private isOver = false;

  constructor(private cursor: string) {
    this.client = createClient({
      url: `${gateway.origin.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { Authorization: org.ownerAuthorization },
      retryAttempts: 0,
    });
    this.client.on('connected', () => {
      this.lines += 1;
    });
  }

  async listen(): Promise<void> {
    while (!this.isOver) {
      // A broken connection throws, but the changes that were received before are kept.
      await this.receive().catch(() => sleep(20));
    }
  }

  private async receive(): Promise<void> {
    const changes = this.client.iterate<{ changes: { cursor: string } }>({
      query: WATCH,
      variables: { after: this.cursor },
    });
    for await (const { data } of changes) {
      if (!data) return;
      this.cursor = data.changes.cursor;
      this.received.push(this.cursor);
    }
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.client.dispose();
  }
}

/** Returns the cursors of the changes after a cursor, according to the core. */
async function receivedFromCore(after: string): Promise<string[]> {
  const cursors: string[] = [];
  for (let cursor = after; ; ) {
    const { body } = await org.owner.get<EventPage>(`events/?after=${cursor}&limit=500`);
    cursors.push(...body.results.map((event) => event.cursor));
    if (!body.more) return cursors;
    cursor = body.cursor;
  }
}

describe('kill -9 of the gateway while a subscriber reconnects', () => {
  it('loses and repeats no change, and keeps their order, three times in a row', async () => {
    const writers = await Writers.begin([org], 4);
    const { cursor: start } = (await org.owner.get<EventPage>('events/?after=now')).body;
    const subscriber = new Subscriber(start);
    const listening = subscriber.listen();
    for (let kill = 1; kill <= 3; kill += 1) {
      const enough = subscriber.received.length + 40;
      await eventually('forty more changes are heard', () => subscriber.received.length >= enough);
      await gateway.end('SIGKILL');
      const before = writers.count('acknowledged');
      await eventually('changes that nobody hears', () => writers.count('acknowledged') >= before + 20);
      await startGateway();
    }
    const enough = subscriber.received.length + 40;
    await eventually('forty more changes are heard', () => subscriber.received.length >= enough);
    await writers.stop();

    const messages = await receivedFromCore(start);
    await eventually('everything is heard', () => subscriber.received.length >= messages.length);
    await subscriber.stop();
    await listening;
    expect(subscriber.received).toEqual(messages);
    expect(subscriber.lines).toBeGreaterThanOrEqual(4);
    expect(await writers.broken()).toEqual([]);
  });
});

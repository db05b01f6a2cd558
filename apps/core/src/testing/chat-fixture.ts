import type { Delivery, Page, Webhook } from '@strata/contract';
import { EVENT_TYPES } from '@strata/domain';
import { type FakeChat, startFakeChat, type TestOrganization } from '@strata/testkit';
import { type CoreInProcess, moduleOfCore, startCoreInProcess } from './core-in-process.ts';
import { waitUntil } from './until.ts';

/** The default token; tokens of the fixture start with it. */
export const TOKEN = 'xoxb-1234567890-abcdefWXYZ';
/** Retries after a tenth of a second instead of five. */
export const QUICK = { retryScale: 0.02, timeoutMs: 1_500 };

/** Changes the settings of the job queue from now on, by default to short intervals. */
export async function setDeliveryIntervals({ core }: CoreInProcess, settings = QUICK): Promise<void> {
  const { DeliverySettings } = await moduleOfCore<typeof import('../features/webhooks/delivery/delivery-settings.ts')>(
    './features/webhooks/delivery/delivery-settings.js',
  );
  Object.assign(core.app.get(DeliverySettings), settings);
}

/** A core with a chat service, and short retry intervals. */
export class ChatFixture {
  private channels = 0;

  private constructor(
    readonly core: CoreInProcess,
    readonly chat: FakeChat,
  ) {}

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<ChatFixture> {
    const chat = await startFakeChat();
    const core = await startCoreInProcess({ STRATA_SLACK_API_URL: chat.url, ...settings });
    await setDeliveryIntervals(core);
    return new ChatFixture(core, chat);
  }

  async close(): Promise<void> {
    await this.core.close();
    await this.chat.close();
  }

  /** Creates a webhook with a separate channel and token, so that tests do not wait for each other. */
  webhook(org: TestOrganization, { channel, token }: { channel?: string; token?: string } = {}): Promise<Webhook> {
    this.channels += 1;
    return org.webhook({
      event_types: [...EVENT_TYPES],
      configuration: {
        token: token ?? `${TOKEN}-${this.channels}`,
        channel: channel ?? `C${this.channels}`,
        username: 'strata',
      },
    });
  }

  attemptsAt(hook: Webhook) {
    return this.chat.attempts().filter(({ channel }) => channel === channelOf(hook));
  }
}

export const channelOf = ({ configuration }: Webhook) => configuration.channel;
export const listErrorCodes = ({ attempts }: Delivery) => attempts.map(({ error_code: code }) => code);

/** Returns the deliveries, oldest first. */
export async function listDeliveries(org: TestOrganization, { url }: Webhook): Promise<readonly Delivery[]> {
  const { body } = await org.owner.get<Page<Delivery>>(`${url}deliveries/`);
  return [...body.results].reverse();
}

/** Waits until the channel received this many events. */
export function untilReceived(org: TestOrganization, hook: Webhook, events: number): Promise<readonly Delivery[]> {
  const countDelivered = (deliveries: readonly Delivery[]) =>
    deliveries.filter(({ status }) => status === 'delivered').reduce((sum, delivery) => sum + delivery.events, 0);
  return waitUntil(
    () => listDeliveries(org, hook),
    (deliveries) => countDelivered(deliveries) >= events,
  );
}

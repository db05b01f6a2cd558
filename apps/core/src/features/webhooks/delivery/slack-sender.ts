import { Inject, Injectable } from '@nestjs/common';
import type { DeliveryAttempt } from '@strata/contract';
import type { OrganizationId } from '@strata/domain';
import {
  type ChatMessage,
  type ChatResponse,
  classify,
  classifyFailure,
  type MessageContent,
  outcomeCode,
  postMessage,
  RATE_LIMITED,
  render,
  renderTest,
} from '@strata/webhooks';
import type { Env } from '../../../platform/env.ts';
import { coreObserver } from '../../../platform/observer.ts';
import { ENV } from '../../../platform/tokens.ts';
import { Vault } from '../../../platform/vault/vault.ts';
import type { Channel, SendResult } from './channel.ts';
import { ChannelRateLimiter } from './channel-rate-limiter.ts';
import { DeliverySettings } from './delivery-settings.ts';

/** The columns of a webhook that sending a message requires. */
export interface SlackRow {
  readonly organization_id: OrganizationId;
  readonly id: string;
  readonly name: string;
  readonly channel: string;
  readonly username: string;
  readonly sealed_token: Buffer;
}

/**
 * The maximum number of events per message. A longer backlog is split between two changesets, and the next message
 * contains the rest.
 */
const EVENTS_MAX = 1_000;

export const TOKEN_COLUMN = 'webhook.token';

/**
 * Sends one message to the chat service. This is the only class with access to decrypted tokens, and it decrypts them
 * only while it sends.
 */
@Injectable()
export class SlackSender {
  constructor(
    private readonly vault: Vault,
    private readonly limiter: ChannelRateLimiter,
    private readonly settings: DeliverySettings,
    @Inject(ENV) private readonly env: Env,
  ) {}

  channel(row: SlackRow): Channel {
    const message = (content: MessageContent) => renderContent(content, row.name);
    return {
      batchSize: { eventsMax: EVENTS_MAX, splitsChangesets: false },
      keepsFailedMessages: false,
      describe: (content) => message(content).text,
      acquire: () => this.acquire(row),
      send: ({ content }) => this.send(row, message(content)),
      release: (sendResult) => this.release(row, sendResult),
    };
  }

  private async acquire(row: SlackRow): Promise<number> {
    return this.limiter.acquire(await this.open(row), row.channel, this.settings.channelMs);
  }

  /** Sends a message. If the bot may not choose another name, sends it again under the bot's own name. */
  private async send(row: SlackRow, message: ChatMessage): Promise<SendResult> {
    const token = await this.open(row);
    const first = await this.post(token, row, row.username, message);
    const { outcome } = first;
    if (outcome.kind !== 'resend_without_username') return { outcome, attempts: [first.attempt] };
    const secondResponse = await this.post(token, row, '', message);
    const attempts = [first.attempt, secondResponse.attempt];
    if (secondResponse.outcome.kind !== 'resend_without_username') return { outcome: secondResponse.outcome, attempts };
    return { outcome: { kind: 'suspend', reason: 'destination', code: secondResponse.outcome.code }, attempts };
  }

  /** Stores when the channel, or all channels of the token, may be used again. */
  private async release(row: SlackRow, { outcome }: SendResult): Promise<void> {
    const token = await this.open(row);
    if (outcome.kind === 'retry' && outcome.reason === RATE_LIMITED) {
      await this.limiter.pause(token, outcome.retryAfterSeconds ?? 1);
    }
    await this.limiter.release(token, row.channel, this.settings.channelMs);
  }

  private post(token: string, row: SlackRow, username: string, message: ChatMessage) {
    const work = () => this.postOnce(token, row, username, message);
    if (!coreObserver) return work();
    return coreObserver.message(work, ({ outcome }) => ({ outcome: outcome.kind, failure: classifyFailure(outcome) }));
  }

  private async postOnce(token: string, { channel }: SlackRow, username: string, message: ChatMessage) {
    const at = new Date();
    const startedAt = performance.now();
    const response = await postMessage({
      apiUrl: this.env.STRATA_SLACK_API_URL,
      token,
      channel,
      username,
      message,
      timeoutMs: this.settings.timeoutMs,
    });
    const outcome = classify(response);
    const attempt: DeliveryAttempt = {
      at: at.toISOString().replace('Z', '000Z'),
      duration_ms: Math.round(performance.now() - startedAt),
      http_status: readStatus(response),
      error_code: outcomeCode(outcome),
      retry_at: null,
    };
    return { outcome, attempt };
  }

  private open({ organization_id: organizationId, id, sealed_token: sealedToken }: SlackRow): Promise<string> {
    return this.vault.open({ organizationId, column: TOKEN_COLUMN, rowId: id }, sealedToken);
  }
}

/** Webhooks of the contract support only these two contents. */
function renderContent(content: MessageContent, webhookName: string): ChatMessage {
  return content.kind === 'changes' ? render(content.events, { webhookName }) : renderTest(webhookName);
}

function readStatus(response: ChatResponse): number | null {
  return response.kind === 'answered' ? response.status : null;
}

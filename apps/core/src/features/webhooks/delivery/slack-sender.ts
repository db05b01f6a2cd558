import { Inject, Injectable } from '@nestjs/common';
import type { DeliveryAttempt } from '@strata/contract';
import type { OrganizationId } from '@strata/domain';
import {
  type ChatMessage,
  type ChatResponse,
  classify,
  classifyFailure,
  type DeliveryOutcome,
  postMessage,
  RATE_LIMITED,
} from '@strata/webhooks';
import type { Env } from '../../../platform/env.ts';
import { observer } from '../../../platform/observer.ts';
import { ENV } from '../../../platform/tokens.ts';
import { Vault } from '../../../platform/vault/vault.ts';
import { ChannelRateLimiter } from './channel-rate-limiter.ts';
import { DeliverySettings } from './delivery-settings.ts';

/** The data of a webhook that sending a message requires. */
export interface Sender {
  readonly organizationId: OrganizationId;
  readonly id: string;
  readonly channel: string;
  readonly username: string;
  readonly sealedToken: Buffer;
}

export type FinalOutcome = Exclude<DeliveryOutcome, { kind: 'resend_without_username' }>;

export interface SendResult {
  readonly outcome: FinalOutcome;
  readonly attempts: readonly DeliveryAttempt[];
}

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

  /** Acquires the channel. Returns 0 on success, or the milliseconds until the next attempt. */
  async acquire(sender: Sender): Promise<number> {
    return this.limiter.acquire(await this.open(sender), sender.channel);
  }

  /** Sends a message. If the bot may not choose another name, sends it again under the bot's own name. */
  async send(sender: Sender, message: ChatMessage): Promise<SendResult> {
    const token = await this.open(sender);
    const first = await this.post(token, sender, sender.username, message);
    const { outcome } = first;
    if (outcome.kind !== 'resend_without_username') return { outcome, attempts: [first.attempt] };
    const second = await this.post(token, sender, '', message);
    const attempts = [first.attempt, second.attempt];
    if (second.outcome.kind !== 'resend_without_username') return { outcome: second.outcome, attempts };
    return { outcome: { kind: 'suspend', reason: 'destination', code: second.outcome.code }, attempts };
  }

  /** Stores when the channel, or all channels of the token, may be used again. Call it after every `send`. */
  async release(sender: Sender, { outcome }: SendResult): Promise<void> {
    const token = await this.open(sender);
    if (outcome.kind === 'retry' && outcome.reason === RATE_LIMITED) {
      await this.limiter.pause(token, outcome.retryAfterSeconds ?? 1);
    }
    await this.limiter.release(token, sender.channel);
  }

  private post(token: string, sender: Sender, username: string, message: ChatMessage) {
    const work = () => this.postOnce(token, sender, username, message);
    if (!observer) return work();
    return observer.message(work, ({ outcome }) => ({ outcome: outcome.kind, failure: classifyFailure(outcome) }));
  }

  private async postOnce(token: string, { channel }: Sender, username: string, message: ChatMessage) {
    const at = new Date();
    const started = performance.now();
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
      duration_ms: Math.round(performance.now() - started),
      http_status: readStatus(response),
      error_code: outcomeCode(outcome),
      retry_at: null,
    };
    return { outcome, attempt };
  }

  private open({ organizationId, id, sealedToken }: Sender): Promise<string> {
    return this.vault.open({ organizationId, column: TOKEN_COLUMN, rowId: id }, sealedToken);
  }
}

function readStatus(response: ChatResponse): number | null {
  return response.kind === 'answered' ? response.status : null;
}

function outcomeCode(outcome: DeliveryOutcome): string | null {
  if (outcome.kind === 'delivered') return null;
  return 'code' in outcome ? outcome.code : outcome.reason;
}

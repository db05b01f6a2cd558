import { Inject, Injectable } from '@nestjs/common';
import type { DeliveryAttempt } from '@strata/contract';
import type { OrganizationId } from '@strata/domain';
import { type AddressGuard, addressGuard } from '@strata/outbound';
import {
  classifyFailure,
  type DestinationTarget,
  type Envelope,
  outcomeCode,
  RATE_LIMITED,
  sendToDestination,
  summarize,
} from '@strata/webhooks';
import type { Env } from '../../../platform/env.ts';
import { coreObserver } from '../../../platform/observer.ts';
import { ENV } from '../../../platform/tokens.ts';
import { Vault } from '../../../platform/vault/vault.ts';
import type { Channel, ChannelMessage, FinalOutcome, SendResult } from './channel.ts';
import { ChannelRateLimiter } from './channel-rate-limiter.ts';
import { DeliverySettings } from './delivery-settings.ts';

/** The columns of a destination that sending a message requires. */
export interface DestinationRow {
  readonly organization_id: OrganizationId;
  readonly id: string;
  readonly name: string;
  readonly type: DestinationTarget['type'];
  readonly sealed_address: Buffer | null;
  readonly recipients: string[];
  readonly envelope: Envelope | null;
  readonly sealed_secret: Buffer | null;
  readonly sealed_previous_secret: Buffer | null;
  readonly previous_secret_until: string | null;
}

export const ADDRESS_COLUMN = 'destination.address';
export const SECRET_COLUMN = 'destination.secret';

/** A message of 100 events has about 50 kB, which receivers accept. */
const EVENTS_MAX = 100;

/**
 * Sends one message to a destination. This is the only class with access to decrypted addresses and secrets, and it
 * decrypts them only while it sends.
 */
@Injectable()
export class DestinationSender {
  private readonly guard: AddressGuard;

  constructor(
    private readonly vault: Vault,
    private readonly limiter: ChannelRateLimiter,
    private readonly settings: DeliverySettings,
    @Inject(ENV) private readonly env: Env,
  ) {
    this.guard = addressGuard({
      allowPrivate: env.STRATA_PRIVATE_DESTINATIONS,
      setting: 'STRATA_PRIVATE_DESTINATIONS',
    });
  }

  channel(row: DestinationRow): Channel {
    // Chats limit the rate per channel. Endpoints receive one message at a time, as fast as they respond.
    const intervalMs = row.type === 'http' ? 0 : this.settings.channelMs;
    return {
      batchSize: { eventsMax: EVENTS_MAX, splitsChangesets: true },
      keepsFailedMessages: true,
      describe: (content) => describeSummary(summarize(content, row.name)),
      acquire: () => this.limiter.acquire(row.id, '', intervalMs),
      send: (message) => this.send(row, message),
      release: (sendResult) => this.release(row, sendResult, intervalMs),
    };
  }

  private send(row: DestinationRow, message: ChannelMessage): Promise<SendResult> {
    const work = () => this.sendOnce(row, message);
    if (!coreObserver) return work();
    return coreObserver.message(work, ({ outcome }) => ({ outcome: outcome.kind, failure: classifyFailure(outcome) }));
  }

  private async sendOnce(row: DestinationRow, message: ChannelMessage): Promise<SendResult> {
    const at = new Date();
    const startedAt = performance.now();
    const { outcome, status } = await sendToDestination(
      await this.target(row),
      { ...message, organizationId: row.organization_id, destination: { id: row.id, name: row.name } },
      { timeoutMs: this.settings.timeoutMs, guard: this.guard, mail: this.mail() },
    );
    const attempt: DeliveryAttempt = {
      at: at.toISOString().replace('Z', '000Z'),
      duration_ms: Math.round(performance.now() - startedAt),
      http_status: status,
      error_code: outcomeCode(outcome),
      retry_at: null,
    };
    return { outcome: outcome as FinalOutcome, attempts: [attempt] };
  }

  private async release({ id }: DestinationRow, { outcome }: SendResult, intervalMs: number): Promise<void> {
    const pauseSeconds = requestedPause(outcome);
    if (pauseSeconds !== null) await this.limiter.pause(id, pauseSeconds);
    if (intervalMs > 0) await this.limiter.release(id, '', intervalMs);
  }

  private async target(row: DestinationRow): Promise<DestinationTarget> {
    const { type, recipients } = row;
    if (type === 'email') return { type, recipients };
    const address = await this.open(row, ADDRESS_COLUMN, row.sealed_address);
    if (type !== 'http') return { type, address };
    const isOverlapping = row.previous_secret_until !== null && Date.parse(row.previous_secret_until) > Date.now();
    const secrets = [row.sealed_secret, ...(isOverlapping ? [row.sealed_previous_secret] : [])];
    const keys = await Promise.all(secrets.map((sealedSecret) => this.open(row, SECRET_COLUMN, sealedSecret)));
    return { type, address, envelope: row.envelope ?? 'standard', keys };
  }

  private open({ organization_id: organizationId, id }: DestinationRow, column: string, sealedText: Buffer | null) {
    if (sealedText === null) throw new Error(`The destination ${id} has no ${column}.`);
    return this.vault.open({ organizationId, column, rowId: id }, sealedText);
  }

  private mail() {
    const { STRATA_SMTP_URL: url, STRATA_SMTP_FROM: from } = this.env;
    return url === undefined || from === undefined ? null : { url, from };
  }
}

function requestedPause(outcome: FinalOutcome): number | null {
  if (outcome.kind === 'delivered') return outcome.pauseSeconds ?? null;
  return outcome.kind === 'retry' && outcome.reason === RATE_LIMITED ? (outcome.retryAfterSeconds ?? 1) : null;
}

function describeSummary({ title, facts }: ReturnType<typeof summarize>): string {
  const revisions = facts.find(([label]) => label.startsWith('Revision'));
  return revisions ? `${title} (${revisions[0].toLowerCase()} ${revisions[1]})` : title;
}

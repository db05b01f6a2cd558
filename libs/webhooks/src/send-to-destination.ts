import type { AddressGuard } from '@strata/outbound';
import { adaptiveCard } from './adaptive-card.ts';
import type { DeliveryOutcome } from './classify.ts';
import { classifyExchange } from './classify-destination.ts';
import { discordMessage } from './discord-message.ts';
import { type MailSettings, sendMail } from './mail.ts';
import type { OutgoingMessage } from './outgoing.ts';
import { buildPayload, type Envelope } from './payload.ts';
import { signedHeaders } from './signing.ts';
import { summarize } from './summary.ts';
import { sendOnce } from './transport.ts';

/** Where a message goes, with the credentials in clear. */
export type DestinationTarget =
  | { readonly type: 'http'; readonly address: string; readonly envelope: Envelope; readonly keys: readonly string[] }
  | { readonly type: 'teams' | 'discord'; readonly address: string }
  | { readonly type: 'email'; readonly recipients: readonly string[] };

export interface DestinationSettings {
  readonly timeoutMs: number;
  readonly guard: AddressGuard;
  /** Null if the operator has not set up e-mail. */
  readonly mail: MailSettings | null;
}

export interface DestinationResult {
  readonly outcome: DeliveryOutcome;
  /** The status of the response; null if there is none. For e-mail, the SMTP reply code. */
  readonly status: number | null;
}

const USER_AGENT = 'Strata';

/** Sends a message to a destination once. Never throws for errors of the network or of the destination. */
export async function sendToDestination(
  target: DestinationTarget,
  message: OutgoingMessage,
  settings: DestinationSettings,
): Promise<DestinationResult> {
  if (target.type === 'email') {
    return sendMail(target.recipients, summarize(message.content, message.destination.name), message.id, settings);
  }
  const { url, headers, body } = buildRequest(target, message);
  const exchange = await sendOnce(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), 'user-agent': USER_AGENT },
    body,
    signal: AbortSignal.timeout(settings.timeoutMs),
    guard: settings.guard,
    requiresBody: false,
  });
  return {
    outcome: classifyExchange(target.type, exchange),
    status: exchange.kind === 'answered' ? exchange.status : null,
  };
}

type HttpTarget = Exclude<DestinationTarget, { type: 'email' }>;

function buildRequest(target: HttpTarget, message: OutgoingMessage) {
  const url = new URL(target.address);
  const json = { 'content-type': 'application/json' };
  const summary = () => summarize(message.content, message.destination.name);
  switch (target.type) {
    case 'http': {
      const { contentType, body } = buildPayload(message, target.envelope);
      const timestamp = Math.floor(Date.now() / 1_000);
      const headers = {
        'content-type': contentType,
        ...signedHeaders(target.keys, { id: message.id, timestamp, body }),
      };
      return { url, headers, body };
    }
    case 'teams':
      return { url, headers: json, body: JSON.stringify(adaptiveCard(summary())) };
    case 'discord':
      // Discord then responds once the message is stored, and reports errors.
      url.searchParams.set('wait', 'true');
      return { url, headers: json, body: JSON.stringify(discordMessage(summary())) };
  }
}

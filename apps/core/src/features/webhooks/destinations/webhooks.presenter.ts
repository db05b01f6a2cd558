import type { Delivery, Webhook } from '@strata/contract';
import { hintFor } from '@strata/webhooks';
import type { Links } from '../../../platform/http/links.ts';
import type { DeliveryRow, WebhookRow } from './webhooks.reader.ts';

export function presentWebhook(row: WebhookRow, links: Links): Webhook {
  return {
    url: links.webhook(row.id),
    id: row.id,
    name: row.name,
    event_types: row.event_types,
    type: 'slack',
    configuration: { token: row.masked_token, channel: row.channel, username: row.username },
    organization: row.organization_id,
    created_at: row.created_at,
    modified_at: row.modified_at,
    state: row.state,
    state_reason: row.state_reason,
  };
}

export function presentDelivery(row: DeliveryRow, links: Links): Delivery {
  const code = row.attempts.at(-1)?.error_code ?? null;
  return {
    id: row.id,
    webhook: links.webhook(row.webhook_id),
    status: row.status,
    event_types: row.event_types,
    events: row.events,
    revision: row.revision,
    text: row.text,
    attempts: row.attempts,
    hint: code === null ? null : hintFor(code),
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}

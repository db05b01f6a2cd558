import { EVENT_TYPES } from '@strata/domain';
import { z } from 'zod';
import { LIMITS, linkOut, name, text, timeOut, toList, uuidOut } from './fields.ts';
import { pageOf } from './page.ts';
import { choiceParameter, nameFilters, PageQuery } from './query.ts';

export const EventTypeName = z.enum(EVENT_TYPES).meta({ id: 'WebhookEventTypeEnum' });
export const WebhookType = z.enum(['slack']).meta({ id: 'WebhookTypeEnum' });

export const WebhookConfiguration = z
  .object({
    token: z.string().meta({ description: 'Masked: never more than its last four characters.' }),
    channel: z.string(),
    username: z.string(),
  })
  .meta({ id: 'WebhookSlackConfiguration' });
export type WebhookConfiguration = z.infer<typeof WebhookConfiguration>;

export const WEBHOOK_STATES = ['active', 'suspended'] as const;

/** The last two keys are ours: whether messages are sent, and if not, why not. */
export const Webhook = z
  .object({
    url: linkOut,
    id: uuidOut,
    name: z.string(),
    event_types: z.array(EventTypeName),
    type: WebhookType,
    configuration: WebhookConfiguration,
    organization: z.string(),
    created_at: timeOut,
    modified_at: timeOut.nullable(),
    state: z.enum(WEBHOOK_STATES),
    state_reason: z.string().nullable(),
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookPage = pageOf(Webhook, 'PaginatedWebhookList');

const eventTypesIn = z.preprocess(toList, z.array(EventTypeName).min(1, 'Choose at least one event type.'));
/** It becomes a header line of a request: neither blanks nor line breaks. */
const tokenIn = text({ max: LIMITS.fqn, blank: 'refused' }).regex(
  /^[\x21-\x7e]*$/,
  'Give the token as the chat service shows it, without blanks and line breaks.',
);
const configurationIn = z
  .object({ token: tokenIn, channel: name(), username: name() })
  .meta({ id: 'WebhookConfigurationInput' });

const shape = {
  name: name(),
  event_types: eventTypesIn,
  type: WebhookType,
  configuration: configurationIn,
  organization: z.string().nullish(),
};

export const WebhookCreate = z.object(shape).meta({ id: 'WebhookCreate' });
export type WebhookCreate = z.infer<typeof WebhookCreate>;

export const WebhookUpdate = z.object(shape).meta({ id: 'WebhookUpdate' });
export type WebhookUpdate = WebhookCreate;

/** What is absent keeps its value, inside `configuration` too: the token need not be known to change the channel. */
export const WebhookPatch = z
  .object({
    name: shape.name.optional(),
    event_types: eventTypesIn.optional(),
    type: WebhookType.optional(),
    configuration: configurationIn.partial().meta({ id: 'PatchedWebhookConfigurationInput' }).optional(),
    organization: shape.organization,
  })
  .meta({ id: 'PatchedWebhookUpdate' });
export type WebhookPatch = z.infer<typeof WebhookPatch>;

export const WebhookListQuery = PageQuery.extend({ name: nameFilters.name });
export type WebhookListQuery = z.infer<typeof WebhookListQuery>;

export const DELIVERY_STATUSES = [
  'queued',
  'sending',
  'delivered',
  'retrying',
  'exhausted',
  'parked',
  'skipped',
  'unknown',
] as const;

export const DeliveryAttempt = z
  .object({
    at: timeOut,
    duration_ms: z.int().nullable(),
    http_status: z.int().nullable(),
    error_code: z.string().nullable(),
    retry_at: timeOut.nullable(),
  })
  .meta({ id: 'WebhookDeliveryAttempt' });
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

/** One message to the channel; a digest carries several events. Never a value, never the token. */
export const Delivery = z
  .object({
    id: uuidOut,
    webhook: linkOut,
    status: z.enum(DELIVERY_STATUSES),
    event_types: z.array(EventTypeName),
    events: z.int().meta({ description: 'How many events the message tells of; 0 for a test message.' }),
    revision: z.int().nullable().meta({ description: 'The last revision the message tells of.' }),
    text: z
      .string()
      .nullable()
      .meta({ description: 'The message as sent; null when it tells of what the caller has no access to.' }),
    attempts: z.array(DeliveryAttempt),
    hint: z.string().nullable().meta({ description: 'What a person can do about the last error.' }),
    created_at: timeOut,
    modified_at: timeOut.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryPage = pageOf(Delivery, 'PaginatedWebhookDeliveryList');

export const DeliveryListQuery = PageQuery.extend({
  status: choiceParameter(DELIVERY_STATUSES, 'Only deliveries in this state.'),
});
export type DeliveryListQuery = z.infer<typeof DeliveryListQuery>;

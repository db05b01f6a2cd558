import { EVENT_TYPES } from '@strata/domain';
import { z } from 'zod';
import { LIMITS, linkOut, name, text, timeOut, toList, uuidOut } from './fields.ts';
import { pageOf } from './page.ts';
import { choiceParameter, nameFilters, PageQuery } from './query.ts';
import { vocabulary } from './vocabulary.ts';

export const EventTypeName = vocabulary(EVENT_TYPES, {
  name: 'EventType',
  description: 'The twelve kinds of change that are announced.',
  meaning: (type) => {
    const [noun, past] = type.split('_');
    return `${/^[aeio]/.test(noun ?? '') ? 'An' : 'A'} ${noun} was ${past}.`;
  },
}).meta({ id: 'WebhookEventTypeEnum' });
export const WebhookType = vocabulary(['slack'], {
  name: 'WebhookKind',
  description: 'Which chat service a webhook talks to.',
  meaning: () => 'Slack.',
}).meta({ id: 'WebhookTypeEnum' });

export const WebhookConfiguration = z
  .object({
    token: z.string().meta({ description: 'The bot token, masked; never more than its last four characters.' }),
    channel: z.string().meta({ description: 'The channel it writes to.' }),
    username: z.string().meta({ description: 'The name it writes under.' }),
  })
  .meta({ id: 'WebhookSlackConfiguration', description: 'Where and under which name messages are sent.' });
export type WebhookConfiguration = z.infer<typeof WebhookConfiguration>;

export const WEBHOOK_STATES = ['active', 'suspended'] as const;
const WebhookState = vocabulary(WEBHOOK_STATES, {
  name: 'WebhookState',
  description: 'Whether a webhook sends messages.',
  meaning: (state) => (state === 'active' ? 'Messages are sent.' : 'Nothing is sent until it is enabled again.'),
});

/** The last two keys are ours: whether messages are sent, and if not, why not. */
export const Webhook = z
  .object({
    url: linkOut.meta({ description: 'Its link.' }),
    id: uuidOut.meta({ description: 'Its id.' }),
    name: z.string().meta({ description: 'Its name.' }),
    event_types: z.array(EventTypeName).meta({ description: 'The kinds of change it tells of.' }),
    type: WebhookType.meta({ description: 'The chat service.' }),
    configuration: WebhookConfiguration.meta({ description: 'Where and under which name it writes.' }),
    organization: z.string().meta({ description: 'The organization of the credential.' }),
    created_at: timeOut.meta({ description: 'When it was made.' }),
    modified_at: timeOut.nullable().meta({ description: 'When it was last changed.' }),
    state: WebhookState.meta({ description: 'Whether it sends messages.' }),
    state_reason: z.string().nullable().meta({ description: 'Why it does not send messages.' }),
  })
  .meta({ id: 'Webhook', description: 'Tells a chat channel of changes.' });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookPage = pageOf(Webhook, 'PaginatedWebhookList');

const eventTypesIn = z.preprocess(toList, z.array(EventTypeName).min(1, 'Choose at least one event type.'));
/** It becomes a header line of a request: neither blanks nor line breaks. */
const tokenIn = text({ max: LIMITS.fqn, blank: 'refused' }).regex(
  /^[\x21-\x7e]*$/,
  'Give the token as the chat service shows it, without blanks and line breaks.',
);
const configurationIn = z
  .object({
    token: tokenIn.meta({ description: 'Bot token of the chat service. It is stored sealed and never shown again.' }),
    channel: name().meta({ description: 'The channel to write to: its id, or its name.' }),
    username: name().meta({ description: 'The name to write under.' }),
  })
  .meta({ id: 'WebhookConfigurationInput' });

const shape = {
  name: name().meta({ description: 'Its name.' }),
  event_types: eventTypesIn.meta({ description: 'The kinds of change it tells of.' }),
  type: WebhookType.meta({ description: 'The chat service.' }),
  configuration: configurationIn.meta({ description: 'Where and under which name it writes.' }),
  organization: z.string().nullish().meta({ description: 'That of the credential, or nothing.' }),
};

export const WebhookCreate = z.object(shape).meta({ id: 'WebhookCreate' });
export type WebhookCreate = z.infer<typeof WebhookCreate>;

export const WebhookUpdate = z.object(shape).meta({ id: 'WebhookUpdate' });
export type WebhookUpdate = WebhookCreate;

/** What is absent keeps its value, inside `configuration` too: the token need not be known to change the channel. */
export const WebhookPatch = z
  .object({
    name: shape.name.optional(),
    event_types: eventTypesIn.optional().meta({ description: 'The kinds of change it tells of.' }),
    type: WebhookType.optional().meta({ description: 'The chat service.' }),
    configuration: configurationIn
      .partial()
      .meta({ id: 'PatchedWebhookConfigurationInput' })
      .optional()
      .meta({ description: 'Where and under which name it writes.' }),
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
const DeliveryStatus = vocabulary(DELIVERY_STATUSES, {
  name: 'DeliveryStatus',
  description: 'How far a message came.',
  meaning: (status) => `The message is ${status}.`,
});

export const DeliveryAttempt = z
  .object({
    at: timeOut.meta({ description: 'When it was made.' }),
    duration_ms: z.int().nullable().meta({ description: 'How long it took, in milliseconds.' }),
    http_status: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the chat service; null when it did not answer.' }),
    error_code: z.string().nullable().meta({ description: 'Error code of the chat service.' }),
    retry_at: timeOut.nullable().meta({ description: 'When it will be tried again.' }),
  })
  .meta({ id: 'WebhookDeliveryAttempt', description: 'One attempt to deliver a message.' });
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

/** One message to the channel; a digest carries several events. Never a value, never the token. */
export const Delivery = z
  .object({
    id: uuidOut.meta({ description: 'Its id.' }),
    webhook: linkOut.meta({ description: 'The webhook.' }),
    status: DeliveryStatus.meta({ description: 'How far it came.' }),
    event_types: z.array(EventTypeName).meta({ description: 'The kinds of change it tells of.' }),
    events: z.int().meta({ description: 'How many changes it tells of; 0 for a test message.' }),
    revision: z.int().nullable().meta({ description: 'The last revision it tells of.' }),
    text: z
      .string()
      .nullable()
      .meta({ description: 'The message as sent; null when it tells of what the caller has no access to.' }),
    attempts: z.array(DeliveryAttempt).meta({ description: 'The attempts so far.' }),
    hint: z.string().nullable().meta({ description: 'What a person can do about the last error.' }),
    created_at: timeOut.meta({ description: 'When it was queued.' }),
    modified_at: timeOut.nullable().meta({ description: 'When its state last changed.' }),
  })
  .meta({ id: 'WebhookDelivery', description: 'One message to the channel, and what became of it.' });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryPage = pageOf(Delivery, 'PaginatedWebhookDeliveryList');

export const DeliveryListQuery = PageQuery.extend({
  status: choiceParameter(DeliveryStatus, 'Only deliveries in this state.'),
});
export type DeliveryListQuery = z.infer<typeof DeliveryListQuery>;

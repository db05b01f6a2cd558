import { EVENT_TYPES } from '@strata/domain';
import { z } from 'zod';
import {
  identifiedObject,
  LIMITS,
  linkOutput,
  nameField,
  textField,
  timeOutput,
  toList,
  uuidOutput,
} from './fields.ts';
import { pageSchema } from './page.ts';
import { choiceParameter, nameFilters, PageQuery } from './query.ts';
import { vocabulary } from './vocabulary.ts';

const EventTypeName = vocabulary(EVENT_TYPES, {
  name: 'EventType',
  description: 'The twelve event types that webhooks support.',
  meaning: (type) => {
    const [noun, verb] = type.split('_');
    return `${/^[aeio]/.test(noun ?? '') ? 'An' : 'A'} ${noun} was ${verb}.`;
  },
}).meta({ id: 'WebhookEventTypeEnum' });
const WebhookType = vocabulary(['slack'], {
  name: 'WebhookKind',
  description: 'The chat service of a webhook.',
  meaning: () => 'Slack.',
}).meta({ id: 'WebhookTypeEnum' });

export const WebhookConfiguration = z
  .object({
    token: z.string().meta({ description: 'The bot token, masked; never more than its last four characters.' }),
    channel: z.string().meta({ description: 'The channel that receives the messages.' }),
    username: z.string().meta({ description: 'The name that the messages are sent under.' }),
  })
  .meta({ id: 'WebhookSlackConfiguration', description: 'The channel and the name for messages.' });
export type WebhookConfiguration = z.infer<typeof WebhookConfiguration>;

const WEBHOOK_STATES = ['active', 'suspended'] as const;
const WebhookState = vocabulary(WEBHOOK_STATES, {
  name: 'WebhookState',
  description: 'The status of a webhook.',
  meaning: (state) =>
    state === 'active' ? 'The webhook sends messages.' : 'The webhook sends nothing until it is enabled again.',
});

/** Version 1 does not have the last two members: `status` and its reason. */
export const Webhook = z
  .object({
    ...identifiedObject,
    name: z.string().meta({ description: 'Name of the object.' }),
    event_types: z.array(EventTypeName).meta({ description: 'The event types that are sent.' }),
    type: WebhookType.meta({ description: 'The chat service.' }),
    configuration: WebhookConfiguration.meta({ description: 'The channel and the name for messages.' }),
    organization: z.string().meta({ description: 'The organization of the credential.' }),
    created_at: timeOutput.meta({ description: 'When it was created.' }),
    modified_at: timeOutput.nullable().meta({ description: 'When it was last changed.' }),
    state: WebhookState.meta({ description: 'Whether the webhook sends messages.' }),
    state_reason: z.string().nullable().meta({ description: 'The reason why the webhook does not send messages.' }),
  })
  .meta({ id: 'Webhook', description: 'Sends messages about changes to a chat channel.' });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookPage = pageSchema(Webhook, 'PaginatedWebhookList');

const eventTypesIn = z.preprocess(toList, z.array(EventTypeName).min(1, 'Choose at least one event type.'));
/** The token is sent in a header, so it must not contain blanks or line breaks. */
const tokenIn = textField({ max: LIMITS.fqn, blank: 'rejected' }).regex(
  /^[\x21-\x7e]*$/,
  'Enter the token as the chat service shows it, without spaces and line breaks.',
);
const configurationIn = z
  .object({
    token: tokenIn.meta({ description: 'Bot token of the chat service. It is stored encrypted and never returned.' }),
    channel: nameField().meta({ description: 'The channel to write to, by id or name.' }),
    username: nameField().meta({ description: 'The name that the messages are sent under.' }),
  })
  .meta({ id: 'WebhookConfigurationInput' });

const shape = {
  name: nameField().meta({ description: 'Name of the object.' }),
  event_types: eventTypesIn.meta({ description: 'The event types that are sent.' }),
  type: WebhookType.meta({ description: 'The chat service.' }),
  configuration: configurationIn.meta({ description: 'The channel and the name for messages.' }),
  organization: z.string().nullish().meta({ description: 'The organization of the credential; can be omitted.' }),
};

export const WebhookCreate = z.object(shape).meta({ id: 'WebhookCreate' });
export type WebhookCreate = z.infer<typeof WebhookCreate>;

export const WebhookUpdate = z.object(shape).meta({ id: 'WebhookUpdate' });
export type WebhookUpdate = WebhookCreate;

/**
 * Absent members keep their values, also within `configuration`, so you can change the channel without sending the
 * token.
 */
export const WebhookPatch = z
  .object({
    name: shape.name.optional(),
    event_types: eventTypesIn.optional().meta({ description: 'The event types that are sent.' }),
    type: WebhookType.optional().meta({ description: 'The chat service.' }),
    configuration: configurationIn
      .partial()
      .meta({ id: 'PatchedWebhookConfigurationInput' })
      .optional()
      .meta({ description: 'The channel and the name for messages.' }),
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
  description: 'The state of a delivery.',
  meaning: (status) => `The delivery state ${status}.`,
});

export const DeliveryAttempt = z
  .object({
    at: timeOutput.meta({ description: 'When it was created.' }),
    duration_ms: z.int().nullable().meta({ description: 'Duration in milliseconds.' }),
    http_status: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the chat service; null if it did not respond.' }),
    error_code: z.string().nullable().meta({ description: 'Error code of the chat service.' }),
    retry_at: timeOutput.nullable().meta({ description: 'When the next attempt will be made.' }),
  })
  .meta({ id: 'WebhookDeliveryAttempt', description: 'One attempt to deliver a message.' });
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

/** One message to the channel, which can report several events. It contains neither values nor the token. */
export const Delivery = z
  .object({
    id: uuidOutput.meta({ description: 'Id of the object.' }),
    webhook: linkOutput.meta({ description: 'The webhook.' }),
    status: DeliveryStatus.meta({ description: 'The state.' }),
    event_types: z.array(EventTypeName).meta({ description: 'The event types that are sent.' }),
    events: z.int().meta({ description: 'Number of changes in the message; 0 for a test message.' }),
    revision: z.int().nullable().meta({ description: 'The last revision in the message.' }),
    text: z
      .string()
      .nullable()
      .meta({ description: 'The message as sent; null if it contains changes that the caller cannot access.' }),
    attempts: z.array(DeliveryAttempt).meta({ description: 'The attempts so far.' }),
    hint: z.string().nullable().meta({ description: 'How to resolve the last error.' }),
    created_at: timeOutput.meta({ description: 'When it was queued.' }),
    modified_at: timeOutput.nullable().meta({ description: 'When the state last changed.' }),
  })
  .meta({ id: 'WebhookDelivery', description: 'One message to the channel and its delivery state.' });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryPage = pageSchema(Delivery, 'PaginatedWebhookDeliveryList');

export const DeliveryListQuery = PageQuery.extend({
  status: choiceParameter(DeliveryStatus, 'Only deliveries in this state.'),
});
export type DeliveryListQuery = z.infer<typeof DeliveryListQuery>;

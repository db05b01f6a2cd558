import * as contract from '@strata/contract';
import { action, read } from '../graphql/action.ts';
import { listField } from '../graphql/list.ts';
import { resource } from '../graphql/resource.ts';
import { savedOf } from '../graphql/saved.ts';
import { leftOut, shape } from '../graphql/shape.ts';

shape('WebhookConfiguration', 'Where and under which name messages are sent.', contract.WebhookConfiguration, {
  token: 'The bot token, masked; never more than its last four characters.',
  channel: 'The channel it writes to.',
  username: 'The name it writes under.',
});

const Webhook = shape(
  'Webhook',
  'Tells a chat channel of changes.',
  contract.Webhook,
  {
    name: 'Its name.',
    event_types: 'The kinds of change it tells of.',
    type: 'The chat service.',
    configuration: 'Where and under which name it writes.',
    organization: leftOut('there is only the one of the viewer'),
    state: 'Whether it sends messages.',
    state_reason: 'Why it does not send messages.',
  },
  { at: 'webhooks/{id}/' },
);

shape('DeliveryAttempt', 'One attempt to deliver a message.', contract.DeliveryAttempt, {
  at: 'When it was made.',
  duration_ms: 'How long it took, in milliseconds.',
  http_status: 'HTTP status of the chat service; null when it did not answer.',
  error_code: 'Error code of the chat service.',
  retry_at: 'When it will be tried again.',
});

const Delivery = shape('Delivery', 'One message to the channel, and what became of it.', contract.Delivery, {
  webhook: { about: 'Id of the webhook.', to: ['Webhook', 'The webhook.'] },
  status: 'How far it came.',
  event_types: 'The kinds of change it tells of.',
  events: 'How many changes it tells of; 0 for a test message.',
  revision: 'The last revision it tells of.',
  text: 'The message as sent; null when it tells of what the caller has no access to.',
  attempts: 'The attempts so far.',
  hint: 'What a person can do about the last error.',
  created_at: 'When it was queued.',
  modified_at: 'When its state last changed.',
});
savedOf(Delivery, { success: 'DeliveryMade', about: 'The message that was queued or sent.' });

export const WEBHOOKS = [
  ...resource({
    operations: 'webhooks',
    of: Webhook,
    about: 'The webhooks of the organization, by name.',
    inputs: {
      token: 'Bot token of the chat service. It is stored sealed and never shown again.',
      channel: 'The channel to write to: its id, or its name.',
      username: 'The name to write under.',
      organization: null,
    },
  }).resolvers,
  listField({
    operation: 'webhooks_deliveries_list',
    of: Delivery,
    many: 'deliveries',
    under: Webhook,
    about: 'The messages it sent or tried to send, newest first.',
  }),
  read({ operation: 'webhooks_deliveries_retrieve', name: 'delivery', about: 'One message, and what became of it.' }),
  action({
    operation: 'webhooks_enable_create',
    name: 'enableWebhook',
    about: 'Lets a suspended webhook send messages again.',
  }),
  action({ operation: 'webhooks_test_create', name: 'testWebhook', about: 'Sends a test message.' }),
  action({
    operation: 'webhooks_deliveries_redeliver_create',
    name: 'redeliver',
    about: 'Sends a message once more.',
  }),
];

import * as contract from '@strata/contract';
import { declareObject, omitMember } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

export const WEBHOOKS_PART: SchemaPart = {
  objects: [
    declareObject({ name: 'WebhookConfiguration', of: contract.WebhookConfiguration }),
    declareObject({
      name: 'Webhook',
      of: contract.Webhook,
      at: 'webhooks/{id}/',
      members: { organization: omitMember('always the organization of the viewer') },
    }),
    declareObject({ name: 'DeliveryAttempt', of: contract.DeliveryAttempt }),
    declareObject({ name: 'Delivery', of: contract.Delivery, members: { webhook: { to: 'Webhook' } } }),
  ],
  nouns: [
    {
      operations: 'webhooks',
      of: 'Webhook',
      about: 'The webhooks of the organization, by name.',
      withoutInputs: ['organization'],
    },
  ],
  lists: [
    {
      operation: 'webhooks_deliveries_list',
      of: 'Delivery',
      many: 'deliveries',
      under: 'Webhook',
      about: 'The deliveries of the webhook, newest first.',
    },
  ],
  reads: [{ operation: 'webhooks_deliveries_retrieve', name: 'delivery', about: 'One delivery.' }],
  actions: [
    {
      operation: 'webhooks_enable_create',
      name: 'enableWebhook',
      about: 'Enables a suspended webhook.',
    },
    { operation: 'webhooks_test_create', name: 'testWebhook', about: 'Sends a test message.' },
    {
      operation: 'webhooks_deliveries_redeliver_create',
      name: 'redeliver',
      about: 'Redelivers a message.',
    },
  ],
};

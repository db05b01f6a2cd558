import type {
  Delivery,
  DeliveryListQuery,
  Page,
  Webhook,
  WebhookCreate,
  WebhookListQuery,
  WebhookPatch,
  WebhookUpdate,
} from '@strata/contract';
import { apiPath, type QueryOf } from './paths.ts';
import { Resource, type Sender } from './resource.ts';

class Webhooks extends Resource<Webhook, QueryOf<WebhookListQuery>, WebhookCreate, WebhookUpdate, WebhookPatch> {
  deliveries(id: string, query: QueryOf<DeliveryListQuery> = {}): Promise<Page<Delivery>> {
    return this.sender.body({ method: 'GET', path: apiPath`/webhooks/${id}/deliveries/`, query });
  }

  /** Sends a message now and tells what the chat service said. */
  test(id: string): Promise<Delivery> {
    return this.sender.body({ method: 'POST', path: apiPath`/webhooks/${id}/test/`, body: {} });
  }

  redeliver(id: string, delivery: string): Promise<Delivery> {
    return this.sender.body({
      method: 'POST',
      path: apiPath`/webhooks/${id}/deliveries/${delivery}/redeliver/`,
      body: {},
    });
  }

  /** Lets a suspended webhook send again. */
  enable(id: string): Promise<Webhook> {
    return this.sender.body({ method: 'POST', path: apiPath`/webhooks/${id}/enable/`, body: {} });
  }
}

export function webhooks(sender: Sender) {
  return new Webhooks(sender, apiPath`/webhooks/`);
}

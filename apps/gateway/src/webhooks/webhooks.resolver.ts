import { Args, Context, ID, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { Delivery as DeliveryRow, Page, Webhook as WebhookRow } from '@strata/contract';
import type { GatewayContext } from '../context.ts';
import { bodyOf, segment } from '../graphql/body.ts';
import { connectionFrom, PageArgs, windowOf } from '../graphql/connection.ts';
import { DeleteResult } from '../graphql/deleted.ts';
import { DeliveryStatus } from '../graphql/enums.ts';
import { attempt } from '../problems.ts';
import {
  CreateWebhookInput,
  DeliveryConnection,
  DeliveryResult,
  toDelivery,
  toWebhook,
  UpdateWebhookInput,
  Webhook,
  WebhookConnection,
  WebhookResult,
} from './webhook.type.ts';

@Resolver(() => Webhook)
export class WebhooksResolver {
  @Query(() => WebhookConnection, { description: 'The webhooks of the organization, by name.' })
  async webhooks(@Args() page: PageArgs, @Context() { core }: GatewayContext) {
    const window = windowOf(page);
    const query = { page: window.page, page_size: window.page_size };
    const { body, revision } = await core.get<Page<WebhookRow>>('webhooks/', query);
    return connectionFrom(window, body, revision, toWebhook);
  }

  @Query(() => Webhook, { nullable: true, description: 'One webhook; null when there is none for the caller.' })
  async webhook(
    @Args('id', { type: () => ID, description: 'Its id.' }) id: string,
    @Context() { loaders }: GatewayContext,
  ) {
    const row = await loaders.webhook.load(id);
    return row && toWebhook(row);
  }

  @ResolveField(() => DeliveryConnection, { description: 'The messages it sent or tried to send, newest first.' })
  async deliveries(
    @Parent() { id }: Webhook,
    @Args() page: PageArgs,
    @Args('status', { type: () => DeliveryStatus, nullable: true, description: 'Only those in this state.' })
    status: string | null,
    @Context() { core }: GatewayContext,
  ) {
    const window = windowOf(page);
    const query = { page: window.page, page_size: window.page_size, status };
    const { body, revision } = await core.get<Page<DeliveryRow>>(`webhooks/${segment(id)}/deliveries/`, query);
    return connectionFrom(window, body, revision, toDelivery);
  }

  @Mutation(() => WebhookResult, { description: 'Makes a webhook.' })
  createWebhook(
    @Args('input', { description: 'The new webhook.' }) input: CreateWebhookInput,
    @Context() { core }: GatewayContext,
  ) {
    const { name, eventTypes, token, channel, username } = input;
    const body = { name, event_types: eventTypes, type: 'slack', configuration: { token, channel, username } };
    return attempt('WebhookSaved', async () => {
      const { body: row, revision } = await core.send<WebhookRow>('POST', 'webhooks/', body);
      return { webhook: toWebhook(row), revision };
    });
  }

  @Mutation(() => WebhookResult, { description: 'Changes a webhook.' })
  updateWebhook(
    @Args('id', { type: () => ID, description: 'Its id.' }) id: string,
    @Args('input', { description: 'What shall change.' }) input: UpdateWebhookInput,
    @Context() { core }: GatewayContext,
  ) {
    const { name, eventTypes, token, channel, username } = input;
    const configuration = bodyOf({ token, channel, username });
    const body = bodyOf({
      name,
      event_types: eventTypes,
      configuration: Object.keys(configuration).length > 0 ? configuration : undefined,
    });
    return attempt('WebhookSaved', async () => {
      const { body: row, revision } = await core.send<WebhookRow>('PATCH', pathOf(id), body);
      return { webhook: toWebhook(row), revision };
    });
  }

  @Mutation(() => DeleteResult, { description: 'Deletes a webhook and its deliveries.' })
  deleteWebhook(
    @Args('id', { type: () => ID, description: 'Its id.' }) id: string,
    @Context() { core }: GatewayContext,
  ) {
    return attempt('Deleted', async () => {
      const { revision } = await core.send('DELETE', pathOf(id));
      return { id, revision };
    });
  }

  @Mutation(() => WebhookResult, { description: 'Lets a suspended webhook send messages again.' })
  enableWebhook(
    @Args('id', { type: () => ID, description: 'Its id.' }) id: string,
    @Context() { core }: GatewayContext,
  ) {
    return attempt('WebhookSaved', async () => {
      const { body: row, revision } = await core.send<WebhookRow>('POST', `${pathOf(id)}enable/`);
      return { webhook: toWebhook(row), revision };
    });
  }

  @Mutation(() => DeliveryResult, { description: 'Sends a test message.' })
  testWebhook(@Args('id', { type: () => ID, description: 'Its id.' }) id: string, @Context() { core }: GatewayContext) {
    return attempt('DeliveryMade', async () => {
      const { body: row, revision } = await core.send<DeliveryRow>('POST', `${pathOf(id)}test/`);
      return { delivery: toDelivery(row), revision };
    });
  }

  @Mutation(() => DeliveryResult, { description: 'Sends a message once more.' })
  redeliver(
    @Args('webhookId', { type: () => ID, description: 'The webhook.' }) webhookId: string,
    @Args('deliveryId', { type: () => ID, description: 'The message.' }) deliveryId: string,
    @Context() { core }: GatewayContext,
  ) {
    return attempt('DeliveryMade', async () => {
      const path = `${pathOf(webhookId)}deliveries/${segment(deliveryId)}/redeliver/`;
      const { body: row, revision } = await core.send<DeliveryRow>('POST', path);
      return { delivery: toDelivery(row), revision };
    });
  }
}

function pathOf(id: string): string {
  return `webhooks/${segment(id)}/`;
}

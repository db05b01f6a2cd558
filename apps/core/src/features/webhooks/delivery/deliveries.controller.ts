import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { DeliveryListQuery, NEWEST_FIRST } from '@strata/contract';
import { Requires } from '../../../platform/auth/requires.ts';
import { pathId } from '../../../platform/http/links.ts';
import { parseListQuery, presentListPage } from '../../../platform/http/page.ts';
import { type Call, CurrentCall } from '../../../platform/http/request.ts';
import { sendJson } from '../../../platform/http/send-json.ts';
import { presentDelivery } from '../destinations/webhooks.presenter.ts';
import { WebhooksReader } from '../destinations/webhooks.reader.ts';
import { DeliveriesService } from './deliveries.service.ts';

@Controller('webhooks/:id')
export class DeliveriesController {
  constructor(
    private readonly reader: WebhooksReader,
    private readonly deliveries: DeliveriesService,
  ) {}

  @Get('deliveries')
  @Requires('read')
  async list(@CurrentCall() call: Call, @Param('id') id: string) {
    const { organizationId } = call.caller;
    const query = parseListQuery(DeliveryListQuery, call);
    const { row } = await this.reader.readOne(organizationId, pathId('Webhook', id));
    const deliveries = await this.reader.deliveries(call.caller, row.id, query);
    const page = presentListPage(
      call,
      query,
      deliveries,
      (delivery) => presentDelivery(delivery, call.links),
      NEWEST_FIRST,
    );
    return sendJson(call, deliveries.revision, page);
  }

  @Get('deliveries/:delivery')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param('id') id: string, @Param('delivery') delivery: string) {
    return this.show(call, pathId('Webhook', id), pathId('Delivery', delivery));
  }

  /** Sends a test message. Responds when the chat service has responded. */
  @Post('test')
  @HttpCode(200)
  @Requires('manage_webhooks')
  async test(@CurrentCall() call: Call, @Param('id') id: string) {
    const key = pathId('Webhook', id);
    return this.show(call, key, await this.deliveries.test(call.caller, 'webhook', key));
  }

  @Post('deliveries/:delivery/redeliver')
  @HttpCode(202)
  @Requires('manage_webhooks')
  async redeliver(@CurrentCall() call: Call, @Param('id') id: string, @Param('delivery') delivery: string) {
    const key = pathId('Webhook', id);
    const redelivery = await this.deliveries.redeliver(call.caller, key, pathId('Delivery', delivery));
    return this.show(call, key, redelivery);
  }

  private async show(call: Call, webhookId: string, deliveryId: string) {
    const { revision, row } = await this.reader.delivery(call.caller, webhookId, deliveryId);
    return sendJson(call, revision, presentDelivery(row, call.links));
  }
}

import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { DestinationDeliveryListQuery, NEWEST_FIRST } from '@strata/contract';
import { Requires } from '../../../platform/auth/requires.ts';
import { pathId } from '../../../platform/http/links.ts';
import { parseListQuery, presentListPage } from '../../../platform/http/page.ts';
import { type Call, CurrentCall } from '../../../platform/http/request.ts';
import { sendJson } from '../../../platform/http/send-json.ts';
import { DeliveriesService } from '../delivery/deliveries.service.ts';
import { ReplaysService } from '../delivery/replays.service.ts';
import { presentDestinationDelivery } from './destinations.presenter.ts';
import { DestinationsReader } from './destinations.reader.ts';

@Controller('destinations/:id')
export class DestinationDeliveriesController {
  constructor(
    private readonly reader: DestinationsReader,
    private readonly deliveries: DeliveriesService,
    private readonly replays: ReplaysService,
  ) {}

  @Get('deliveries')
  @Requires('read')
  async list(@CurrentCall() call: Call, @Param('id') id: string) {
    const { caller, links } = call;
    const query = parseListQuery(DestinationDeliveryListQuery, call);
    const { row } = await this.reader.readOne(caller.organizationId, pathId('Destination', id));
    const page = await this.reader.deliveries(caller, row.id, query);
    const presentRow = (delivery: (typeof page.rows)[number]) => presentDestinationDelivery(delivery, links);
    return sendJson(call, page.revision, presentListPage(call, query, page, presentRow, NEWEST_FIRST));
  }

  @Get('deliveries/:delivery')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param('id') id: string, @Param('delivery') delivery: string) {
    return this.show(call, pathId('Destination', id), pathId('Delivery', delivery));
  }

  /** Sends a test message. Responds when the destination has responded. */
  @Post('test')
  @HttpCode(200)
  @Requires('manage_webhooks')
  async test(@CurrentCall() call: Call, @Param('id') id: string) {
    const key = pathId('Destination', id);
    return this.show(call, key, await this.deliveries.test(call.caller, 'destination', key));
  }

  @Post('deliveries/:delivery/redeliver')
  @HttpCode(202)
  @Requires('manage_webhooks')
  async redeliver(@CurrentCall() call: Call, @Param('id') id: string, @Param('delivery') delivery: string) {
    const key = pathId('Destination', id);
    return this.show(call, key, await this.replays.redeliver(call.caller, key, pathId('Delivery', delivery)));
  }

  private async show(call: Call, destinationId: string, deliveryId: string) {
    const { revision, row } = await this.reader.delivery(call.caller, destinationId, deliveryId);
    return sendJson(call, revision, presentDestinationDelivery(row, call.links));
  }
}

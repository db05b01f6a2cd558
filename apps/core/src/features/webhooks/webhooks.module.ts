import { Module } from '@nestjs/common';
import { Endurance } from '../../platform/database/endurance.ts';
import { Ledger } from '../../platform/database/ledger.ts';
import { Backlog } from './backlog.ts';
import { ChatLanes } from './chat-lanes.ts';
import { Courier } from './courier.ts';
import { Deliverer } from './deliverer.ts';
import { DeliveriesController } from './deliveries.controller.ts';
import { DeliveriesService } from './deliveries.service.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { DeliverySettings } from './delivery-settings.ts';
import { DeliveryStore } from './delivery-store.ts';
import { EnabledWebhooksController, WebhooksController } from './webhooks.controller.ts';
import { WebhooksReader } from './webhooks.reader.ts';
import { WebhooksService } from './webhooks.service.ts';

@Module({
  controllers: [WebhooksController, EnabledWebhooksController, DeliveriesController],
  providers: [
    Ledger,
    Backlog,
    ChatLanes,
    Courier,
    DeliveriesService,
    Deliverer,
    DeliveryQueue,
    DeliverySettings,
    DeliveryStore,
    Endurance,
    WebhooksReader,
    WebhooksService,
  ],
})
export class WebhooksModule {}

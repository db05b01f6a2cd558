import { Module } from '@nestjs/common';
import { Ledger } from '../../platform/ledger/ledger.ts';
import { Retry } from '../../platform/postgres/retry.ts';
import { Backlog } from './delivery/backlog.ts';
import { ChannelRateLimiter } from './delivery/channel-rate-limiter.ts';
import { Deliverer } from './delivery/deliverer.ts';
import { DeliveriesController } from './delivery/deliveries.controller.ts';
import { DeliveriesService } from './delivery/deliveries.service.ts';
import { DeliveryQueue } from './delivery/delivery-queue.ts';
import { DeliverySettings } from './delivery/delivery-settings.ts';
import { DeliveryStore } from './delivery/delivery-store.ts';
import { DeliveryQueueState } from './delivery/queue-state.ts';
import { SlackSender } from './delivery/slack-sender.ts';
import { EnabledWebhooksController, WebhooksController } from './destinations/webhooks.controller.ts';
import { WebhooksReader } from './destinations/webhooks.reader.ts';
import { WebhooksService } from './destinations/webhooks.service.ts';

@Module({
  controllers: [WebhooksController, EnabledWebhooksController, DeliveriesController],
  providers: [
    Ledger,
    Backlog,
    ChannelRateLimiter,
    SlackSender,
    DeliveriesService,
    Deliverer,
    DeliveryQueue,
    DeliveryQueueState,
    DeliverySettings,
    DeliveryStore,
    Retry,
    WebhooksReader,
    WebhooksService,
  ],
})
export class WebhooksModule {}

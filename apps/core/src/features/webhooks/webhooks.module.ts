import { Module } from '@nestjs/common';
import { Ledger } from '../../platform/ledger/ledger.ts';
import { Retry } from '../../platform/postgres/retry.ts';
import { Backlog } from './delivery/backlog.ts';
import { ChannelRateLimiter } from './delivery/channel-rate-limiter.ts';
import { Channels } from './delivery/channels.ts';
import { Deliverer } from './delivery/deliverer.ts';
import { DeliveriesController } from './delivery/deliveries.controller.ts';
import { DeliveriesService } from './delivery/deliveries.service.ts';
import { DeliveryQueue } from './delivery/delivery-queue.ts';
import { DeliverySettings } from './delivery/delivery-settings.ts';
import { DeliveryStore } from './delivery/delivery-store.ts';
import { DestinationSender } from './delivery/destination-sender.ts';
import { ExpiryReminders } from './delivery/expiry-reminders.ts';
import { DeliveryQueueState } from './delivery/queue-state.ts';
import { ReplaysService } from './delivery/replays.service.ts';
import { SlackSender } from './delivery/slack-sender.ts';
import { SuspensionNotices } from './delivery/suspension-notices.ts';
import { DestinationDeliveriesController } from './destinations/destination-deliveries.controller.ts';
import { DestinationActionsController, DestinationsController } from './destinations/destinations.controller.ts';
import { DestinationsReader } from './destinations/destinations.reader.ts';
import { DestinationsService } from './destinations/destinations.service.ts';
import { EnabledWebhooksController, WebhooksController } from './destinations/webhooks.controller.ts';
import { WebhooksReader } from './destinations/webhooks.reader.ts';
import { WebhooksService } from './destinations/webhooks.service.ts';

@Module({
  controllers: [
    WebhooksController,
    EnabledWebhooksController,
    DeliveriesController,
    DestinationsController,
    DestinationActionsController,
    DestinationDeliveriesController,
  ],
  providers: [
    Ledger,
    Backlog,
    ChannelRateLimiter,
    Channels,
    DestinationSender,
    DestinationsReader,
    DestinationsService,
    ReplaysService,
    SuspensionNotices,
    ExpiryReminders,
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

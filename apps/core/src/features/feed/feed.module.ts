import { Module } from '@nestjs/common';
import { Ledger } from '../../platform/ledger/ledger.ts';
import { StreamTimes } from './event-stream.ts';
import { EventsController } from './events.controller.ts';
import { FeedService } from './feed.service.ts';
import { Listeners } from './listeners.ts';

@Module({
  controllers: [EventsController],
  providers: [Ledger, FeedService, Listeners, StreamTimes],
})
export class FeedModule {}

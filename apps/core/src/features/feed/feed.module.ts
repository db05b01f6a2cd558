import { Module } from '@nestjs/common';
import { Ledger } from '../../platform/ledger/ledger.ts';
import { EventsController } from './events.controller.ts';
import { FeedService } from './feed.service.ts';
import { Listeners } from './listeners.ts';
import { StreamTimes } from './stream-socket.ts';

@Module({
  controllers: [EventsController],
  providers: [Ledger, FeedService, Listeners, StreamTimes],
  exports: [Listeners, StreamTimes],
})
export class FeedModule {}

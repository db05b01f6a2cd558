import { Module } from '@nestjs/common';
import { FeedModule } from '../feed/feed.module.ts';
import { AuditController } from './audit.controller.ts';
import { AuditReader } from './audit.reader.ts';
import { AuditRecords } from './audit-records.ts';
import { AuditStreamController } from './audit-stream.controller.ts';
import { ParameterTimelines } from './parameter-timelines.ts';
import { TemplateTimelines } from './template-timelines.ts';
import { TimelinesController } from './timelines.controller.ts';

@Module({
  imports: [FeedModule],
  controllers: [AuditStreamController, AuditController, TimelinesController],
  providers: [AuditReader, AuditRecords, ParameterTimelines, TemplateTimelines],
})
export class HistoryModule {}

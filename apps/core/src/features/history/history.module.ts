import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.ts';
import { AuditReader } from './audit.reader.ts';
import { ParameterTimelines } from './parameter-timelines.ts';
import { TemplateTimelines } from './template-timelines.ts';
import { TimelinesController } from './timelines.controller.ts';

@Module({
  controllers: [AuditController, TimelinesController],
  providers: [AuditReader, ParameterTimelines, TemplateTimelines],
})
export class HistoryModule {}

import { Module } from '@nestjs/common';
import { ValidationModule } from '../validation/validation.module.ts';
import { EnvironmentSummaries, EnvironmentSummaryController } from './environment-summary.ts';
import { EnvironmentsController } from './environments.controller.ts';
import { EnvironmentsReader } from './environments.reader.ts';
import { EnvironmentsService } from './environments.service.ts';
import { TagsController } from './tags.controller.ts';
import { TagsReader } from './tags.reader.ts';
import { TagsService } from './tags.service.ts';

@Module({
  imports: [ValidationModule],
  controllers: [EnvironmentSummaryController, EnvironmentsController, TagsController],
  providers: [EnvironmentsReader, EnvironmentsService, EnvironmentSummaries, TagsReader, TagsService],
  exports: [EnvironmentsReader, EnvironmentsService],
})
export class EnvironmentsModule {}

import { Module } from '@nestjs/common';
import { TemplatingModule } from '../templating/templating.module.ts';
import { EffectiveController } from './effective.controller.ts';
import { EffectiveConfiguration } from './effective.ts';
import { EffectiveBatchController } from './effective-batch.controller.ts';
import { EffectiveBatches } from './effective-batch.ts';
import { EffectiveBodies } from './effective-bodies.ts';
import { ExportController } from './export.controller.ts';
import { ParameterExports } from './export.ts';
import { ProjectWalks } from './project-walk.ts';

/** Serves the effective configuration that programs read: of one project, of several projects, and as a file. */
@Module({
  imports: [TemplatingModule],
  controllers: [EffectiveController, EffectiveBatchController, ExportController],
  providers: [EffectiveBodies, EffectiveConfiguration, EffectiveBatches, ParameterExports, ProjectWalks],
  exports: [ProjectWalks],
})
export class EffectiveModule {}

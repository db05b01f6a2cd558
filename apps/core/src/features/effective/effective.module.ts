import { Module } from '@nestjs/common';
import { FeedModule } from '../feed/feed.module.ts';
import { InstancesModule } from '../instances/instances.module.ts';
import { TemplatingModule } from '../templating/templating.module.ts';
import { EffectiveController } from './effective.controller.ts';
import { EffectiveConfiguration } from './effective.ts';
import { EffectiveBatchController } from './effective-batch.controller.ts';
import { EffectiveBatches } from './effective-batch.ts';
import { EffectiveBodies } from './effective-bodies.ts';
import { ExportController } from './export.controller.ts';
import { ParameterExports } from './export.ts';
import { ProjectWalks } from './project-walk.ts';
import { ConfigurationLedger } from './stream/changed-scopes.ts';
import { ConfigurationPolls } from './stream/configuration-polls.ts';
import { ConfigurationStates } from './stream/configuration-states.ts';
import { EffectiveStreamController } from './stream/effective-stream.controller.ts';
import { FollowedConfigurations } from './stream/followed-configurations.ts';

/** Serves the effective configuration that programs read: of one project, of several projects, and as a file. */
@Module({
  imports: [FeedModule, InstancesModule, TemplatingModule],
  controllers: [EffectiveController, EffectiveStreamController, EffectiveBatchController, ExportController],
  providers: [
    EffectiveBodies,
    EffectiveConfiguration,
    EffectiveBatches,
    ParameterExports,
    ProjectWalks,
    ConfigurationLedger,
    ConfigurationPolls,
    ConfigurationStates,
    FollowedConfigurations,
  ],
  exports: [ProjectWalks, ConfigurationStates],
})
export class EffectiveModule {}

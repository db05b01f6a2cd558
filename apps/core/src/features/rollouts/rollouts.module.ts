import { Module } from '@nestjs/common';
import { EffectiveModule } from '../effective/effective.module.ts';
import { FeedModule } from '../feed/feed.module.ts';
import { InstancesModule } from '../instances/instances.module.ts';
import { InstanceChangeWaiter } from './instance-changes.ts';
import { RolloutScopes } from './rollout-scopes.ts';
import { RolloutsController } from './rollouts.controller.ts';
import { Rollouts } from './rollouts.ts';

/** Shows which instances of programs run a configuration. */
@Module({
  imports: [EffectiveModule, FeedModule, InstancesModule],
  controllers: [RolloutsController],
  providers: [InstanceChangeWaiter, RolloutScopes, Rollouts],
  exports: [Rollouts],
})
export class RolloutsModule {}

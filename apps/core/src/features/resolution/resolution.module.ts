import { Module } from '@nestjs/common';
import { EffectiveController } from './effective.controller.ts';
import { EffectiveConfiguration } from './effective.ts';
import { ProjectSnapshots } from './project-snapshot.ts';

@Module({
  controllers: [EffectiveController],
  providers: [ProjectSnapshots, EffectiveConfiguration],
  exports: [ProjectSnapshots],
})
export class ResolutionModule {}

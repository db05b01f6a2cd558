import { Module } from '@nestjs/common';
import { ChangesetsModule } from '../changesets/changesets.module.ts';
import { SnapshotModule } from '../snapshot/snapshot.module.ts';
import { TemplatingModule } from '../templating/templating.module.ts';
import { EffectiveChanges } from './effective-changes.ts';
import { EffectiveStates } from './effective-states.ts';
import { PlanComparison } from './plan-comparison.ts';
import { ChangesetPlansController, EffectiveChangesController } from './plans.controller.ts';
import { Plans } from './plans.ts';

@Module({
  imports: [SnapshotModule, TemplatingModule, ChangesetsModule],
  controllers: [ChangesetPlansController, EffectiveChangesController],
  providers: [Plans, PlanComparison, EffectiveStates, EffectiveChanges],
  exports: [Plans],
})
export class PlansModule {}

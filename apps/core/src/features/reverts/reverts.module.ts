import { Module } from '@nestjs/common';
import { ChangesetsModule } from '../changesets/changesets.module.ts';
import { PlansModule } from '../plans/plans.module.ts';
import { TemplatingModule } from '../templating/templating.module.ts';
import { ValidationModule } from '../validation/validation.module.ts';
import { RevertChecks } from './revert-checks.ts';
import { RevertDependents } from './revert-dependents.ts';
import { RevertExecutor } from './revert-executor.ts';
import { RevertReferences } from './revert-references.ts';
import { RevertWriter } from './revert-writer.ts';
import { RevertsController } from './reverts.controller.ts';
import { Reverts } from './reverts.ts';

@Module({
  imports: [TemplatingModule, ValidationModule, ChangesetsModule, PlansModule],
  controllers: [RevertsController],
  providers: [Reverts, RevertExecutor, RevertWriter, RevertChecks, RevertDependents, RevertReferences],
})
export class RevertsModule {}

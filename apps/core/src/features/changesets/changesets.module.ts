import { Module } from '@nestjs/common';
import { SnapshotModule } from '../snapshot/snapshot.module.ts';
import { TemplatingModule } from '../templating/templating.module.ts';
import { TransferModule } from '../transfer/transfer.module.ts';
import { ValidationModule } from '../validation/validation.module.ts';
import { ApplyController, ChangesetsController } from './changesets.controller.ts';
import { ChangesetsReader } from './changesets.reader.ts';
import { Changesets } from './changesets.ts';
import { EffectiveChanges } from './effective-changes.ts';
import { EffectiveStates } from './effective-states.ts';
import { NamedValues } from './named-values.ts';
import { Plans } from './plans.ts';
import { PutValuesController } from './put-values.controller.ts';
import { RevertChecks } from './revert/revert-checks.ts';
import { RevertDependents } from './revert/revert-dependents.ts';
import { RevertReferences } from './revert/revert-references.ts';
import { RevertRun } from './revert/revert-run.ts';
import { RevertWriter } from './revert/revert-writer.ts';
import { RevertsController } from './revert/reverts.controller.ts';
import { Reverts } from './revert/reverts.ts';
import { SourcedTexts } from './sourced-texts.ts';

@Module({
  imports: [SnapshotModule, TemplatingModule, ValidationModule, TransferModule],
  controllers: [ApplyController, ChangesetsController, PutValuesController, RevertsController],
  providers: [
    Changesets,
    ChangesetsReader,
    SourcedTexts,
    EffectiveChanges,
    EffectiveStates,
    NamedValues,
    Plans,
    Reverts,
    RevertRun,
    RevertWriter,
    RevertChecks,
    RevertDependents,
    RevertReferences,
  ],
})
export class ChangesetsModule {}

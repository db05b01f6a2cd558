import { Module } from '@nestjs/common';
import { EffectiveModule } from '../effective/effective.module.ts';
import { SnapshotModule } from '../snapshot/snapshot.module.ts';
import { TemplatingModule } from '../templating/templating.module.ts';
import { LintController } from './lint.controller.ts';
import { Lint } from './lint.ts';
import { LintCounts } from './lint-counts.ts';
import { LintDependentsReader } from './lint-dependents.reader.ts';

/** Finds possible mistakes in configuration. */
@Module({
  imports: [EffectiveModule, SnapshotModule, TemplatingModule],
  controllers: [LintController],
  providers: [Lint, LintCounts, LintDependentsReader],
  exports: [LintCounts],
})
export class LintModule {}

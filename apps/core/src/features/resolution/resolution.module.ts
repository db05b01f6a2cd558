import { Module } from '@nestjs/common';
import { SnapshotModule } from '../snapshot/snapshot.module.ts';
import { ActiveTexts } from './active-texts.ts';
import { EffectiveController } from './effective.controller.ts';
import { EffectiveConfiguration } from './effective.ts';
import { EffectiveBatchController } from './effective-batch.controller.ts';
import { EffectiveBatches } from './effective-batch.ts';
import { EffectiveBodies } from './effective-bodies.ts';
import { Evaluations } from './evaluation.ts';
import { ExportController } from './export.controller.ts';
import { ParameterExports } from './export.ts';
import { Language, LanguageTimes } from './liquid/language.ts';
import { References } from './references.ts';
import { Referrers } from './referrers.ts';
import { Worlds } from './world.ts';

@Module({
  imports: [SnapshotModule],
  controllers: [EffectiveController, EffectiveBatchController, ExportController],
  providers: [
    EffectiveBodies,
    EffectiveConfiguration,
    EffectiveBatches,
    ParameterExports,
    Worlds,
    Language,
    LanguageTimes,
    Evaluations,
    ActiveTexts,
    References,
    Referrers,
  ],
  exports: [SnapshotModule, ActiveTexts, Language, Evaluations, References, Referrers],
})
export class ResolutionModule {}

import { Module } from '@nestjs/common';
import { ManyProjectsLoader } from '../snapshot/many-projects.ts';
import { ActiveTexts } from './active-texts.ts';
import { EffectiveController } from './effective.controller.ts';
import { EffectiveConfiguration } from './effective.ts';
import { EffectiveBatchController } from './effective-batch.controller.ts';
import { EffectiveBatches } from './effective-batch.ts';
import { EffectiveBodies } from './effective-bodies.ts';
import { EffectiveRows } from './effective-rows.ts';
import { Evaluations } from './evaluation.ts';
import { ExportController } from './export.controller.ts';
import { ParameterExports } from './export.ts';
import { Language, LanguageTimes } from './liquid/language.ts';
import { Moves } from './moves.ts';
import { ProjectSnapshots } from './project-snapshot.ts';
import { References } from './references.ts';
import { Referrers } from './referrers.ts';
import { Views } from './views.ts';
import { Worlds } from './world.ts';

@Module({
  controllers: [EffectiveController, EffectiveBatchController, ExportController],
  providers: [
    ProjectSnapshots,
    EffectiveRows,
    Moves,
    Views,
    EffectiveBodies,
    EffectiveConfiguration,
    ManyProjectsLoader,
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
  exports: [ProjectSnapshots, ActiveTexts, Language, Evaluations, References, Referrers],
})
export class ResolutionModule {}

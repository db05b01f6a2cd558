import { Module } from '@nestjs/common';
import { SnapshotModule } from '../snapshot/snapshot.module.ts';
import { ActiveTexts } from './active-texts.ts';
import { TextEvaluator } from './evaluation.ts';
import { EvaluationInputsReader } from './evaluation-inputs.ts';
import { Language, LanguageTimes } from './liquid/language.ts';
import { References } from './references.ts';
import { Referrers } from './referrers.ts';

/** Stores the references of texts, and evaluates texts. */
@Module({
  imports: [SnapshotModule],
  providers: [EvaluationInputsReader, Language, LanguageTimes, TextEvaluator, ActiveTexts, References, Referrers],
  exports: [SnapshotModule, ActiveTexts, EvaluationInputsReader, Language, TextEvaluator, References, Referrers],
})
export class TemplatingModule {}

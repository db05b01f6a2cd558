import { Module } from '@nestjs/common';
import { TemplatingModule } from '../templating/templating.module.ts';
import { Absences } from './absences.ts';
import { ExplainController } from './explain.controller.ts';
import { Explanations } from './explanations.ts';
import { LastChangeReader } from './last-changes.ts';
import { TextHistoryReader } from './text-history.ts';
import { TextReader } from './texts.ts';

/** Explains why a name has its effective value, and since when. */
@Module({
  imports: [TemplatingModule],
  controllers: [ExplainController],
  providers: [Absences, Explanations, LastChangeReader, TextHistoryReader, TextReader],
})
export class ExplainModule {}

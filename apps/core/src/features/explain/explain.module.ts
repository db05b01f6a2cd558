import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.ts';
import { TemplatingModule } from '../templating/templating.module.ts';
import { Absences } from './absences.ts';
import { AccessExplanationController } from './access-explanation.controller.ts';
import { AccessExplanations } from './access-explanations.ts';
import { ExplainController } from './explain.controller.ts';
import { Explanations } from './explanations.ts';
import { LastChangeReader } from './last-changes.ts';
import { TextHistoryReader } from './text-history.ts';
import { TextReader } from './texts.ts';

/** Explains why a name has its effective value, and since when, and who has access to a cell. */
@Module({
  imports: [AccessModule, TemplatingModule],
  controllers: [AccessExplanationController, ExplainController],
  providers: [Absences, AccessExplanations, Explanations, LastChangeReader, TextHistoryReader, TextReader],
})
export class ExplainModule {}

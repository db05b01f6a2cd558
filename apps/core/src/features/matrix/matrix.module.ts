import { Module } from '@nestjs/common';
import { TemplatingModule } from '../templating/templating.module.ts';
import { DifferencesReader } from './differences.reader.ts';
import { MatchingNames } from './matching-names.ts';
import { MatrixController } from './matrix.controller.ts';
import { MatrixReader } from './matrix.reader.ts';
import { MatrixSides } from './matrix-sides.ts';

/** Serves tables of many names in many environments, and the differences between two of them. */
@Module({
  imports: [TemplatingModule],
  controllers: [MatrixController],
  providers: [MatrixSides, MatchingNames, MatrixReader, DifferencesReader],
})
export class MatrixModule {}

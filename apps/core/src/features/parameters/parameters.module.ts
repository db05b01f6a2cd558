import { Module } from '@nestjs/common';
import { ResolutionModule } from '../resolution/resolution.module.ts';
import { TypesModule } from '../types/types.module.ts';
import { DualityController } from './duality.controller.ts';
import { DualityReader } from './duality.reader.ts';
import { DynamicValues } from './dynamic-values.ts';
import { Expirations } from './expirations.ts';
import { KnownValues } from './known-values.ts';
import { ManyTexts } from './many-texts.ts';
import { ParameterRulesController } from './parameter-rules.controller.ts';
import { ParameterRulesReader } from './parameter-rules.reader.ts';
import { ParameterRulesService } from './parameter-rules.service.ts';
import { ParametersController } from './parameters.controller.ts';
import { ParametersReader } from './parameters.reader.ts';
import { ParametersService } from './parameters.service.ts';
import { RecentCells } from './recent-cells.ts';
import { ValueCheck } from './value-check.ts';
import { ValueContents } from './value-contents.ts';
import { ValuesController } from './values.controller.ts';
import { ValuesReader } from './values.reader.ts';
import { ValuesService } from './values.service.ts';

@Module({
  imports: [ResolutionModule, TypesModule],
  controllers: [DualityController, ParametersController, ParameterRulesController, ValuesController],
  providers: [
    DualityReader,
    ParametersReader,
    ParametersService,
    ParameterRulesReader,
    ParameterRulesService,
    DynamicValues,
    Expirations,
    KnownValues,
    ManyTexts,
    RecentCells,
    ValueCheck,
    ValueContents,
    ValuesReader,
    ValuesService,
  ],
  exports: [ManyTexts, ParametersReader],
})
export class ParametersModule {}

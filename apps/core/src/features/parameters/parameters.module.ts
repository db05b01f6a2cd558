import { Module } from '@nestjs/common';
import { ResolutionModule } from '../resolution/resolution.module.ts';
import { ValidationModule } from '../validation/validation.module.ts';
import { DualityController } from './duality.controller.ts';
import { DualityReader } from './duality.reader.ts';
import { Expirations } from './expirations.ts';
import { ParameterRulesController } from './parameter-rules.controller.ts';
import { ParameterRulesReader } from './parameter-rules.reader.ts';
import { ParameterRulesService } from './parameter-rules.service.ts';
import { ParametersController } from './parameters.controller.ts';
import { ParametersReader } from './parameters.reader.ts';
import { ParametersService } from './parameters.service.ts';
import { ValueChanges } from './value-changes.ts';
import { ValueContents } from './value-contents.ts';
import { ValuesController } from './values.controller.ts';
import { ValuesReader } from './values.reader.ts';
import { ValuesService } from './values.service.ts';

@Module({
  imports: [ResolutionModule, ValidationModule],
  controllers: [DualityController, ParametersController, ParameterRulesController, ValuesController],
  providers: [
    DualityReader,
    ParametersReader,
    ParametersService,
    ParameterRulesReader,
    ParameterRulesService,
    Expirations,
    ValueChanges,
    ValueContents,
    ValuesReader,
    ValuesService,
  ],
  exports: [ParametersReader],
})
export class ParametersModule {}

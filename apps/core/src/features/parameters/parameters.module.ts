import { Module } from '@nestjs/common';
import { ExternalModule } from '../external/external.module.ts';
import { TemplatingModule } from '../templating/templating.module.ts';
import { ValidationModule } from '../validation/validation.module.ts';
import { ComparisonController } from './comparison/comparison.controller.ts';
import { ComparisonReader } from './comparison/comparison.reader.ts';
import { Expirations } from './expiration/expirations.ts';
import { ParametersController } from './parameters.controller.ts';
import { ParametersReader } from './parameters.reader.ts';
import { ParametersService } from './parameters.service.ts';
import { ParameterRulesController } from './rules/parameter-rules.controller.ts';
import { ParameterRulesReader } from './rules/parameter-rules.reader.ts';
import { ParameterRulesService } from './rules/parameter-rules.service.ts';
import { ParameterValidationController } from './rules/parameter-validation.controller.ts';
import { ValueChanges } from './values/value-changes.ts';
import { ValueContents } from './values/value-contents.ts';
import { ValueCreations } from './values/value-creations.ts';
import { ValuesController } from './values/values.controller.ts';
import { ValuesReader } from './values/values.reader.ts';

@Module({
  imports: [ExternalModule, TemplatingModule, ValidationModule],
  controllers: [
    ComparisonController,
    ParametersController,
    ParameterRulesController,
    ParameterValidationController,
    ValuesController,
  ],
  providers: [
    ComparisonReader,
    ParametersReader,
    ParametersService,
    ParameterRulesReader,
    ParameterRulesService,
    Expirations,
    ValueChanges,
    ValueCreations,
    ValueContents,
    ValuesReader,
  ],
  exports: [ParametersReader, ParametersService, ValueChanges, ValueCreations],
})
export class ParametersModule {}

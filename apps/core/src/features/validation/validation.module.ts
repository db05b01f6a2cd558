import { Module } from '@nestjs/common';
import { TemplatingModule } from '../templating/templating.module.ts';
import { ActiveValues } from './active-values.ts';
import { StoredValues } from './stored-values.ts';
import { TextValidation } from './text-validation.ts';
import { Validator } from './validator.ts';

/** Validates values, rules and names. Other modules only use the validator. */
@Module({
  imports: [TemplatingModule],
  providers: [TextValidation, StoredValues, ActiveValues, Validator],
  exports: [Validator],
})
export class ValidationModule {}

import { Module } from '@nestjs/common';
import { TemplatingModule } from '../templating/templating.module.ts';
import { FlagLookups } from './flag-lookups.ts';
import { Flags } from './flags.ts';
import { OfrepController } from './ofrep.controller.ts';

/** Serves parameters as feature flags by the OpenFeature Remote Evaluation Protocol. */
@Module({
  imports: [TemplatingModule],
  controllers: [OfrepController],
  providers: [FlagLookups, Flags],
})
export class OfrepModule {}

import { Module } from '@nestjs/common';
import { ResolutionModule } from '../resolution/resolution.module.ts';
import { ParametersController } from './parameters.controller.ts';
import { ParametersReader } from './parameters.reader.ts';
import { ParametersService } from './parameters.service.ts';
import { ValuesController } from './values.controller.ts';
import { ValuesReader } from './values.reader.ts';
import { ValuesService } from './values.service.ts';

@Module({
  imports: [ResolutionModule],
  controllers: [ParametersController, ValuesController],
  providers: [ParametersReader, ParametersService, ValuesReader, ValuesService],
})
export class ParametersModule {}

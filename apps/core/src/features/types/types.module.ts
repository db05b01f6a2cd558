import { Module } from '@nestjs/common';
import { ResolutionModule } from '../resolution/resolution.module.ts';
import { DependentValues } from './dependent-values.ts';
import { StoredValues } from './stored-values.ts';
import { TextCheck } from './text-check.ts';
import { TypeRulesController } from './type-rules.controller.ts';
import { TypeRulesService } from './type-rules.service.ts';
import { TypesController } from './types.controller.ts';
import { TypesReader } from './types.reader.ts';
import { TypesService } from './types.service.ts';

@Module({
  imports: [ResolutionModule],
  controllers: [TypesController, TypeRulesController],
  providers: [TypesReader, TypesService, TypeRulesService, TextCheck, StoredValues, DependentValues],
  exports: [TextCheck, StoredValues, DependentValues],
})
export class TypesModule {}

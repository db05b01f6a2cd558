import { Module } from '@nestjs/common';
import { ValidationModule } from '../validation/validation.module.ts';
import { TypeRulesController } from './type-rules.controller.ts';
import { TypeRulesService } from './type-rules.service.ts';
import { TypeUsesController } from './type-uses.controller.ts';
import { TypeUsesReader } from './type-uses.reader.ts';
import { TypesController } from './types.controller.ts';
import { TypesReader } from './types.reader.ts';
import { TypesService } from './types.service.ts';

@Module({
  imports: [ValidationModule],
  controllers: [TypesController, TypeRulesController, TypeUsesController],
  providers: [TypesReader, TypeUsesReader, TypesService, TypeRulesService],
})
export class TypesModule {}

import { Module } from '@nestjs/common';
import { ValidationModule } from '../validation/validation.module.ts';
import { TypeRulesController } from './type-rules.controller.ts';
import { TypeRulesService } from './type-rules.service.ts';
import { TypesController } from './types.controller.ts';
import { TypesReader } from './types.reader.ts';
import { TypesService } from './types.service.ts';

@Module({
  imports: [ValidationModule],
  controllers: [TypesController, TypeRulesController],
  providers: [TypesReader, TypesService, TypeRulesService],
})
export class TypesModule {}

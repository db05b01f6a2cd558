import { Module } from '@nestjs/common';
import { TypesController } from './types.controller.ts';
import { TypesReader } from './types.reader.ts';

@Module({ controllers: [TypesController], providers: [TypesReader] })
export class TypesModule {}

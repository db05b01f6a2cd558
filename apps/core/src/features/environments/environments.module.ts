import { Module } from '@nestjs/common';
import { EnvironmentsController } from './environments.controller.ts';
import { EnvironmentsReader } from './environments.reader.ts';
import { EnvironmentsService } from './environments.service.ts';

@Module({ controllers: [EnvironmentsController], providers: [EnvironmentsReader, EnvironmentsService] })
export class EnvironmentsModule {}

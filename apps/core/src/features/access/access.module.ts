import { Module } from '@nestjs/common';
import { GrantsController } from './grants.controller.ts';
import { GrantsReader } from './grants.reader.ts';
import { GrantsService } from './grants.service.ts';

@Module({ controllers: [GrantsController], providers: [GrantsReader, GrantsService] })
export class AccessModule {}

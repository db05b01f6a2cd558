import { Module } from '@nestjs/common';
import { GrantsController, MatchingGrantsController } from './grants.controller.ts';
import { GrantsReader } from './grants.reader.ts';
import { GrantsService } from './grants.service.ts';

@Module({ controllers: [GrantsController, MatchingGrantsController], providers: [GrantsReader, GrantsService] })
export class AccessModule {}

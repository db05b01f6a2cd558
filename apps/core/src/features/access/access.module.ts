import { Module } from '@nestjs/common';
import { GrantsController, MatchingGrantsController } from './grants.controller.ts';
import { GrantsReader } from './grants.reader.ts';
import { GrantsService } from './grants.service.ts';
import { RightsReader } from './rights.reader.ts';

@Module({
  controllers: [GrantsController, MatchingGrantsController],
  providers: [GrantsReader, GrantsService, RightsReader],
  exports: [RightsReader],
})
export class AccessModule {}

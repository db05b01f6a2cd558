import { Module } from '@nestjs/common';
import { AccessDecisionsController, AccessRequestsController } from './access-requests.controller.ts';
import { AccessRequestsReader } from './access-requests.reader.ts';
import { AccessRequestsService } from './access-requests.service.ts';
import { ExpiredGrants } from './expired-grants.ts';
import { GrantsController, MatchingGrantsController } from './grants.controller.ts';
import { GrantsReader } from './grants.reader.ts';
import { GrantsService } from './grants.service.ts';
import { RightsReader } from './rights.reader.ts';
import { UnusedAccessController } from './unused-access.controller.ts';
import { UnusedRights } from './unused-rights.ts';

@Module({
  controllers: [
    AccessDecisionsController,
    AccessRequestsController,
    GrantsController,
    MatchingGrantsController,
    UnusedAccessController,
  ],
  providers: [
    AccessRequestsReader,
    AccessRequestsService,
    ExpiredGrants,
    GrantsReader,
    GrantsService,
    RightsReader,
    UnusedRights,
  ],
  exports: [RightsReader],
})
export class AccessModule {}

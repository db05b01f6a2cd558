import { Module } from '@nestjs/common';
import { UnitOfWork } from '../../platform/ledger/unit-of-work.ts';
import { ExploreController } from './explore.controller.ts';
import { IntegrationRoutes } from './integration-routes.ts';
import { IntegrationsController } from './integrations.controller.ts';
import { IntegrationsReader } from './integrations.reader.ts';
import { IntegrationsService } from './integrations.service.ts';
import { runWithTags, SyncsService } from './syncs.service.ts';

@Module({
  controllers: [ExploreController, IntegrationsController],
  providers: [SyncsService, IntegrationRoutes, IntegrationsReader, IntegrationsService],
})
export class IntegrationsModule {
  constructor(unitOfWork: UnitOfWork) {
    unitOfWork.addHook('Tag', runWithTags);
  }
}

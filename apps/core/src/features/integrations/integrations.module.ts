import { Module } from '@nestjs/common';
import { integrationsController } from './controllers.ts';
import { ExchangesService } from './exchanges.service.ts';
import { ExploreController } from './explore.controller.ts';
import { IntegrationRoutes } from './integration-routes.ts';
import { IntegrationsReader } from './integrations.reader.ts';
import { IntegrationsService } from './integrations.service.ts';

@Module({
  controllers: [ExploreController, integrationsController()],
  providers: [ExchangesService, IntegrationRoutes, IntegrationsReader, IntegrationsService],
})
export class IntegrationsModule {}

import { Module } from '@nestjs/common';
import { UnitOfWork } from '../../platform/ledger/unit-of-work.ts';
import { TemplatingModule } from '../templating/templating.module.ts';
import { ExploreController } from './explore.controller.ts';
import { IntegrationRoutes } from './integration-routes.ts';
import { IntegrationsController } from './integrations.controller.ts';
import { IntegrationsReader } from './integrations.reader.ts';
import { IntegrationsService } from './integrations.service.ts';
import { DesiredValues } from './runs/desired-values.ts';
import { ProviderSetup } from './runs/provider-environment.ts';
import { PushRuns } from './runs/push-run.ts';
import { RunQueue } from './runs/run-queue.ts';
import { RunSettings } from './runs/run-settings.ts';
import { RunStore } from './runs/run-store.ts';
import { SyncKeys } from './runs/sync-keys.ts';
import { TaskSteps } from './runs/task-steps.ts';
import { runWithTags, SyncsService } from './syncs.service.ts';

@Module({
  imports: [TemplatingModule],
  controllers: [ExploreController, IntegrationsController],
  providers: [
    SyncsService,
    IntegrationRoutes,
    IntegrationsReader,
    IntegrationsService,
    ProviderSetup,
    DesiredValues,
    SyncKeys,
    TaskSteps,
    RunStore,
    RunSettings,
    PushRuns,
    RunQueue,
  ],
})
export class IntegrationsModule {
  constructor(unitOfWork: UnitOfWork, { environment }: ProviderSetup) {
    unitOfWork.addHook('Tag', (...change) => runWithTags(environment, ...change));
  }
}

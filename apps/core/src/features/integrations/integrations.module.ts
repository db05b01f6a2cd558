import { Module } from '@nestjs/common';
import { UnitOfWork } from '../../platform/ledger/unit-of-work.ts';
import { EnvironmentsModule } from '../environments/environments.module.ts';
import { ExternalModule } from '../external/external.module.ts';
import { ProviderSetup } from '../external/provider-environment.ts';
import { ParametersModule } from '../parameters/parameters.module.ts';
import { ProjectsModule } from '../projects/projects.module.ts';
import { TemplatingModule } from '../templating/templating.module.ts';
import { ConnectionTests } from './connection-tests.ts';
import { ExploreController } from './explore.controller.ts';
import { IntegrationRoutes } from './integration-routes.ts';
import { IntegrationsController } from './integrations.controller.ts';
import { IntegrationsReader } from './integrations.reader.ts';
import { IntegrationsService } from './integrations.service.ts';
import { PushDecisionsService } from './push-decisions.service.ts';
import { PushKeyRoutes } from './push-key-routes.ts';
import { PushKeysReader } from './push-keys.reader.ts';
import { DesiredValues } from './runs/desired-values.ts';
import { PatternImport } from './runs/pattern-import.ts';
import { PatternPullRuns } from './runs/pattern-pull.ts';
import { PullRuns } from './runs/pull-run.ts';
import { PushRuns } from './runs/push-run.ts';
import { RunQueue } from './runs/run-queue.ts';
import { RunSettings } from './runs/run-settings.ts';
import { RunStore } from './runs/run-store.ts';
import { SyncKeys } from './runs/sync-keys.ts';
import { SyncStates } from './runs/sync-state.ts';
import { TaskSteps } from './runs/task-steps.ts';
import { TextImports } from './runs/text-imports.ts';
import { Scans } from './scans.ts';
import { StoreExplorer } from './store-explorer.ts';
import { StoreRequests } from './store-requests.ts';
import { runWithTags, SyncsService } from './syncs.service.ts';

@Module({
  imports: [EnvironmentsModule, ExternalModule, ParametersModule, ProjectsModule, TemplatingModule],
  controllers: [ExploreController, IntegrationsController],
  providers: [
    SyncsService,
    IntegrationRoutes,
    ConnectionTests,
    Scans,
    StoreExplorer,
    StoreRequests,
    PushDecisionsService,
    PushKeyRoutes,
    PushKeysReader,
    IntegrationsReader,
    IntegrationsService,
    DesiredValues,
    SyncKeys,
    TaskSteps,
    TextImports,
    RunStore,
    RunSettings,
    PatternImport,
    PatternPullRuns,
    PullRuns,
    PushRuns,
    RunQueue,
    SyncStates,
  ],
  exports: [DesiredValues, RunSettings],
})
export class IntegrationsModule {
  constructor(unitOfWork: UnitOfWork, { environment }: ProviderSetup) {
    unitOfWork.addHook('Tag', (...change) => runWithTags(environment, ...change));
  }
}

import { type DynamicModule, Module } from '@nestjs/common';
import { AccessModule } from './features/access/access.module.ts';
import { ChangesetsModule } from './features/changesets/changesets.module.ts';
import { EdgesModule } from './features/edges/edges.module.ts';
import { EffectiveModule } from './features/effective/effective.module.ts';
import { EnvironmentsModule } from './features/environments/environments.module.ts';
import { TagEntity } from './features/environments/tag.entity.ts';
import { ExplainModule } from './features/explain/explain.module.ts';
import { FeedModule } from './features/feed/feed.module.ts';
import { HistoryModule } from './features/history/history.module.ts';
import { IdentityModule } from './features/identity/identity.module.ts';
import { IntegrationsModule } from './features/integrations/integrations.module.ts';
import { LintModule } from './features/lint/lint.module.ts';
import { MatrixModule } from './features/matrix/matrix.module.ts';
import { OfrepModule } from './features/ofrep/ofrep.module.ts';
import { ParametersModule } from './features/parameters/parameters.module.ts';
import { PlansModule } from './features/plans/plans.module.ts';
import { ProjectsModule } from './features/projects/projects.module.ts';
import { RevertsModule } from './features/reverts/reverts.module.ts';
import { RolloutsModule } from './features/rollouts/rollouts.module.ts';
import { RotationsModule } from './features/rotations/rotations.module.ts';
import { SearchModule } from './features/search/search.module.ts';
import { TemplatesModule } from './features/templates/templates.module.ts';
import { TransferModule } from './features/transfer/transfer.module.ts';
import { TypesModule } from './features/types/types.module.ts';
import { UtilitiesModule } from './features/utilities/utilities.module.ts';
import { DestinationEntity } from './features/webhooks/destinations/destination.entity.ts';
import { WebhookEntity } from './features/webhooks/destinations/webhook.entity.ts';
import { WebhooksModule } from './features/webhooks/webhooks.module.ts';
import type { Env } from './platform/env.ts';
import { PlatformModule } from './platform/platform.module.ts';

/** The entities of the tables that are not versioned. */
const ENTITIES = [DestinationEntity, TagEntity, WebhookEntity];

/** Lists all features; no other file does. */
@Module({})
export class AppModule {
  static forRoot(env: Env): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(env, ENTITIES),
        AccessModule,
        IdentityModule,
        EnvironmentsModule,
        FeedModule,
        HistoryModule,
        ProjectsModule,
        TemplatesModule,
        TypesModule,
        EffectiveModule,
        ExplainModule,
        OfrepModule,
        MatrixModule,
        SearchModule,
        LintModule,
        RolloutsModule,
        EdgesModule,
        ParametersModule,
        WebhooksModule,
        TransferModule,
        ChangesetsModule,
        PlansModule,
        RevertsModule,
        IntegrationsModule,
        RotationsModule,
        UtilitiesModule,
      ],
    };
  }
}

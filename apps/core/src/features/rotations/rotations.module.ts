import { Module } from '@nestjs/common';
import { ExternalModule } from '../external/external.module.ts';
import { IntegrationsModule } from '../integrations/integrations.module.ts';
import { ParametersModule } from '../parameters/parameters.module.ts';
import { RolloutsModule } from '../rollouts/rollouts.module.ts';
import { RotationCounts } from './rotation-counts.ts';
import { RotationInstances } from './rotation-instances.ts';
import { RotationPushes } from './rotation-pushes.ts';
import { RotationQueue } from './rotation-queue.ts';
import { RotationSteps } from './rotation-steps.ts';
import { RotationStore } from './rotation-store.ts';
import { RotationValues } from './rotation-values.ts';
import { RotationActionsController, RotationsController } from './rotations.controller.ts';
import { RotationsReader } from './rotations.reader.ts';
import { RotationsService } from './rotations.service.ts';

/** Replaces the credentials in secrets. */
@Module({
  imports: [ExternalModule, IntegrationsModule, ParametersModule, RolloutsModule],
  controllers: [RotationsController, RotationActionsController],
  providers: [
    RotationCounts,
    RotationInstances,
    RotationPushes,
    RotationQueue,
    RotationSteps,
    RotationStore,
    RotationValues,
    RotationsReader,
    RotationsService,
  ],
})
export class RotationsModule {}

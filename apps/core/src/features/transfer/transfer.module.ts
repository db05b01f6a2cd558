import { Module } from '@nestjs/common';
import { EnvironmentsModule } from '../environments/environments.module.ts';
import { ParametersModule } from '../parameters/parameters.module.ts';
import { ProjectsModule } from '../projects/projects.module.ts';
import { ResolutionModule } from '../resolution/resolution.module.ts';
import { ValidationModule } from '../validation/validation.module.ts';
import { Backups } from './backups.ts';
import { CopiedTexts } from './copied-texts.ts';
import { CopiesController } from './copies.controller.ts';
import { EnvironmentCopies } from './environment-copies.ts';
import { ImportStates } from './import-state.ts';
import { Imports } from './imports.ts';
import { ParameterCopies } from './parameter-copies.ts';
import { ProjectCopies } from './project-copies.ts';
import { ReferenceCopies } from './reference-copies.ts';
import { TransferController } from './transfer.controller.ts';
import { ValueCopies } from './value-copies.ts';

@Module({
  imports: [ResolutionModule, EnvironmentsModule, ProjectsModule, ValidationModule, ParametersModule],
  controllers: [CopiesController, TransferController],
  providers: [
    CopiedTexts,
    ValueCopies,
    ReferenceCopies,
    EnvironmentCopies,
    ProjectCopies,
    ParameterCopies,
    ImportStates,
    Imports,
    Backups,
  ],
})
export class TransferModule {}

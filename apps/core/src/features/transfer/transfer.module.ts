import { Module } from '@nestjs/common';
import { EnvironmentsModule } from '../environments/environments.module.ts';
import { ParametersModule } from '../parameters/parameters.module.ts';
import { ProjectsModule } from '../projects/projects.module.ts';
import { TemplatingModule } from '../templating/templating.module.ts';
import { ValidationModule } from '../validation/validation.module.ts';
import { BackupExporter } from './backup/backup-exporter.ts';
import { CopiedTexts } from './copy/copied-texts.ts';
import { CopiesController } from './copy/copies.controller.ts';
import { EnvironmentCopies } from './copy/environment-copies.ts';
import { ParameterCopies } from './copy/parameter-copies.ts';
import { ProjectCopies } from './copy/project-copies.ts';
import { ReferenceCopies } from './copy/reference-copies.ts';
import { ValueCopies } from './copy/value-copies.ts';
import { ImportStates } from './import/import-state.ts';
import { Imports } from './import/imports.ts';
import { TransferController } from './transfer.controller.ts';

@Module({
  imports: [TemplatingModule, EnvironmentsModule, ProjectsModule, ValidationModule, ParametersModule],
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
    BackupExporter,
  ],
  exports: [ReferenceCopies],
})
export class TransferModule {}

import { Module } from '@nestjs/common';
import { LintModule } from '../lint/lint.module.ts';
import { RolloutsModule } from '../rollouts/rollouts.module.ts';
import { SnapshotModule } from '../snapshot/snapshot.module.ts';
import { TemplatingModule } from '../templating/templating.module.ts';
import { ValidationModule } from '../validation/validation.module.ts';
import { ProjectOverviewController, ProjectOverviews } from './project-overview.ts';
import { ProjectsController } from './projects.controller.ts';
import { ProjectsReader } from './projects.reader.ts';
import { ProjectsService } from './projects.service.ts';

@Module({
  imports: [LintModule, RolloutsModule, SnapshotModule, TemplatingModule, ValidationModule],
  controllers: [ProjectOverviewController, ProjectsController],
  providers: [ProjectOverviews, ProjectsReader, ProjectsService],
  exports: [ProjectsReader, ProjectsService],
})
export class ProjectsModule {}

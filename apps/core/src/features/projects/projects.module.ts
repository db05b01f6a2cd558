import { Module } from '@nestjs/common';
import { TemplatingModule } from '../templating/templating.module.ts';
import { ValidationModule } from '../validation/validation.module.ts';
import { ProjectsController } from './projects.controller.ts';
import { ProjectsReader } from './projects.reader.ts';
import { ProjectsService } from './projects.service.ts';

@Module({
  imports: [TemplatingModule, ValidationModule],
  controllers: [ProjectsController],
  providers: [ProjectsReader, ProjectsService],
  exports: [ProjectsReader],
})
export class ProjectsModule {}

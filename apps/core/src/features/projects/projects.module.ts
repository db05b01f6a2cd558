import { Module } from '@nestjs/common';
import { ProjectsController } from './projects.controller.ts';
import { ProjectsReader } from './projects.reader.ts';
import { ProjectsService } from './projects.service.ts';

@Module({ controllers: [ProjectsController], providers: [ProjectsReader, ProjectsService] })
export class ProjectsModule {}

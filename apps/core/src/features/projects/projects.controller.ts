import { PROJECTS } from '@strata/contract';
import { pathId } from '../../platform/http/links.ts';
import { PointsInTime } from '../../platform/http/points-in-time.ts';
import { resourceController } from '../../platform/http/resource-controller.ts';
import { presentProject } from './projects.presenter.ts';
import { ProjectsReader } from './projects.reader.ts';
import { ProjectsService } from './projects.service.ts';

export const ProjectsController = resourceController(
  PROJECTS,
  { reader: ProjectsReader, projects: ProjectsService, pointsInTime: PointsInTime },
  ({ reader, projects, pointsInTime }) => ({
    readKey: ({ id = '' }) => pathId('Project', id),
    list: async ({ caller, query }) => reader.page(caller, query, await pointsInTime.of(caller, query)),
    retrieve: async ({ caller, key, query, at, reader: snapshotReader }) =>
      reader.readOne(caller, key, at ?? (await pointsInTime.of(caller, query)), snapshotReader),
    create: ({ caller, input }) => projects.create(caller, input),
    change: ({ caller, key, input, precondition }) => projects.change(caller, key, input, precondition),
    remove: ({ caller, key, precondition }) => projects.remove(caller, key, precondition),
    isStored: true,
    presentItem: presentProject,
  }),
);

import { ENVIRONMENTS } from '@strata/contract';
import { pathId } from '../../platform/http/links.ts';
import { PointsInTime } from '../../platform/http/points-in-time.ts';
import { resourceController } from '../../platform/http/resource-controller.ts';
import { presentEnvironment } from './environments.presenter.ts';
import { EnvironmentsReader } from './environments.reader.ts';
import { EnvironmentsService } from './environments.service.ts';

export const EnvironmentsController = resourceController(
  ENVIRONMENTS,
  { reader: EnvironmentsReader, environments: EnvironmentsService, pointsInTime: PointsInTime },
  ({ reader, environments, pointsInTime }) => ({
    readKey: ({ id = '' }) => pathId('Environment', id),
    list: async ({ caller, query }) => reader.page(caller, query, await pointsInTime.of(caller, query)),
    retrieve: async ({ caller, key, query, at, reader: snapshotReader }) =>
      reader.readOne(caller, key, at ?? (await pointsInTime.of(caller, query)), snapshotReader),
    create: ({ caller, input }) => environments.create(caller, input),
    change: ({ caller, key, input, precondition }) => environments.change(caller, key, input, precondition),
    remove: ({ caller, key, precondition }) => environments.remove(caller, key, precondition),
    isStored: true,
    presentItem: (row, { links }) => presentEnvironment(row, links),
  }),
);

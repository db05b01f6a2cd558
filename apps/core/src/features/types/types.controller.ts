import { TYPES } from '@strata/contract';
import { pathId } from '../../platform/http/links.ts';
import { PointsInTime } from '../../platform/http/points-in-time.ts';
import { resourceController } from '../../platform/http/resource-controller.ts';
import { presentType } from './types.presenter.ts';
import { TypesReader } from './types.reader.ts';
import { TypesService } from './types.service.ts';

export const TypesController = resourceController(
  TYPES,
  { reader: TypesReader, types: TypesService, pointsInTime: PointsInTime },
  ({ reader, types, pointsInTime }) => ({
    readKey: ({ id = '' }) => pathId('ParameterType', id),
    list: async ({ caller, query }) => reader.page(caller.organizationId, query, await pointsInTime.of(caller, query)),
    retrieve: async ({ caller, key, query, at, reader: snapshotReader }) =>
      reader.readOne(caller.organizationId, key, at ?? (await pointsInTime.of(caller, query)), snapshotReader),
    create: ({ caller, input }) => types.create(caller, input),
    change: ({ caller, key, input, precondition }) => types.change(caller, key, input, precondition),
    remove: ({ caller, key, precondition }) => types.remove(caller, key, precondition),
    presentItem: (row, { links }) => presentType(row, links),
  }),
);

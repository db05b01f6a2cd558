import { ABORT_ROTATION, DISMISS_INSTANCES, ROTATIONS, START_ROTATION } from '@strata/contract';
import { actionController } from '../../platform/http/action-controller.ts';
import { pathId } from '../../platform/http/links.ts';
import { resourceController } from '../../platform/http/resource-controller.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { presentRotation, RotationsReader } from './rotations.reader.ts';
import { RotationsService } from './rotations.service.ts';

const rotationId = (path: { readonly id?: string }) => pathId('Rotation', path.id ?? '');

export const RotationsController = resourceController(
  ROTATIONS,
  { reader: RotationsReader, rotations: RotationsService },
  ({ reader, rotations }) => ({
    readKey: (path) => rotationId(path),
    list: ({ caller, query }) => reader.page(caller, query),
    retrieve: ({ caller, key, reader: within }) => reader.readOne(caller, key, within),
    create: ({ caller, input }) => rotations.create(caller, input),
    change: ({ caller, key, input, precondition }) => rotations.change(caller, key, input, precondition),
    remove: ({ caller, key, precondition }) => rotations.remove(caller, key, precondition),
    presentItem: (row, { links }) => presentRotation(row, links),
  }),
);

export const RotationActionsController = actionController(
  'RotationActionsController',
  { rotate: START_ROTATION, abort: ABORT_ROTATION, dismiss: DISMISS_INSTANCES },
  { rotations: RotationsService },
  ({ rotations, unitOfWork }) => ({
    rotate: async ({ call, caller, path }) => {
      const { result, revision } = await unitOfWork.run(rotations.rotate(caller, rotationId(path)));
      return sendJson(call, revision, presentRotation(result, call.links));
    },
    abort: async ({ call, caller, path }) => {
      const { result, revision } = await unitOfWork.run(rotations.abort(caller, rotationId(path)));
      return sendJson(call, revision, presentRotation(result, call.links));
    },
    dismiss: async ({ call, caller, path, input }) => {
      const { result, revision } = await unitOfWork.run(rotations.dismiss(caller, rotationId(path), input));
      return sendJson(call, revision, presentRotation(result, call.links));
    },
  }),
);

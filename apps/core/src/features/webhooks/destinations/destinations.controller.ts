import { DESTINATIONS, ENABLE_DESTINATION, REPLAY_EVENTS, ROTATE_DESTINATION_SECRET } from '@strata/contract';
import { actionController } from '../../../platform/http/action-controller.ts';
import { pathId } from '../../../platform/http/links.ts';
import { resourceController } from '../../../platform/http/resource-controller.ts';
import { sendJson } from '../../../platform/http/send-json.ts';
import { ReplaysService } from '../delivery/replays.service.ts';
import { presentDestination, presentDestinationWithSecret } from './destinations.presenter.ts';
import { DestinationsReader } from './destinations.reader.ts';
import { DestinationsService } from './destinations.service.ts';

const destinationId = (path: { readonly id?: string }) => pathId('Destination', path.id ?? '');

export const DestinationsController = resourceController(
  DESTINATIONS,
  { reader: DestinationsReader, destinations: DestinationsService },
  ({ reader, destinations }) => ({
    readKey: (path) => destinationId(path),
    list: ({ caller, query }) => reader.page(caller.organizationId, query),
    retrieve: ({ caller, key, reader: snapshotReader }) => reader.readOne(caller.organizationId, key, snapshotReader),
    create: ({ caller, input }) => destinations.create(caller, input),
    change: ({ caller, key, input, precondition }) => destinations.change(caller, key, input, precondition),
    remove: ({ caller, key, precondition }) => destinations.remove(caller, key, precondition),
    presentItem: (row, { links }) => presentDestination(row, links),
    presentCreated: (destinationWithSecret, { links }) => presentDestinationWithSecret(destinationWithSecret, links),
  }),
);

export const DestinationActionsController = actionController(
  'DestinationActionsController',
  { enable: ENABLE_DESTINATION, rotate: ROTATE_DESTINATION_SECRET, replay: REPLAY_EVENTS },
  { reader: DestinationsReader, destinations: DestinationsService, replays: ReplaysService },
  ({ reader, destinations, replays, unitOfWork }) => ({
    enable: async ({ call, caller, path }) => {
      const { result, revision } = await unitOfWork.run(destinations.enable(caller, destinationId(path)));
      return sendJson(call, revision, presentDestination(result, call.links));
    },
    rotate: async ({ call, caller, path, input }) => {
      const command = await destinations.rotate(caller, destinationId(path), input);
      const { result, revision } = await unitOfWork.run(command);
      call.reply.header('cache-control', 'no-store');
      return sendJson(call, revision, presentDestinationWithSecret(result, call.links));
    },
    replay: async ({ call, caller, path, input }) => {
      const id = destinationId(path);
      const result = await replays.replay(caller, id, input);
      const { revision } = await reader.readOne(caller.organizationId, id);
      return sendJson(call, revision, result);
    },
  }),
);

import * as contract from '@strata/contract';
import { declareObject } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

const scopes = {
  projects: { to: 'Project' },
  environments: { to: 'Environment' },
  owner: { to: 'User' },
} as const;

export const DESTINATIONS_PART: SchemaPart = {
  objects: [
    declareObject({ name: 'Destination', of: contract.Destination, at: 'destinations/{id}/', members: scopes }),
    declareObject({ name: 'NewDestination', of: contract.DestinationCreated, members: scopes }),
    declareObject({
      name: 'DestinationDelivery',
      of: contract.DestinationDelivery,
      members: { destination: { to: 'Destination' } },
    }),
    declareObject({ name: 'ReplayResult', of: contract.ReplayResult }),
  ],
  nouns: [{ operations: 'destinations', of: 'Destination', about: 'The destinations of the organization, by name.' }],
  lists: [
    {
      operation: 'destinations_deliveries_list',
      of: 'DestinationDelivery',
      many: 'deliveries',
      under: 'Destination',
      about: 'The deliveries of the destination, newest first.',
    },
  ],
  reads: [
    {
      operation: 'destinations_deliveries_retrieve',
      name: 'destinationDelivery',
      about: 'One delivery to a destination.',
    },
  ],
  actions: [
    { operation: 'destinations_enable_create', name: 'enableDestination', about: 'Enables a suspended destination.' },
    {
      operation: 'destinations_rotate_secret_create',
      name: 'rotateDestinationSecret',
      about: 'Replaces the secret of a destination. The new one is shown once.',
    },
    { operation: 'destinations_test_create', name: 'testDestination', about: 'Sends a test message to a destination.' },
    {
      operation: 'destinations_replay_create',
      name: 'replayEvents',
      about: 'Sends the events of a range of revisions to a destination again.',
    },
    {
      operation: 'destinations_deliveries_redeliver_create',
      name: 'redeliverToDestination',
      about: 'Sends a message to a destination again.',
    },
  ],
};

import * as contract from '@strata/contract';
import { object } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

const scopes = { project: { to: 'Project' }, environment: { to: 'Environment' } } as const;

export const ROTATIONS: SchemaPart = {
  objects: [
    object({
      name: 'Rotation',
      of: contract.Rotation,
      at: 'rotations/{id}/',
      members: { ...scopes, parameter: { to: 'Parameter' } },
    }),
    object({ name: 'RotationPostgresql', of: contract.PostgresqlConnection }),
    object({ name: 'RotationAwsIam', of: contract.AwsIamUser }),
    object({ name: 'RotationCommand', of: contract.CommandInput }),
    object({ name: 'RotationInstance', of: contract.RotationInstance, members: scopes }),
    object({ name: 'RotationPush', of: contract.RotationPush }),
  ],
  nouns: [
    {
      operations: 'rotations',
      of: 'Rotation',
      about: 'The rotations of secrets that the caller may read, by name.',
    },
  ],
  actions: [
    { operation: 'rotations_rotate_create', name: 'rotateSecret', about: 'Begins or continues a rotation.' },
    { operation: 'rotations_abort_create', name: 'abortRotation', about: 'Aborts a rotation.' },
    {
      operation: 'rotations_dismiss_create',
      name: 'dismissInstances',
      about: 'Lets a rotation continue without instances or pushes.',
    },
  ],
};

import * as contract from '@strata/contract';
import { declareObject } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

const scopes = { project: { to: 'Project' }, environment: { to: 'Environment' } } as const;

export const ROTATIONS_PART: SchemaPart = {
  objects: [
    declareObject({
      name: 'Rotation',
      of: contract.Rotation,
      at: 'rotations/{id}/',
      members: { ...scopes, parameter: { to: 'Parameter' } },
    }),
    declareObject({ name: 'RotationPostgresql', of: contract.PostgresqlConnection }),
    declareObject({ name: 'RotationAwsIam', of: contract.AwsIamUser }),
    declareObject({ name: 'RotationCommand', of: contract.CommandInput }),
    declareObject({ name: 'RotationInstance', of: contract.RotationInstance, members: scopes }),
    declareObject({ name: 'RotationPush', of: contract.RotationPush }),
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

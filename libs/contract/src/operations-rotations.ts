import { noun, operation, operations, standardOperations } from './operation.ts';
import * as rotation from './rotation.ts';

const COLLECTION = '/api/v1/rotations/';
const ITEM = `${COLLECTION}{id}/` as const;

export const ROTATIONS = noun({
  tag: 'rotations',
  prefix: 'rotations',
  collection: COLLECTION,
  singular: 'a rotation',
  plural: 'rotations',
  addressing: {
    links: { parameter: ['projects_parameters'], environment: ['environments'] },
    credentials: ['credential'],
  },
  read: 'read',
  write: 'read',
  conditional: true,
  bodyAs: 'json',
  errorStatuses: { create: [409] },
  shapes: {
    item: rotation.Rotation,
    page: rotation.RotationPage,
    listQuery: rotation.RotationListQuery,
    create: rotation.RotationCreate,
    update: rotation.RotationUpdate,
    patch: rotation.RotationPatch,
  },
});

const action = {
  method: 'post',
  tag: 'rotations',
  requires: 'read',
  bodyAs: 'json',
  status: 200,
  response: rotation.Rotation,
  errorStatuses: [409],
} as const;

export const START_ROTATION = operation({
  ...action,
  id: 'rotations_rotate_create',
  path: `${ITEM}rotate/`,
  summary: 'Rotate a secret now',
  description: 'Begins a rotation, or continues one that has stopped. Does nothing if one runs already.',
});

export const ABORT_ROTATION = operation({
  ...action,
  id: 'rotations_abort_create',
  path: `${ITEM}abort/`,
  summary: 'Abort a rotation',
  description:
    'A new credential that is not published is revoked. After the publication, both credentials stay valid, and the next rotation revokes the previous one first.',
});

export const DISMISS_INSTANCES = operation({
  ...action,
  id: 'rotations_dismiss_create',
  path: `${ITEM}dismiss/`,
  summary: 'Do not wait for instances or pushes',
  description:
    'The rotation revokes the previous credential although these instances have not acknowledged the new one, and although these pushes have not written it. Others still prevent it.',
  body: rotation.InstanceDismissal,
});

export const rotationOperations = operations([
  ...standardOperations(ROTATIONS),
  START_ROTATION,
  ABORT_ROTATION,
  DISMISS_INSTANCES,
]);

import { operation, operations } from './operation.ts';
import { MatrixView, MatrixViewSave, PREFERENCES_MAX, Preferences } from './preferences.ts';

const OWN = '/api/v1/users/current/';
const FAVOURITE = `${OWN}favourites/{id}/`;
const COLLAPSED = `${OWN}collapsed-environments/{id}/`;
const common = { tag: 'users', requires: 'read' } as const;

export const READ_PREFERENCES = operation({
  ...common,
  id: 'users_current_preferences_retrieve',
  method: 'get',
  path: `${OWN}preferences/`,
  summary: 'Read the recents, favourites, views and collapsed environments of the caller',
  status: 200,
  response: Preferences,
  errorStatuses: [],
});

export const RECORD_VISIT = operation({
  ...common,
  id: 'users_current_recents_update',
  method: 'put',
  path: `${OWN}recents/{id}/`,
  summary: `Add a project, an environment or a parameter to the recents of the caller, of which the last ${PREFERENCES_MAX} are stored`,
  status: 204,
  errorStatuses: [404],
});

export const ADD_FAVOURITE = operation({
  ...common,
  id: 'users_current_favourites_update',
  method: 'put',
  path: FAVOURITE,
  summary: 'Mark a project, an environment or a parameter as a favourite of the caller',
  status: 204,
  errorStatuses: [400, 404],
});

export const REMOVE_FAVOURITE = operation({
  ...common,
  id: 'users_current_favourites_destroy',
  method: 'delete',
  path: FAVOURITE,
  summary: 'Remove a favourite of the caller',
  status: 204,
  errorStatuses: [404],
});

export const SAVE_VIEW = operation({
  ...common,
  id: 'users_current_views_update',
  method: 'put',
  path: `${OWN}views/`,
  summary: 'Save a view of the matrix of a project for the caller',
  body: MatrixViewSave,
  bodyAs: 'json',
  status: 200,
  response: MatrixView,
  errorStatuses: [404],
});

export const DELETE_VIEW = operation({
  ...common,
  id: 'users_current_views_destroy',
  method: 'delete',
  path: `${OWN}views/{id}/`,
  summary: 'Delete a view of the caller',
  status: 204,
  errorStatuses: [404],
});

export const COLLAPSE_ENVIRONMENT = operation({
  ...common,
  id: 'users_current_collapsed_environments_update',
  method: 'put',
  path: COLLAPSED,
  summary: 'Hide the environments below an environment in the lists of the caller',
  status: 204,
  errorStatuses: [400, 404],
});

export const EXPAND_ENVIRONMENT = operation({
  ...common,
  id: 'users_current_collapsed_environments_destroy',
  method: 'delete',
  path: COLLAPSED,
  summary: 'Show the environments below an environment again',
  status: 204,
  errorStatuses: [404],
});

export const preferenceOperations = operations([
  READ_PREFERENCES,
  RECORD_VISIT,
  ADD_FAVOURITE,
  REMOVE_FAVOURITE,
  SAVE_VIEW,
  DELETE_VIEW,
  COLLAPSE_ENVIRONMENT,
  EXPAND_ENVIRONMENT,
]);

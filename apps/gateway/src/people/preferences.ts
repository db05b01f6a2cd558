import * as contract from '@strata/contract';
import { declareObject } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

/** The recents, favourites, views and collapsed environments of the caller. */
export const PREFERENCES_PART: SchemaPart = {
  objects: [
    declareObject({ name: 'Preferences', of: contract.Preferences }),
    declareObject({ name: 'Shortcut', of: contract.Shortcut }),
    declareObject({ name: 'MatrixView', of: contract.MatrixView }),
    declareObject({ name: 'ColumnWidth', of: contract.ColumnWidth }),
  ],
  reads: [
    {
      operation: 'users_current_preferences_retrieve',
      name: 'preferences',
      about:
        'The recents, favourites, views and collapsed environments of the caller in this organization. Only the caller can read them.',
    },
  ],
  actions: [
    {
      operation: 'users_current_recents_update',
      name: 'recordVisit',
      about: 'Adds a project, an environment or a parameter to the recents of the caller.',
    },
    {
      operation: 'users_current_favourites_update',
      name: 'addFavourite',
      about: 'Marks a project, an environment or a parameter as a favourite of the caller.',
    },
    {
      operation: 'users_current_favourites_destroy',
      name: 'removeFavourite',
      about: 'Removes a favourite of the caller.',
    },
    {
      operation: 'users_current_views_update',
      name: 'saveMatrixView',
      about: 'Saves a view of the matrix of a project for the caller, and replaces the view with the same id.',
    },
    { operation: 'users_current_views_destroy', name: 'deleteMatrixView', about: 'Deletes a view of the caller.' },
    {
      operation: 'users_current_collapsed_environments_update',
      name: 'collapseEnvironment',
      about: 'Hides the environments below an environment in the lists of the caller.',
    },
    {
      operation: 'users_current_collapsed_environments_destroy',
      name: 'expandEnvironment',
      about: 'Shows the environments below an environment again.',
    },
  ],
};

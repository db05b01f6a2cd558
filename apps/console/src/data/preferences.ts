import { queryOptions } from '@tanstack/react-query';
import { requireSaved } from '../graphql/mutation-result.ts';
import {
  AddFavourite,
  CollapseEnvironment,
  DeleteMatrixView,
  ExpandEnvironment,
  Preferences,
  type PreferencesQuery,
  RecordVisit,
  RemoveFavourite,
  SaveMatrixView,
  type SaveMatrixViewMutationVariables,
} from '../graphql/preferences.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { queryKeys } from './query-keys.ts';

export type OwnPreferences = NonNullable<PreferencesQuery['preferences']>;
/** A project, an environment or a parameter among the recents or favourites of the user. */
export type OwnShortcut = OwnPreferences['recents'][number];
/** A view of a matrix that the user has saved. */
export type SavedView = OwnPreferences['views'][number];

// There are no events about preferences, but names of objects change.
export const preferenceKeys = queryKeys('preference', { on: ['project', 'environment', 'parameter'] }, (all) => ({
  own: [...all, 'own'],
}));

const NO_PREFERENCES: OwnPreferences = { recents: [], favourites: [], views: [], collapsedEnvironmentIds: [] };

/** The query for the recents, favourites, views and collapsed environments of the user, newest first. */
export const preferencesQuery = queryOptions({
  queryKey: preferenceKeys.own,
  queryFn: async ({ signal }): Promise<OwnPreferences> =>
    (await requestGraphql(Preferences, {}, signal)).preferences ?? NO_PREFERENCES,
});

/** Adds a project, an environment or a parameter to the recents of the user. */
export async function recordVisit(id: string): Promise<void> {
  requireSaved((await requestGraphql(RecordVisit, { id })).recordVisit);
}

export async function setFavourite(id: string, isFavourite: boolean): Promise<void> {
  if (isFavourite) requireSaved((await requestGraphql(AddFavourite, { id })).addFavourite);
  else requireSaved((await requestGraphql(RemoveFavourite, { id })).removeFavourite);
}

/** Hides the environments below an environment, or shows them again. */
export async function setCollapsed(id: string, isCollapsed: boolean): Promise<void> {
  if (isCollapsed) requireSaved((await requestGraphql(CollapseEnvironment, { id })).collapseEnvironment);
  else requireSaved((await requestGraphql(ExpandEnvironment, { id })).expandEnvironment);
}

/** Saves a view. It replaces the view with the same id. */
export async function saveView(input: SaveMatrixViewMutationVariables['input']): Promise<void> {
  requireSaved((await requestGraphql(SaveMatrixView, { input })).saveMatrixView);
}

export async function deleteView(id: string): Promise<void> {
  requireSaved((await requestGraphql(DeleteMatrixView, { id })).deleteMatrixView);
}

import {
  ADD_FAVOURITE,
  COLLAPSE_ENVIRONMENT,
  DELETE_VIEW,
  EXPAND_ENVIRONMENT,
  READ_PREFERENCES,
  RECORD_VISIT,
  REMOVE_FAVOURITE,
  SAVE_VIEW,
} from '@strata/contract';
import { actionController } from '../../platform/http/action-controller.ts';
import { sendTagged } from '../../platform/http/conditional-requests.ts';
import { idFromLink, pathId } from '../../platform/http/links.ts';
import { PreferencesService } from './preferences.service.ts';

export const PreferencesController = actionController(
  'PreferencesController',
  {
    read: READ_PREFERENCES,
    recordVisit: RECORD_VISIT,
    addFavourite: ADD_FAVOURITE,
    removeFavourite: REMOVE_FAVOURITE,
    saveView: SAVE_VIEW,
    deleteView: DELETE_VIEW,
    collapse: COLLAPSE_ENVIRONMENT,
    expand: EXPAND_ENVIRONMENT,
  },
  { preferences: PreferencesService },
  ({ preferences }) => ({
    read: async ({ call, caller }) => sendTagged(call, JSON.stringify(await preferences.read(caller))),
    recordVisit: ({ caller, path }) => preferences.mark(caller, 'recent', objectIn(path)),
    addFavourite: ({ caller, path }) => preferences.mark(caller, 'favourite', objectIn(path)),
    removeFavourite: ({ caller, path }) => preferences.remove(caller, 'favourite', pathId('Favourite', path.id ?? '')),
    saveView: async ({ call, caller, input: { project, ...view } }) => {
      const savedView = await preferences.saveView(caller, {
        ...view,
        project_id: idFromLink('project', 'projects', project),
      });
      return sendTagged(call, JSON.stringify(savedView));
    },
    deleteView: ({ caller, path }) => preferences.remove(caller, 'view', pathId('View', path.id ?? '')),
    collapse: ({ caller, path }) => preferences.mark(caller, 'collapsed_environment', objectIn(path)),
    expand: ({ caller, path }) =>
      preferences.remove(caller, 'collapsed_environment', pathId('Collapsed environment', path.id ?? '')),
  }),
);

const objectIn = ({ id = '' }: Readonly<Record<string, string>>) => pathId('Object', id);

import { z } from 'zod';
import { linkIn, nameField, timeOutput, uuidOutput } from './fields.ts';
import { MATRIX_LIMITS, MatrixState } from './matrix.ts';
import { vocabulary } from './vocabulary.ts';

/** The maximum number of recents, of favourites, of views and of collapsed environments of one membership. */
export const PREFERENCES_MAX = 100;

const VIEW_LIMITS = { name: 128, width: { min: 40, max: 2_000 }, environments: MATRIX_LIMITS.environments } as const;

const SHORTCUT_TYPES = ['project', 'environment', 'parameter'] as const;

/** An object that the caller visited or marked. */
export const Shortcut = z
  .object({
    id: uuidOutput.meta({ description: 'Id of the object.' }),
    type: vocabulary(SHORTCUT_TYPES, {
      name: 'ShortcutType',
      description: 'The types of objects that can be recents and favourites.',
      meaning: (type) => `${type === 'environment' ? 'An' : 'A'} ${type}.`,
    }).meta({ description: 'Type of the object.' }),
    name: z.string().meta({ description: 'Name of the object.' }),
    project_id: uuidOutput.nullable().meta({ description: 'For a parameter: id of its project.' }),
    project_name: z.string().nullable().meta({ description: 'For a parameter: name of its project.' }),
    at: timeOutput.meta({ description: 'When the caller visited it last, or marked it.' }),
  })
  .meta({ id: 'Shortcut', description: 'An object that the caller visited recently or marked as a favourite.' });
export type Shortcut = z.infer<typeof Shortcut>;

const uuidIn = z.uuid('This is not a valid UUID.').toLowerCase();
const environmentIds = z.array(uuidOutput);
const environmentIdsIn = z.array(uuidIn).max(VIEW_LIMITS.environments);

const ABOUT = {
  name: 'Name of the view.',
  environments:
    'Ids of the visible environments, in the order of the columns; empty for the default: all that are not below a collapsed one.',
  pinned: 'Ids of the environments whose columns stay visible.',
  widths: 'The columns with a width of their own.',
  environment: 'Id of the environment.',
  width: 'Width of the column in pixels.',
  state: 'Only parameters in this state; null for all.',
  sorted: 'Id of the environment by whose values the rows are sorted; null for the order by name.',
  descending: 'Whether the order of the rows is reversed.',
  grouped: 'Whether the rows are grouped by the prefixes of their names, if they are sorted by name.',
} as const;

export const ColumnWidth = z
  .object({
    environment_id: uuidOutput.meta({ description: ABOUT.environment }),
    width: z.int().meta({ description: ABOUT.width }),
  })
  .meta({ id: 'ColumnWidth', description: 'The width of a column of a matrix.' });

const saved = {
  id: uuidOutput.meta({ description: 'Id of the object.' }),
  name: z.string().meta({ description: ABOUT.name }),
  environment_ids: environmentIds.meta({ description: ABOUT.environments }),
  pinned_ids: environmentIds.meta({ description: ABOUT.pinned }),
  widths: z.array(ColumnWidth).meta({ description: ABOUT.widths }),
  state: MatrixState.nullable().meta({ description: ABOUT.state }),
  sorted_by_id: uuidOutput.nullable().meta({ description: ABOUT.sorted }),
  descending: z.boolean().meta({ description: ABOUT.descending }),
  grouped: z.boolean().meta({ description: ABOUT.grouped }),
};

export const MatrixView = z
  .object({ ...saved, project_id: uuidOutput.meta({ description: 'Id of the project.' }) })
  .meta({ id: 'MatrixView', description: 'A view of the matrix of a project that the caller has saved.' });
export type MatrixView = z.infer<typeof MatrixView>;

const ColumnWidthSave = z
  .object({
    environment_id: uuidIn.meta({ description: ABOUT.environment }),
    width: z.int().min(VIEW_LIMITS.width.min).max(VIEW_LIMITS.width.max).meta({ description: ABOUT.width }),
  })
  .meta({ id: 'ColumnWidthSave', description: 'The width of a column to save.' });

/**
 * Saves a view. It contains ids, choices and numbers besides its own name, and no search text, so that no value of a
 * parameter is stored outside of the encrypted values.
 */
export const MatrixViewSave = z
  .object({
    id: uuidIn.meta({
      description: 'Id of the view, which the client chooses. A view with this id is replaced.',
    }),
    project: linkIn.meta({ description: 'URL or id of the project.' }),
    name: nameField(VIEW_LIMITS.name).meta({ description: ABOUT.name }),
    environment_ids: environmentIdsIn.default([]).meta({ description: ABOUT.environments }),
    pinned_ids: environmentIdsIn.default([]).meta({ description: ABOUT.pinned }),
    widths: z.array(ColumnWidthSave).max(VIEW_LIMITS.environments).default([]).meta({ description: ABOUT.widths }),
    state: MatrixState.nullable().default(null).meta({ description: ABOUT.state }),
    sorted_by_id: uuidIn.nullable().default(null).meta({ description: ABOUT.sorted }),
    descending: z.boolean().default(false).meta({ description: ABOUT.descending }),
    grouped: z.boolean().default(false).meta({ description: ABOUT.grouped }),
  })
  .meta({ id: 'MatrixViewSave' });
export type MatrixViewSave = z.infer<typeof MatrixViewSave>;

export const Preferences = z
  .object({
    recents: z.array(Shortcut).meta({ description: 'The objects that the caller visited last, newest first.' }),
    favourites: z.array(Shortcut).meta({ description: 'The objects that the caller marked, newest first.' }),
    views: z.array(MatrixView).meta({ description: 'The views that the caller saved, newest first.' }),
    collapsed_environment_ids: z.array(uuidOutput).meta({
      description:
        'Ids of the environments that the caller collapsed, newest first. Lists of environments hide the environments below them.',
    }),
  })
  .meta({
    id: 'Preferences',
    description: `The recents, favourites, views and collapsed environments of the caller in this organization, at most ${PREFERENCES_MAX} each. Only the caller can read them.`,
  });
export type Preferences = z.infer<typeof Preferences>;

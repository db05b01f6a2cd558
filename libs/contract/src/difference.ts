import { PROMOTION_ACTIONS } from '@strata/domain';
import { z } from 'zod';
import { uuidOutput } from './fields.ts';
import { MatrixCell, MatrixEnvironment, namedParameter, parameterFilters } from './matrix.ts';
import { pageSchema } from './page.ts';
import { countParameter, instantParameter, PageQuery, textParameter } from './query.ts';
import { vocabulary } from './vocabulary.ts';

const MEANINGS = {
  set: 'Set this text.',
  copy_secret: 'Copy the encrypted value of the left side. It does not have to be revealed.',
  unset: 'Delete the value that is set on the right.',
  nothing: 'Nothing to do: both sides have this text. `reason` explains the difference.',
  impossible: 'No value on the right can produce this text. `reason` explains why.',
} as const;

const ToSetAction = vocabulary(PROMOTION_ACTIONS, {
  name: 'ToSetAction',
  description: 'The change that is needed on the right side.',
  meaning: (action) => MEANINGS[action],
}).meta({ id: 'ToSetActionEnum' });

/** The change that gives the right side the effective value of the left side. */
export const DifferenceToSet = z
  .object({
    action: ToSetAction.meta({ description: 'The action to take.' }),
    text: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'For `set`: the stored text; null is an explicit null.' }),
    interpolated: z.boolean().optional().meta({ description: 'For `set`: whether the text is evaluated.' }),
    parameter_id: uuidOutput.optional().meta({
      description:
        'The parameter of the right project to set the value on. Absent if the project has no such parameter: create it first.',
    }),
    value_id: uuidOutput.optional().meta({ description: 'The value that is already set there.' }),
    ledger_id: uuidOutput.optional().meta({ description: 'The version of that value, to send as `If-Match`.' }),
    reason: z
      .string()
      .optional()
      .meta({ description: 'The reason why there is nothing to set, or why it cannot be set there.' }),
  })
  .meta({
    id: 'DifferenceToSet',
    description: 'The change that gives the right side the effective value of the left side.',
  });
export type DifferenceToSet = z.infer<typeof DifferenceToSet>;

export const DifferenceCell = z
  .object({
    column: z.int().meta({ description: 'Index in `columns`, from 0.' }),
    left: MatrixCell.meta({ description: 'The effective value on the left.' }),
    right: MatrixCell.meta({ description: 'The effective value on the right.' }),
    to_set: DifferenceToSet.optional().meta({
      description:
        'The change that a promotion from left to right makes; absent if the right side is not the current state.',
    }),
  })
  .meta({ id: 'DifferenceCell', description: 'The difference of one parameter between two environments.' });
export type DifferenceCell = z.infer<typeof DifferenceCell>;

export const DifferenceParameter = z
  .object(namedParameter)
  .meta({ id: 'DifferenceParameter', description: 'The parameter with this name on one side.' });

export const Difference = z
  .object({
    name: z.string().meta({ description: 'The name.' }),
    left: DifferenceParameter.nullable().meta({ description: 'The parameter on the left; null if there is none.' }),
    right: DifferenceParameter.nullable().meta({ description: 'The parameter on the right; null if there is none.' }),
    cells: z.array(DifferenceCell).meta({ description: 'The columns that differ.' }),
  })
  .meta({ id: 'Difference', description: 'A parameter name whose effective values differ between the two sides.' });
export type Difference = z.infer<typeof Difference>;

export const DifferenceColumn = z
  .object({
    left: MatrixEnvironment.nullable().meta({ description: 'Null if it does not exist on this side.' }),
    right: MatrixEnvironment.nullable().meta({ description: 'Null if it does not exist on this side.' }),
  })
  .meta({ id: 'DifferenceColumn', description: 'The two environments of a comparison.' });
export type DifferenceColumn = z.infer<typeof DifferenceColumn>;

export const DifferenceSide = z
  .object({
    project_id: uuidOutput.meta({ description: 'The project.' }),
    project_name: z.string().meta({ description: 'Name of the project.' }),
    revision: z.int().nullable().meta({ description: 'The revision that was read; null for the current state.' }),
  })
  .meta({ id: 'DifferenceSide', description: 'One side of a comparison.' });
export type DifferenceSide = z.infer<typeof DifferenceSide>;

export const Differences = z
  .object({
    ...pageSchema(Difference, 'DifferencePage').shape,
    left: DifferenceSide.meta({ description: 'The left side.' }),
    right: DifferenceSide.meta({ description: 'The right side.' }),
    columns: z.array(DifferenceColumn).meta({ description: 'The environments that are compared.' }),
  })
  .meta({ id: 'Differences', description: 'The differences between two environments, points in time or projects.' });
export type Differences = z.infer<typeof Differences>;

const sideEnvironment = (side: string) =>
  textParameter(`Name or id of the environment on the ${side}; defaults to that of the other side.`);
const sideProject = (side: string) =>
  textParameter(`Name or id of the project on the ${side}; defaults to the one in the path.`);
const sideInstant = (side: string) =>
  instantParameter(`State of the ${side} side at this time (inclusive, microseconds).`);
const sideTag = (side: string) =>
  textParameter(`State of the ${side} side at the time of this tag of its environment.`);
const sideRevision = (side: string) =>
  countParameter(0, Number.MAX_SAFE_INTEGER, `State of the ${side} side after this revision.`).optional();

/**
 * Each side has an environment, a project and a point in time. Without environments, each environment is compared with
 * itself.
 */
export const DifferencesQuery = PageQuery.extend({
  left: sideEnvironment('left'),
  left_project: sideProject('left'),
  left_as_of: sideInstant('left'),
  left_tag: sideTag('left'),
  left_revision: sideRevision('left'),
  right: sideEnvironment('right'),
  right_project: sideProject('right'),
  right_as_of: sideInstant('right'),
  right_tag: sideTag('right'),
  right_revision: sideRevision('right'),
  ...parameterFilters,
});
export type DifferencesQuery = z.infer<typeof DifferencesQuery>;

import { TO_SET_ACTIONS } from '@strata/domain';
import { z } from 'zod';
import { uuidOut } from './fields.ts';
import { MatrixCell, MatrixEnvironment, namedParameter, parameterFilters } from './matrix.ts';
import { pageOf } from './page.ts';
import { countParameter, instantParameter, PageQuery, textParameter } from './query.ts';
import { vocabulary } from './vocabulary.ts';

const MEANINGS = {
  set: 'This text is to be set.',
  copy_secret: 'The sealed text of the left is to be set; nobody has to see it.',
  unset: 'The value that is set there is to be taken away.',
  nothing: 'Both have this text; `reason` says why they differ.',
  impossible: 'Nothing that is set there would do; `reason` says why.',
} as const;

const ToSetAction = vocabulary(TO_SET_ACTIONS, {
  name: 'ToSetAction',
  description: 'What has to be done on the right.',
  meaning: (action) => MEANINGS[action],
}).meta({ id: 'ToSetActionEnum' });

/** What would have to be set on the right so that it reads as the left does. */
export const DifferenceToSet = z
  .object({
    action: ToSetAction.meta({ description: 'What is to be done.' }),
    text: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Of `set`: the text as it is stored; null: an explicit null.' }),
    interpolated: z.boolean().optional().meta({ description: 'Of `set`: whether the text is one to evaluate.' }),
    parameter_id: uuidOut.optional().meta({
      description:
        'The parameter of the right project to set it on. Absent: the project has none of this name, make it first.',
    }),
    value_id: uuidOut.optional().meta({ description: 'The value that is set there already.' }),
    ledger_id: uuidOut.optional().meta({ description: 'The version of that value, for `If-Match`.' }),
    reason: z.string().optional().meta({ description: 'Why there is nothing to set, or why it cannot be done there.' }),
  })
  .meta({
    id: 'DifferenceToSet',
    description: 'What would have to be set on the right so that it reads as the left does.',
  });
export type DifferenceToSet = z.infer<typeof DifferenceToSet>;

export const DifferenceCell = z
  .object({
    column: z.int().meta({ description: 'Which of `columns`, counted from 0.' }),
    left: MatrixCell.meta({ description: 'What applies on the left.' }),
    right: MatrixCell.meta({ description: 'What applies on the right.' }),
    to_set: DifferenceToSet.optional().meta({
      description: 'What a promotion from left to right has to do; absent when the right is not the present.',
    }),
  })
  .meta({ id: 'DifferenceCell', description: 'A difference of one name between two environments.' });
export type DifferenceCell = z.infer<typeof DifferenceCell>;

export const DifferenceParameter = z
  .object(namedParameter)
  .meta({ id: 'DifferenceParameter', description: 'The parameter that one side shows under a name.' });

export const Difference = z
  .object({
    name: z.string().meta({ description: 'The name.' }),
    left: DifferenceParameter.nullable().meta({ description: 'The parameter of the left; null when it has none.' }),
    right: DifferenceParameter.nullable().meta({ description: 'The parameter of the right; null when it has none.' }),
    cells: z.array(DifferenceCell).meta({ description: 'The columns in which another text or state applies.' }),
  })
  .meta({ id: 'Difference', description: 'A name that reads differently on two sides.' });
export type Difference = z.infer<typeof Difference>;

export const DifferenceColumn = z
  .object({
    left: MatrixEnvironment.nullable().meta({ description: 'Null when it was not there on this side.' }),
    right: MatrixEnvironment.nullable().meta({ description: 'Null when it was not there on this side.' }),
  })
  .meta({ id: 'DifferenceColumn', description: 'Two environments that are compared.' });
export type DifferenceColumn = z.infer<typeof DifferenceColumn>;

export const DifferenceSide = z
  .object({
    project_id: uuidOut.meta({ description: 'The project.' }),
    project_name: z.string().meta({ description: 'Its name.' }),
    revision: z.int().nullable().meta({ description: 'The revision that was read; null: the present.' }),
  })
  .meta({ id: 'DifferenceSide', description: 'What is compared.' });
export type DifferenceSide = z.infer<typeof DifferenceSide>;

export const Differences = z
  .object({
    ...pageOf(Difference, 'DifferencePage').shape,
    left: DifferenceSide.meta({ description: 'The left side.' }),
    right: DifferenceSide.meta({ description: 'The right side.' }),
    columns: z.array(DifferenceColumn).meta({ description: 'The environments that are compared.' }),
  })
  .meta({ id: 'Differences', description: 'What differs between two environments, points in time or projects.' });
export type Differences = z.infer<typeof Differences>;

const environmentOf = (which: string) =>
  textParameter(`Name or id of the environment on the ${which}; that of the other side when left out.`);
const projectOf = (which: string) =>
  textParameter(`Name or id of the project on the ${which}; the one in the path when left out.`);
const instantOf = (which: string) =>
  instantParameter(`The ${which} as it was at this instant (inclusive, microseconds).`);
const tagOf = (which: string) => textParameter(`The ${which} as it was at the instant of this tag of its environment.`);
const revisionOf = (which: string) =>
  countParameter(0, Number.MAX_SAFE_INTEGER, `The ${which} as it was after this revision.`).optional();

/** Two sides: each an environment (of both: all, each with itself), a project and a point in time. */
export const DifferencesQuery = PageQuery.extend({
  left: environmentOf('left'),
  left_project: projectOf('left'),
  left_as_of: instantOf('left'),
  left_tag: tagOf('left'),
  left_revision: revisionOf('left'),
  right: environmentOf('right'),
  right_project: projectOf('right'),
  right_as_of: instantOf('right'),
  right_tag: tagOf('right'),
  right_revision: revisionOf('right'),
  ...parameterFilters,
});
export type DifferencesQuery = z.infer<typeof DifferencesQuery>;

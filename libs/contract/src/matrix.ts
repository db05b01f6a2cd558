import { CELL_STATES, MATRIX_STATES } from '@strata/domain';
import { z } from 'zod';
import { timeOut, uuidOut } from './fields.ts';
import { pageOf } from './page.ts';
import {
  choicesParameter,
  flagParameter,
  momentParameters,
  moreNameFilters,
  PageQuery,
  repeatedParameter,
  textParameter,
} from './query.ts';
import { vocabulary } from './vocabulary.ts';

/** What one answer may hold: it protects the process, and whoever has to draw it. */
export const MATRIX_LIMITS = { environments: 200, cells: 250_000 } as const;
const { environments: environmentsMax, cells: cellsMax } = MATRIX_LIMITS;

const MEANINGS = {
  own: 'Set in this environment, on a parameter of this very project.',
  inherited: 'Set further up: in a parent environment, or in a project that this one depends on.',
  missing: 'Nothing applies.',
  null: 'An explicit null applies.',
  secret: 'The text must not be shown.',
  dynamic: 'The text is evaluated here.',
  differs: 'Another text or state than in the parent environment.',
  redundant: 'What is set says what would apply without it.',
  closed: 'The environment is closed to you, and nothing is told of it.',
} as const;

const MatrixState = vocabulary(MATRIX_STATES, {
  name: 'MatrixState',
  description: 'What a name may be in some environment.',
  meaning: (state) => MEANINGS[state],
});

const MatrixCellState = vocabulary(CELL_STATES, {
  name: 'MatrixCellState',
  description: 'What can be said of a name in one environment.',
  meaning: (state) => MEANINGS[state],
}).meta({ id: 'MatrixCellState' });

/** One name in one environment. What is not there is left out: members that are absent say nothing. */
export const MatrixCell = z
  .object({
    states: z.array(MatrixCellState).meta({
      description:
        'Everything that can be said of it; where it comes from, or that it is missing or closed, is said first.',
    }),
    text: z.string().nullable().optional().meta({
      description:
        'The text that applies, evaluated; `*****` for a secret, null for an explicit null. Absent without a value, and for a text that cannot be evaluated.',
    }),
    raw: z.string().optional().meta({ description: 'Of a dynamic value: the text as it is stored.' }),
    problem: z.string().optional().meta({ description: 'Why the text cannot be evaluated here.' }),
    environment_name: z
      .string()
      .optional()
      .meta({ description: 'The environment that the value is set in, unless it is this one.' }),
    project_name: z
      .string()
      .optional()
      .meta({ description: 'The project that the value is set in, unless it is the one that was asked.' }),
    value_id: uuidOut.optional().meta({ description: 'Of an own value: its id.' }),
    ledger_id: uuidOut
      .optional()
      .meta({ description: 'Of an own value: changes with every modification; `If-Match` takes it.' }),
    expires_at: timeOut.optional().meta({ description: 'When the value expires, or expired.' }),
  })
  .meta({ id: 'MatrixCell', description: 'What applies to one name in one environment, and where it comes from.' });
export type MatrixCell = z.infer<typeof MatrixCell>;

/** The parameter that a project shows under a name. */
export const namedParameter = {
  name: z.string().meta({ description: 'The name.' }),
  parameter_id: uuidOut.meta({ description: 'The parameter that the project shows under this name.' }),
  project_id: uuidOut.meta({ description: 'The project that owns it.' }),
  project_name: z.string().meta({ description: 'Name of the project that owns it.' }),
  type: z.string().meta({ description: 'Name of its type.' }),
  description: z.string().meta({ description: 'What it is for; may be empty.' }),
  secret: z.boolean().meta({ description: 'Whether its values must not be shown.' }),
  expires: z.string().nullable().meta({ description: 'How long its values last after their last change.' }),
};

export const MatrixName = z
  .object({
    ...namedParameter,
    cells: z.array(MatrixCell).meta({ description: 'One for each of `environments`, in their order.' }),
  })
  .meta({ id: 'MatrixName', description: 'One name of a project in all environments that were asked for.' });
export type MatrixName = z.infer<typeof MatrixName>;

export const MatrixEnvironment = z
  .object({
    id: uuidOut.meta({ description: 'Its id.' }),
    name: z.string().meta({ description: 'Its name.' }),
    parent_id: uuidOut.nullable().meta({ description: 'Id of its parent; null for the root.' }),
    closed: z.boolean().meta({ description: 'Whether it is closed to you: then all its cells are.' }),
  })
  .meta({ id: 'MatrixEnvironment', description: 'A column of a matrix.' });
export type MatrixEnvironment = z.infer<typeof MatrixEnvironment>;

export const Matrix = z
  .object({
    ...pageOf(MatrixName, 'MatrixPage').shape,
    environments: z.array(MatrixEnvironment).meta({
      description: 'The columns: in the order of the question, else parents before their children.',
    }),
  })
  .meta({ id: 'Matrix', description: 'What a project shows: names down, environments across.' });
export type Matrix = z.infer<typeof Matrix>;

export const parameterFilters = {
  ...moreNameFilters,
  secret: flagParameter('Only secret, or only other, parameters.').optional(),
  immediate_parameters: flagParameter('Only parameters of this project itself.').default(false),
};

export const MatrixQuery = PageQuery.extend({
  ...momentParameters,
  environment: repeatedParameter(
    environmentsMax,
    `Name or id of an environment; given once for each, at most ${environmentsMax} times. All when left out; at most ${cellsMax} cells on a page.`,
  ).optional(),
  ...parameterFilters,
  q: textParameter(
    'Only names that say this, or that show it as a text in some environment that is shown; letter case ignored. Secrets are not searched.',
  ),
  state: choicesParameter(
    MatrixState,
    `Only names that are in one of these states in some environment that is shown: ${MATRIX_STATES.join(', ')}.`,
  ),
});
export type MatrixQuery = z.infer<typeof MatrixQuery>;

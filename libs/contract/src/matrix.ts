import { CELL_STATES, MATRIX_STATES } from '@strata/domain';
import { z } from 'zod';
import { candidateState } from './explanation.ts';
import { timeOutput, uuidOutput } from './fields.ts';
import { pageSchema } from './page.ts';
import {
  booleanParameter,
  choicesParameter,
  nameAndDescriptionFilters,
  PageQuery,
  pointInTimeParameters,
  repeatedParameter,
  textParameter,
} from './query.ts';
import { vocabulary } from './vocabulary.ts';

/** The limits of one response. They protect the process and the client that renders it. */
export const MATRIX_LIMITS = { environments: 200, cells: 250_000, groups: 20_000 } as const;
const { environments: environmentsMax, cells: cellsMax, groups: groupsMax } = MATRIX_LIMITS;

const MEANINGS = {
  own: "Set in this environment, on the project's own parameter.",
  inherited: 'Set in a parent environment, or in a project that this one depends on.',
  missing: 'There is no effective value.',
  null: 'The effective value is an explicit null.',
  secret: 'The value is secret.',
  dynamic: 'The text is evaluated (dynamic).',
  differs: 'The text or state differs from the parent environment.',
  redundant: 'The value equals the one that would be inherited without it.',
  closed: 'You cannot access the environment, so nothing about it is returned.',
} as const;

export const MatrixState = vocabulary(MATRIX_STATES, {
  name: 'MatrixState',
  description: 'The states by which a matrix can be filtered.',
  meaning: (state) => MEANINGS[state],
});

const MatrixCellState = vocabulary(CELL_STATES, {
  name: 'MatrixCellState',
  description: 'The states of one cell of a matrix.',
  meaning: (state) => MEANINGS[state],
}).meta({ id: 'MatrixCellState' });

const sourceOfCell = {
  environment_name: z
    .string()
    .optional()
    .meta({ description: 'The environment that the value is set in, if it is another one.' }),
  project_name: z
    .string()
    .optional()
    .meta({ description: 'The project that the value is set in, if it is not the requested one.' }),
};

export const MatrixNext = z
  .object({
    state: candidateState.meta({ description: 'The content of the next cell in order of precedence.' }),
    text: z.string().optional().meta({ description: 'The text, unless it is secret or dynamic.' }),
    ...sourceOfCell,
  })
  .meta({ id: 'MatrixNext', description: 'The value that a cell would inherit if its own value were removed.' });
export type MatrixNext = z.infer<typeof MatrixNext>;

/** One parameter in one environment. Members that have no value are absent. */
export const MatrixCell = z
  .object({
    states: z.array(MatrixCellState).meta({
      description:
        'All states of the cell. The first one is the origin of the value, or that it is missing or forbidden.',
    }),
    text: z.string().nullable().optional().meta({
      description:
        'The effective text, evaluated; `*****` for a secret, null for an explicit null. Absent if there is no value or the text cannot be evaluated.',
    }),
    raw: z.string().optional().meta({ description: 'For a dynamic value: the stored text.' }),
    problem: z
      .string()
      .optional()
      .meta({ description: 'The reason why the text cannot be evaluated in this environment.' }),
    ...sourceOfCell,
    value_id: uuidOutput.optional().meta({ description: 'Id of the value, if it is set in this cell.' }),
    ledger_id: uuidOutput
      .optional()
      .meta({ description: 'Version of the value, if it is set in this cell. Send it as `If-Match`.' }),
    expires_at: timeOutput.optional().meta({ description: 'When the value expires or has expired.' }),
    next: MatrixNext.optional().meta({
      description: 'What the cell would inherit without its value, if the value is set in this cell.',
    }),
  })
  .meta({
    id: 'MatrixCell',
    description: 'The effective value of one parameter in one environment, and where it is set.',
  });
export type MatrixCell = z.infer<typeof MatrixCell>;

/** A parameter that a project owns or inherits. */
export const namedParameter = {
  name: z.string().meta({ description: 'The name.' }),
  parameter_id: uuidOutput.meta({ description: 'The parameter with this name, as the project shows it.' }),
  project_id: uuidOutput.meta({ description: 'The project that owns it.' }),
  project_name: z.string().meta({ description: 'Name of the project that owns it.' }),
  type: z.string().meta({ description: 'Name of the type.' }),
  description: z.string().meta({ description: 'Description; may be empty.' }),
  secret: z.boolean().meta({ description: 'Whether its values are secret.' }),
  expires: z.string().nullable().meta({ description: 'Time after their last change at which its values expire.' }),
};

export const MatrixName = z
  .object({
    ...namedParameter,
    cells: z.array(MatrixCell).meta({ description: 'One cell for each of `environments`, in the same order.' }),
  })
  .meta({ id: 'MatrixName', description: 'One parameter of a project in all requested environments.' });
export type MatrixName = z.infer<typeof MatrixName>;

export const MatrixEnvironment = z
  .object({
    id: uuidOutput.meta({ description: 'Id of the object.' }),
    name: z.string().meta({ description: 'Name of the environment.' }),
    parent_id: uuidOutput.nullable().meta({ description: 'Id of the parent environment; null for the root.' }),
    closed: z
      .boolean()
      .meta({ description: 'Whether you cannot access the environment. If so, all its cells are forbidden.' }),
  })
  .meta({ id: 'MatrixEnvironment', description: 'A column of a matrix.' });
export type MatrixEnvironment = z.infer<typeof MatrixEnvironment>;

export const MatrixGroup = z
  .object({
    prefix: z.string().nullable().meta({
      description:
        'The text before the first separator (`. / _ - :`) of the names; null for names that share their prefix with no neighbour.',
    }),
    count: z.int().meta({ description: 'The number of consecutive names.' }),
  })
  .meta({ id: 'MatrixGroup', description: 'Consecutive names of a matrix with the same prefix.' });

export const Matrix = z
  .object({
    ...pageSchema(MatrixName, 'MatrixPage').shape,
    environments: z.array(MatrixEnvironment).meta({
      description: 'The columns, in the requested order; by default parents before their children.',
    }),
    groups: z
      .array(MatrixGroup)
      .optional()
      .meta({
        description: `With \`ordering=prefix\`: the groups of all names, in their order; otherwise absent. More than ${groupsMax} return 400.`,
      }),
  })
  .meta({
    id: 'Matrix',
    description: 'A matrix of the parameters of a project: one row per name, one column per environment.',
  });
export type Matrix = z.infer<typeof Matrix>;

export const parameterFilters = {
  ...nameAndDescriptionFilters,
  secret: booleanParameter('true returns only secret parameters, false only others.').optional(),
  immediate_parameters: booleanParameter("Only the project's own parameters, without inherited ones.").default(false),
};

export const MatrixQuery = PageQuery.extend({
  ...pointInTimeParameters,
  environment: repeatedParameter(
    environmentsMax,
    `Name or id of an environment. Repeat the parameter for several, at most ${environmentsMax} times; default all. A page has at most ${cellsMax} cells.`,
  ).optional(),
  ...parameterFilters,
  q: textParameter(
    'Only parameters whose name, or whose text in a shown environment, contains this text, ignoring case. Secret values are never searched.',
  ),
  order_environment: textParameter(
    'With `ordering=value`: name or id of the environment by whose effective texts the parameters are sorted, numbers by size. Secrets and cells without a text come last, also in descending order.',
  ),
  state: choicesParameter(
    MatrixState,
    `Only parameters that are in one of these states in a shown environment: ${MATRIX_STATES.join(', ')}.`,
  ),
});
export type MatrixQuery = z.infer<typeof MatrixQuery>;

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
} from './query.ts';

/** What one answer may hold: it protects the process, and whoever has to draw it. */
export const MATRIX_LIMITS = { environments: 200, cells: 250_000 } as const;
const { environments: environmentsMax, cells: cellsMax } = MATRIX_LIMITS;

const ABOUT_STATES = [
  '`own` (set in this environment on a parameter of this project), `inherited` or `missing` comes first;',
  '`null`: an explicit null applies; `secret`: the text must not be shown; `dynamic`: it is evaluated here;',
  '`differs`: another text or state than in the parent environment;',
  '`redundant`: what is set says no more than what would be inherited without it;',
  '`closed`: the environment is closed to you, and nothing is told of it.',
].join(' ');

/** One name in one environment. What is not there is left out: members that are absent say nothing. */
export const MatrixCell = z
  .object({
    states: z.array(z.enum(CELL_STATES)).meta({ description: ABOUT_STATES }),
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
  state: choicesParameter(
    MATRIX_STATES,
    `Only names that are in one of these states in some environment that is shown: ${MATRIX_STATES.join(', ')}.`,
  ),
});
export type MatrixQuery = z.infer<typeof MatrixQuery>;

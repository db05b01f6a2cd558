import { Differences, DifferencesQuery } from './difference.ts';
import { Matrix, MatrixQuery } from './matrix.ts';
import { type Operation, operation } from './operation.ts';

const PROJECT = '/api/v1/projects/{project_pk}';
const reading = { method: 'get', tag: 'projects', requires: 'read', status: 200, conditional: true } as const;

export const MATRIX = operation({
  ...reading,
  id: 'projects_matrix_list',
  path: `${PROJECT}/matrix/`,
  summary: 'Read all names of a project in many environments at once',
  description:
    'For screens and reviews: what applies in each environment, where it comes from, and what can be said of it. No secret text is shown. A text that cannot be evaluated says so in its own cell.',
  query: MatrixQuery,
  response: Matrix,
  refusals: [404],
  sortedBy: ['name', 'parameter_id'],
});

export const DIFFERENCES = operation({
  ...reading,
  id: 'projects_compare_list',
  path: `${PROJECT}/compare/`,
  summary: 'Compare two environments, points in time or projects',
  description:
    'Only names that read differently, with what would have to be set on the right so that it reads as the left does. Secrets are not compared by their texts: different ones count as different.',
  query: DifferencesQuery,
  response: Differences,
  refusals: [404],
  sortedBy: ['name'],
});

/** Many names in many environments, for people who look at them. */
export const matrix: readonly Operation[] = [MATRIX, DIFFERENCES];

import { Differences, DifferencesQuery } from './difference.ts';
import { Matrix, MatrixQuery } from './matrix.ts';
import { operation, operations } from './operation.ts';

const PROJECT = '/api/v1/projects/{project_pk}';
const reading = { method: 'get', tag: 'projects', requires: 'read', status: 200, conditional: true } as const;

export const MATRIX = operation({
  ...reading,
  id: 'projects_matrix_list',
  path: `${PROJECT}/matrix/`,
  summary: 'Read all parameters of a project in several environments',
  description:
    'Returns the effective value of each parameter in each environment, where it is set, and its states. Secret values are never shown. If a text cannot be evaluated, its cell contains the reason.',
  query: MatrixQuery,
  response: Matrix,
  errorStatuses: [404],
  sortedBy: ['name', 'parameter_id'],
});

export const DIFFERENCES = operation({
  ...reading,
  id: 'projects_compare_list',
  path: `${PROJECT}/compare/`,
  summary: 'Compare two environments, points in time or projects',
  description:
    'Returns only parameters whose effective values differ, with the change that gives the right side the value of the left side. Secrets are not compared by their texts: two different secret values always count as different.',
  query: DifferencesQuery,
  response: Differences,
  errorStatuses: [404],
  sortedBy: ['name'],
});

export const matrixOperations = operations([MATRIX, DIFFERENCES]);

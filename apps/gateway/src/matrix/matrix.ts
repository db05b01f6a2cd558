import * as contract from '@strata/contract';
import { declareObject } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

/** The fields that identify the parameter of a row. */
interface NamedRow {
  readonly project_id: string;
  readonly parameter_id: string;
}

const OF_A_NAME = [
  { name: 'project', to: 'Project', about: 'The project that owns it.', ids: (row: NamedRow) => [row.project_id] },
  {
    name: 'parameter',
    to: 'Parameter',
    about: 'The parameter with this name, as the project shows it.',
    ids: (row: NamedRow) => [row.project_id, row.parameter_id],
  },
] as const;

export const MATRIX_PART: SchemaPart = {
  objects: [
    declareObject({ name: 'MatrixName', of: contract.MatrixName, linked: OF_A_NAME }),
    declareObject({ name: 'MatrixCell', of: contract.MatrixCell }),
    declareObject({ name: 'MatrixNext', of: contract.MatrixNext }),
    declareObject({
      name: 'MatrixEnvironment',
      of: contract.MatrixEnvironment,
      linked: [{ name: 'environment', to: 'Environment', about: 'The environment.', ids: (row) => [row.id] }],
    }),
    declareObject({ name: 'MatrixGroup', of: contract.MatrixGroup }),
    declareObject({ name: 'Difference', of: contract.Difference }),
    declareObject({ name: 'DifferenceParameter', of: contract.DifferenceParameter, linked: OF_A_NAME }),
    declareObject({ name: 'DifferenceCell', of: contract.DifferenceCell }),
    declareObject({ name: 'DifferenceToSet', of: contract.DifferenceToSet }),
    declareObject({ name: 'DifferenceColumn', of: contract.DifferenceColumn }),
    declareObject({
      name: 'DifferenceSide',
      of: contract.DifferenceSide,
      linked: [{ name: 'project', to: 'Project', about: 'The project.', ids: (row) => [row.project_id] }],
    }),
  ],
  lists: [
    {
      operation: 'projects_matrix_list',
      of: 'MatrixName',
      many: 'matrix',
      under: 'Project',
      enterable: true,
      about: 'Its parameters in several environments, sorted by name. Secret values are never shown.',
    },
    {
      operation: 'projects_compare_list',
      of: 'Difference',
      many: 'differences',
      under: 'Project',
      about:
        'The differences between two environments, points in time or projects, sorted by name, with the changes that the right side needs.',
    },
  ],
};

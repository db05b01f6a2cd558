import * as contract from '@strata/contract';
import { oneOf } from '../schema/member.ts';
import { object } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

/** The trees of a backup are maps by name, of any depth: kept as they are, so that they can be handed back whole. */
const asInRest = { kind: { is: 'json' } } as const;

export const TRANSFER: SchemaPart = {
  objects: [
    object({
      name: 'ImportedParameter',
      of: contract.ImportParameter,
      members: { action: { kind: oneOf(contract.ImportAction) } },
      linked: [
        { name: 'project', to: 'Project', about: 'The project.', ids: (row) => [row.project_id] },
        { name: 'environment', to: 'Environment', about: 'The environment.', ids: (row) => [row.environment_id] },
        {
          name: 'parameter',
          to: 'Parameter',
          about: 'The parameter.',
          ids: (row) => [row.project_id, row.parameter_id],
        },
      ],
    }),
    object({ name: 'Import', of: contract.ImportResponse, members: { parameter: { as: 'parameters' } } }),
    object({
      name: 'BackupSnapshot',
      of: contract.BackupSnapshot,
      members: { environments: asInRest, types: asInRest, projects: asInRest },
    }),
    object({ name: 'GeneratedPassword', of: contract.GeneratedPassword }),
    object({ name: 'Features', of: contract.Features }),
  ],
  actions: [
    {
      operation: 'import_create',
      name: 'importParameters',
      about:
        'Imports parameters from dotenv text, all or nothing. With `preview` the answer is the same and nothing is stored.',
    },
    {
      operation: 'backup_snapshot_create',
      name: 'backupSnapshot',
      about: 'Reads everything at once, keyed by names; secrets in clear text.',
    },
    { operation: 'utils_generate_password_create', name: 'generatePassword', about: 'Makes up a password.' },
  ],
  reads: [{ operation: 'features_retrieve', name: 'features', about: 'What this installation can do.' }],
};

import * as contract from '@strata/contract';
import { enumKind } from '../schema/member.ts';
import { declareObject } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

/** The nested maps of a backup are passed through unchanged, so that a backup can be restored. */
const asInRest = { kind: { is: 'json' } } as const;

export const TRANSFER_PART: SchemaPart = {
  objects: [
    declareObject({
      name: 'ImportedParameter',
      of: contract.ImportParameter,
      members: { action: { kind: enumKind(contract.ImportAction) } },
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
    declareObject({ name: 'Import', of: contract.ImportResponse, members: { parameter: { as: 'parameters' } } }),
    declareObject({
      name: 'BackupSnapshot',
      of: contract.BackupSnapshot,
      members: {
        environments: asInRest,
        types: asInRest,
        projects: asInRest,
        tags: asInRest,
        groups: asInRest,
        grants: asInRest,
      },
    }),
    declareObject({ name: 'GeneratedPassword', of: contract.GeneratedPassword }),
    declareObject({ name: 'Features', of: contract.Features }),
  ],
  actions: [
    {
      operation: 'import_create',
      name: 'importParameters',
      about:
        'Imports parameters from dotenv text, all or none. With `preview`, the response is the same but nothing is stored.',
    },
    {
      operation: 'backup_snapshot_create',
      name: 'backupSnapshot',
      about: 'Takes a backup: everything keyed by name, with secrets in plain text.',
    },
    { operation: 'utils_generate_password_create', name: 'generatePassword', about: 'Generates a password.' },
  ],
  reads: [{ operation: 'features_retrieve', name: 'features', about: 'The features of this installation.' }],
};

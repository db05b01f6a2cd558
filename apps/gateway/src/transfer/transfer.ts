import * as contract from '@strata/contract';
import { action, read } from '../graphql/action.ts';
import { shape } from '../graphql/shape.ts';

shape('ImportedParameter', 'What an import does with one name.', contract.ImportParameter, {
  project_name: 'Name of the project.',
  project_id: 'Id of the project; null when a preview would make it.',
  environment_name: 'Name of the environment.',
  environment_id: 'Id of the environment; null when a preview would make it.',
  parameter_name: 'Name of the parameter.',
  parameter_id: 'Id of the parameter; null when a preview would make it.',
  secret: 'Whether it is secret.',
  value: 'The text; `*****` for a secret that was not revealed.',
  value_id: 'Id of the value; null when there is none.',
  created_at: 'When the value was made.',
  modified_at: 'When the value was last changed.',
  action: { about: 'What is done.', kind: { is: 'word', words: contract.IMPORT_ACTIONS } },
});
shape('Import', 'What an import does, name by name.', contract.ImportResponse, {
  parameter: { about: 'The names, in the order of the text.', as: 'parameters' },
});

const asInRest = 'by name, as the REST API has it.';
shape('BackupSnapshot', 'Everything at once, keyed by names; secrets in clear text.', contract.BackupSnapshot, {
  environments: { about: `The environments ${asInRest}`, kind: { is: 'json' } },
  types: { about: `The types ${asInRest}`, kind: { is: 'json' } },
  projects: { about: `The projects with parameters, values and templates ${asInRest}`, kind: { is: 'json' } },
  timestamp: 'When it was read.',
});
shape('GeneratedPassword', 'A password that nobody had before.', contract.GeneratedPassword, {
  value: 'The password. It is not stored anywhere.',
});
shape('Features', 'What this installation can do.', contract.Features, {
  self_hosted: 'Whether it is run by its users.',
  aws_integration: 'Whether it talks to AWS.',
  azure_integration: 'Whether it talks to Azure.',
  github_integration: 'Whether it talks to GitHub.',
});

export const TRANSFER = [
  action({
    operation: 'import_create',
    name: 'importParameters',
    about:
      'Imports parameters from dotenv text, all or nothing. With `preview` the answer is the same and nothing is stored.',
    inputs: {
      project: 'Name of the project.',
      environment: 'Name of the environment; `default` when left out.',
      body: 'Lines of `NAME=text`.',
      secrets: 'Names that are secret.',
      ignore: 'Names to leave out.',
      add_project: 'Whether to make the project when it is not there.',
      add_environment: 'Whether to make the environment when it is not there.',
      add_parameters: 'Whether to make parameters that are not there.',
      add_overrides: 'Whether to set values that differ from inherited ones.',
      inherit_on_same: 'Whether a value that equals the inherited one is left to inheritance.',
    },
  }),
  action({
    operation: 'backup_snapshot_create',
    name: 'backupSnapshot',
    about: 'Reads everything at once, keyed by names; secrets in clear text.',
  }),
  action({
    operation: 'utils_generate_password_create',
    name: 'generatePassword',
    about: 'Makes up a password.',
  }),
  read({ operation: 'features_retrieve', name: 'features', about: 'What this installation can do.' }),
];

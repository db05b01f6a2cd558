import { BackupQuery, BackupSnapshot } from './backup.ts';
import { Environment } from './environment.ts';
import { operation, operations } from './operation.ts';
import { Parameter } from './parameter.ts';
import { GeneratedPassword, GeneratePasswordQuery } from './password.ts';
import { Project } from './project.ts';
import * as shape from './transfer.ts';

const API = '/api/v1';
const copying = { method: 'post', requires: 'write_content', bodyAs: 'json', status: 201, errorStatuses: [] } as const;

export const COPY_ENVIRONMENT = operation({
  ...copying,
  id: 'environments_copy_create',
  path: `${API}/environments/{id}/copy/`,
  tag: 'environments',
  summary: 'Copy an environment with the values set in it',
  description:
    'The copy is a sibling of the original. With `recursive`, its children are copied too. Tags and grants are not copied.',
  body: shape.EnvironmentCopyRequest,
  response: Environment,
});

export const COPY_PROJECT = operation({
  ...copying,
  id: 'projects_copy_create',
  path: `${API}/projects/{id}/copy/`,
  tag: 'projects',
  summary: 'Copy a project with its parameters, rules, values and templates',
  description:
    'References between copied objects point to the copies. With `recursive`, its dependents are copied too.',
  body: shape.ProjectCopyRequest,
  response: Project,
});

export const COPY_PARAMETER = operation({
  ...copying,
  id: 'projects_parameters_copy_create',
  path: `${API}/projects/{project_pk}/parameters/{id}/copy/`,
  tag: 'projects',
  summary: 'Copy a parameter with its rules and values',
  body: shape.ParameterCopy,
  response: Parameter,
});

export const IMPORT = operation({
  ...copying,
  id: 'import_create',
  path: `${API}/import/`,
  tag: 'import',
  summary: 'Import parameters from dotenv text',
  description: 'Imports all parameters or none. With `preview`, the response is the same but nothing is stored.',
  query: shape.ImportQuery,
  body: shape.ImportRequest,
  response: shape.ImportResponse,
  errorStatuses: [404],
});

export const BACK_UP = operation({
  id: 'backup_snapshot_create',
  method: 'post',
  path: `${API}/backup/snapshot/`,
  tag: 'backup',
  summary: 'Take a backup: everything keyed by name, with secrets in plain text',
  requires: 'back_up',
  query: BackupQuery,
  status: 200,
  response: BackupSnapshot,
  errorStatuses: [],
});

export const transferOperations = operations([
  COPY_ENVIRONMENT,
  COPY_PROJECT,
  COPY_PARAMETER,
  IMPORT,
  BACK_UP,
  {
    id: 'utils_generate_password_create',
    method: 'post',
    path: `${API}/utils/generate_password/`,
    tag: 'utils',
    summary: 'Generate a password',
    requires: 'read',
    query: GeneratePasswordQuery,
    status: 201,
    response: GeneratedPassword,
    errorStatuses: [],
  },
]);

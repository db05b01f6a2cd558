import type {
  BackupSnapshot,
  Environment,
  EnvironmentCopy,
  GeneratedPassword,
  GeneratePasswordQuery,
  ImportQuery,
  ImportRequest,
  ImportResponse,
  Page,
  Parameter,
  ParameterCopy,
  Project,
  ProjectCopy,
  TaskStep,
} from '@strata/contract';
import { apiPath, type QueryOf, type Wish } from './paths.ts';
import type { Sender } from './resource.ts';

/** Configuration that moves as a whole, and what helps with it. */
export function transfer(sender: Sender) {
  const post = <T>(path: string, body?: unknown, query: Readonly<Record<string, string | number | boolean>> = {}) =>
    sender.body<T>({ method: 'POST', path, body, query });
  return {
    copyEnvironment: (id: string, body: Wish<EnvironmentCopy, 'name'>) =>
      post<Environment>(apiPath`/environments/${id}/copy/`, body),
    copyProject: (id: string, body: Wish<ProjectCopy, 'name'>) => post<Project>(apiPath`/projects/${id}/copy/`, body),
    copyParameter: (project: string, id: string, body: Wish<ParameterCopy, 'name' | 'project'>) =>
      post<Parameter>(apiPath`/projects/${project}/parameters/${id}/copy/`, body),
    import: (
      body: Wish<ImportRequest, 'project' | 'body' | 'secrets' | 'ignore'>,
      { preview = false, mask_secrets = false }: QueryOf<ImportQuery> = {},
    ) => post<ImportResponse>(apiPath`/import/`, body, { preview, mask_secrets }),
    backup: () => post<BackupSnapshot>(apiPath`/backup/snapshot/`),
    generatePassword: (query: Wish<GeneratePasswordQuery, 'length'>) =>
      post<GeneratedPassword>(apiPath`/utils/generate_password/`, undefined, { ...query }),
    environmentPushes: (environment: string, query: { readonly page?: number; readonly page_size?: number } = {}) =>
      sender.body<Page<TaskStep>>({ method: 'GET', path: apiPath`/environments/${environment}/pushes/`, query }),
    parameterPushes: (
      project: string,
      parameter: string,
      query: { readonly page?: number; readonly page_size?: number } = {},
    ) =>
      sender.body<Page<TaskStep>>({
        method: 'GET',
        path: apiPath`/projects/${project}/parameters/${parameter}/pushes/`,
        query,
      }),
  };
}

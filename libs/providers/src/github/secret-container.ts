import { ProviderError } from '../provider-error.ts';
import type { TokenPermissions } from './github-session.ts';

/** The secrets of a repository, or of an environment of one. */
export interface Container {
  readonly repository: string;
  readonly environment: string | null;
}

export const containerPath = (key: string): string => key.slice(0, Math.max(0, key.lastIndexOf('/')));

export function readContainer(path: string): Container {
  const [repository = '', environment = null] = path.split('/');
  return { repository, environment };
}

/** Returns the operation as GitHub's description of its API names it. */
export const operationIn = ({ environment }: Container, verb: string, plural = ''): string =>
  `actions/${verb}-${environment === null ? 'repo' : 'environment'}-secret${plural}`;

/** GitHub has separate permissions for the secrets of repositories and those of environments. */
export const permissionsIn = ({ environment }: Container, access: 'read' | 'write'): TokenPermissions =>
  environment === null ? { secrets: access } : { environments: access };

export function noRepository({ repository, environment }: Container): ProviderError {
  const place = environment === null ? '' : `, or its environment ${environment}`;
  const detail = `The repository ${repository}${place} does not exist, or the installation does not include it.`;
  return new ProviderError({ kind: 'invalid', code: 'no_repository', detail });
}

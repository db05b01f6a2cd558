import { textProblem } from '@strata/domain';
import type { StrataRequest } from '../http/request.ts';

/** The objects that a request reads, by name or id, exactly as the request names them. */
export interface RequestTarget {
  readonly project: string | null;
  readonly environment: string | null;
  readonly template: string | null;
  readonly value: string | null;
  readonly parameter: string | null;
  /** The name of a parameter. */
  readonly name: string | null;
  /** True for a single object; false for a list. */
  readonly isSingle: boolean;
}

const PATH = /^\/api\/v1\/projects\/([^/]+)(?:\/(parameters|templates)\/([^/]+)(?:\/values\/([^/]+))?)?/;
const ENVIRONMENT_PATH = /^\/api\/v1\/environments\/([^/]+)/;

/** Longer texts name nothing, and would only use memory until the record is written. */
const NAME_MAX = 256;

/** Returns the objects that the path and the query of a request name. */
export function parseRequestTarget({ url, query }: Pick<StrataRequest, 'url' | 'query'>): RequestTarget {
  const [path = ''] = url.split('?');
  const [, project, kind, id, value] = PATH.exec(path) ?? [];
  const [, environmentOfPath] = ENVIRONMENT_PATH.exec(path) ?? [];
  const { environment, name, project: projectName } = query as Record<string, unknown>;
  const isListOfPairs = kind === 'parameters' && id === 'duality';
  const parameter = kind === 'parameters' && !isListOfPairs ? decoded(id) : null;
  const template = kind === 'templates' ? decoded(id) : null;
  const onlyName = single(name);
  return {
    project: decoded(project) ?? single(projectName),
    environment: decoded(environmentOfPath) ?? single(environment),
    template,
    value: decoded(value),
    parameter,
    name: parameter === null && template === null ? onlyName : null,
    isSingle: parameter !== null || template !== null || onlyName !== null,
  };
}

function decoded(part: string | undefined): string | null {
  return part === undefined ? null : storable(decodeURIComponent(part));
}

/** Returns the one name in a query parameter. Returns null if the parameter is missing or lists several names. */
function single(parameter: unknown): string | null {
  return typeof parameter === 'string' && parameter !== '' && !parameter.includes(',') ? storable(parameter) : null;
}

/** A text that PostgreSQL cannot store would keep every record of its batch from being written. */
function storable(text: string): string | null {
  return text.length <= NAME_MAX && textProblem(text) === null ? text : null;
}

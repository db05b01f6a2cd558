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

/** Returns the objects that the path and the query of a request name. */
export function requestTargetOf({ url, query }: Pick<StrataRequest, 'url' | 'query'>): RequestTarget {
  const [path = ''] = url.split('?');
  const [, project, kind, id, value] = (PATH.exec(path) ?? []).map((part) => part && decodeURIComponent(part));
  const { environment, name, project: queried } = query as Record<string, unknown>;
  const isListOfPairs = kind === 'parameters' && id === 'duality';
  const parameter = kind === 'parameters' && !isListOfPairs ? (id ?? null) : null;
  const template = kind === 'templates' ? (id ?? null) : null;
  const only = single(name);
  return {
    project: project ?? single(queried),
    environment: single(environment),
    template,
    value: value ?? null,
    parameter,
    name: parameter === null && template === null ? only : null,
    isSingle: parameter !== null || template !== null || only !== null,
  };
}

/** Returns the one name in a query parameter. Returns null if the parameter is missing or lists several names. */
function single(words: unknown): string | null {
  return typeof words === 'string' && words !== '' && !words.includes(',') ? words : null;
}

import type { StrataRequest } from '../http/request.ts';

/** Where something was looked at: names or ids, as it was asked for. */
export interface RequestTarget {
  readonly project: string | null;
  readonly environment: string | null;
  readonly template: string | null;
  readonly value: string | null;
  readonly parameter: string | null;
  /** Name of a parameter. */
  readonly name: string | null;
  /** Whether it is one value, parameter or template, and not a list of them. */
  readonly isSingle: boolean;
}

const PATH = /^\/api\/v1\/projects\/([^/]+)(?:\/(parameters|templates)\/([^/]+)(?:\/values\/([^/]+))?)?/;

/** The place that the path and the query of a request name. */
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

/** The one thing that a parameter of a query names; null for none and for several. */
function single(words: unknown): string | null {
  return typeof words === 'string' && words !== '' && !words.includes(',') ? words : null;
}

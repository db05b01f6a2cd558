import { isReference, OPERATIONS } from '@strata/contract';
import { type Failure, jsonPointer, listCausingMembers, PATH } from '@strata/domain';
import type { FastifyRequest } from 'fastify';
import { lastSegment } from './links.ts';

/** The input of a request or of one operation of a changeset. */
export interface RequestInput {
  /** The path of the contract, such as `/api/v1/projects/{project_pk}/parameters/{id}/`; empty if there is none. */
  readonly template: string;
  /** The segments by the names of their placeholders. */
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A member of the input, and the part that contains it. */
interface ErrorCause {
  readonly part: 'path' | 'query' | 'body';
  readonly path: readonly (string | number)[];
}

/**
 * Returns the JSON pointer to the input that an error is about, if the error does not contain one: a member of the body
 * or a query parameter by its name, a placeholder of the path as `/path/id`. Empty if the error is about no input.
 */
export function locateError(failure: Failure, request: FastifyRequest): string {
  const member = findCause(failure, readInput(request));
  if (member === null) return '';
  return jsonPointer(member.part === 'path' ? [PATH, ...member.path] : member.path);
}

/** Returns the member of the input that caused an error, according to its code, its object or the forbidden scope. */
export function findCause(failure: Failure, input: RequestInput): ErrorCause | null {
  const { code, scope, params } = failure;
  if (scope !== undefined) return findId(scope, input);
  if (code === 'unknown_ref') return findItem((item) => isReference(item) && item.$ref === params.name, input);
  const object = code === 'not_found' ? String(params.object ?? '') : '';
  return object === '' ? findMember(listCausingMembers(code), input) : findObject(object, input);
}

/** Returns the first of the members that the input contains. */
function findMember(names: readonly string[], { template, query, body }: RequestInput): ErrorCause | null {
  for (const name of names) {
    if (name === PATH) {
      const lastPlaceholder = listPlaceholders(template).at(-1);
      if (lastPlaceholder) return { part: 'path', path: [lastPlaceholder.name] };
    } else if (hasMember(body, name)) return { part: 'body', path: [name] };
    else if (hasMember(query, name)) return { part: 'query', path: [name] };
  }
  return null;
}

/** The members of bodies and queries that name an object, by the name of its type in lower case. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  project: ['project'],
  environment: ['environment'],
  parametertype: ['type'],
  parameter: ['name'],
};

/** The names of objects that differ from that of their collection, by the segment of the path. */
const OBJECTS: Readonly<Record<string, readonly string[]>> = {
  audit: ['audittrail'],
  aws: ['integration'],
  key_vault: ['integration'],
  secret_manager: ['integration'],
  github: ['integration'],
  pulls: ['exchange'],
  pushes: ['exchange'],
  recents: ['object'],
  favourites: ['object'],
  'collapsed-environments': ['object', 'environment'],
};

/** Returns the placeholder of the path, or else the member, that names an object of a type which was not found. */
function findObject(type: string, input: RequestInput): ErrorCause | null {
  const object = withoutPunctuation(type).replace(/ledger$/, '');
  const placeholder = listPlaceholders(input.template).findLast(({ name, segment }) => {
    if (OBJECTS[segment]?.includes(object) || name.replace(/_pk$/, '').endsWith(object)) return true;
    const isNamedLike = object.endsWith(withoutPunctuation(segment).replace(/s$/, ''));
    return isNamedLike && ['id', 'revision'].includes(name);
  });
  if (placeholder) return { part: 'path', path: [placeholder.name] };
  return findMember(MEMBERS[object] ?? [], input);
}

/** Longer texts are values or templates. To search them for an id takes a long time. */
const LINK_LENGTH_MAX = 1_000;

/** Returns where the input contains an id, alone or at the end of a link. */
function findId(id: string, input: RequestInput): ErrorCause | null {
  const isId = (text: unknown) =>
    typeof text === 'string' && text.length <= LINK_LENGTH_MAX && lastSegment(text).toLowerCase() === id;
  return findItem(isId, input);
}

/** Returns where the input contains a matching item, alone or in a list. */
function findItem(isMatch: (item: unknown) => boolean, input: RequestInput): ErrorCause | null {
  for (const part of ['path', 'query', 'body'] as const) {
    for (const [name, value] of Object.entries(input[part] ?? {})) {
      if (isMatch(value)) return { part, path: [name] };
      const index = Array.isArray(value) ? value.findIndex(isMatch) : -1;
      if (index !== -1) return { part, path: part === 'body' ? [name, index] : [name] };
    }
  }
  return null;
}

const withoutPunctuation = (text: string): string => text.replaceAll(/[\s-]/g, '').toLowerCase();

function hasMember(members: unknown, name: string): boolean {
  return typeof members === 'object' && members !== null && Object.hasOwn(members, name);
}

const withoutNames = (path: string): string => path.replaceAll(/\{\w+\}|:\w+/g, '{}').replace(/\/$/, '');
const TEMPLATES = new Map(OPERATIONS.map(({ path }) => [withoutNames(path), path]));

/** Returns the input of a request. The placeholders of its route can have other names than those of the contract. */
function readInput({ routeOptions, params, query, body }: FastifyRequest): RequestInput {
  const template = TEMPLATES.get(withoutNames(routeOptions?.url ?? '')) ?? '';
  const segments = Object.values(params ?? {});
  const path = Object.fromEntries(listPlaceholders(template).map(({ name }, index) => [name, segments[index]]));
  return { template, path, query, body };
}

/** Returns the placeholders of a path, each with the segment before it. */
function listPlaceholders(template: string): readonly { readonly segment: string; readonly name: string }[] {
  return [...template.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, segment = '', name = '']) => ({ segment, name }));
}

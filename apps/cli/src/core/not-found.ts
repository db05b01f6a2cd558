import type { Page } from '@strata/contract';
import { nearestNames, pointerSegments } from '@strata/domain';
import type { AnyRequest } from '@strata/rest-client';
import { CommandError, EXIT } from './errors.ts';
import { toOneLine } from './one-line.ts';

/** The lists in which each name occurs once. */
export type NamedList =
  | `${'projects' | 'environments'}_list`
  | `environments_tags_list`
  | `projects_${'parameters' | 'templates'}_list`;

/** A client that reads with the credential of the caller. */
interface Reader {
  send<T>(id: NamedList, request: AnyRequest): Promise<{ readonly body: T }>;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

type Kind = 'project' | 'environment';
type Members = Readonly<Record<string, unknown>>;

const NAMES_SHOWN = 8;
const PAGE_SIZE = 2_500;
const HISTORY = '`strata history --all` lists the changesets.';
/** The types of objects that errors name. An object did not exist at a point in time if its history is missing. */
const SCOPES: Readonly<Record<string, { readonly kind: Kind; readonly isPast?: boolean }>> = {
  Project: { kind: 'project' },
  ProjectLedger: { kind: 'project', isPast: true },
  Environment: { kind: 'environment' },
  EnvironmentLedger: { kind: 'environment', isPast: true },
};

/** Returns the type of the object that does not exist; empty for other errors. */
function missingType({ details: { code, params } }: CommandError): string {
  return code === 'not_found' && typeof params?.object === 'string' ? params.object : '';
}

/**
 * Returns the error for an object that does not exist: with its name, and the names of those that exist, as far as the
 * caller can read them. If they cannot be read, the error of Strata remains.
 */
export async function notFoundError(client: Reader, error: CommandError, request: AnyRequest): Promise<CommandError> {
  try {
    return (
      (await scopeError(client, error, request)) ?? (await tagError(client, error)) ?? revisionError(error, request)
    );
  } catch (readError) {
    if (readError instanceof CommandError) return error;
    throw readError;
  }
}

/** Returns the error for a name that does not exist, with the names that exist. */
export function unknownNameError(
  kind: string,
  name: string,
  names: readonly string[],
  details: CommandError['details'] = {},
): CommandError {
  const message = `The ${kind} "${toOneLine(name)}" does not exist, or you have no access to it.`;
  return new CommandError(EXIT.notFound, message, { ...details, hint: namesHint(kind, name, names) });
}

/** Returns the names of objects that exist as a hint, the most similar ones first. */
export function namesHint(kind: string, missingName: string, names: readonly string[]): string {
  const similarNames = nearestNames(missingName, names, NAMES_SHOWN);
  const orderedNames = [...similarNames, ...names.filter((name) => !similarNames.includes(name)).sort()];
  const moreText = orderedNames.length > NAMES_SHOWN ? `, and ${orderedNames.length - NAMES_SHOWN} more` : '';
  if (orderedNames.length === 0) return `There are no ${kind}s.`;
  return `Existing ${kind}s: ${orderedNames.slice(0, NAMES_SHOWN).map(toOneLine).join(', ')}${moreText}.`;
}

async function scopeError(client: Reader, error: CommandError, request: AnyRequest): Promise<CommandError | null> {
  const { kind, isPast = false } = SCOPES[missingType(error)] ?? {};
  if (kind === undefined) return null;
  const { results: objects, next } = await readPage(client, `${kind}s_list`);
  // It is unknown which of the others exist.
  if (next !== null) return null;
  const text = requestedText(kind, error, request);
  if (text === undefined) return null;
  const names = objects.map((object) => object.name);
  if (!objects.some(({ id, name }) => text === name || text === id))
    return unknownNameError(kind, text, names, error.details);
  return isPast ? withText(error, `The ${kind} "${toOneLine(text)}" did not exist at that time.`, HISTORY) : null;
}

/**
 * Returns the text of the request that the pointer of an error leads to, or the query parameter of this kind for a
 * pointer into the path. Of several texts, only the params of the error say which one is missing.
 */
function requestedText(
  kind: Kind,
  { details: { pointer = '', params = {} } }: CommandError,
  { query = {}, body }: AnyRequest,
): string | undefined {
  const segments = pointerSegments(pointer);
  const isBody = segments[0] === 'operations';
  const start: unknown = isBody ? body : query;
  const path = isBody || Object.hasOwn(query, segments[0] ?? '') ? segments : [kind];
  const text = path.reduce<unknown>((value, name) => (value as Members | undefined)?.[name], start);
  if (typeof text === 'string') return text;
  const [onlyName, ...otherNames] = (text as { readonly repeated?: readonly string[] } | undefined)?.repeated ?? [];
  if (otherNames.length === 0) return onlyName;
  return typeof params.name === 'string' ? params.name : undefined;
}

async function tagError(client: Reader, error: CommandError): Promise<CommandError | null> {
  const { code, params: { tag, environment } = {} } = error.details;
  if (code !== 'unknown_tag' || typeof tag !== 'string' || typeof environment !== 'string') return null;
  const [match] = (await readPage(client, 'environments_list', { query: { name: environment } })).results;
  const tags = match ? await fetchNames(client, 'environments_tags_list', { environment_pk: match.id }) : [];
  return withText(error, error.message, namesHint('tag', tag, tags));
}

function revisionError(error: CommandError, { path }: AnyRequest): CommandError {
  if (path?.revision === undefined || missingType(error) !== 'Changeset') return error;
  return withText(error, `Revision ${path.revision} does not exist.`, HISTORY);
}

/** Returns the names of the objects of a list. */
export const fetchNames = async (
  client: Reader,
  id: NamedList,
  path?: AnyRequest['path'],
): Promise<readonly string[]> => (await readPage(client, id, { path })).results.map(({ name }) => name);

const readPage = async (client: Reader, id: NamedList, { path, query }: AnyRequest = {}): Promise<Page<Named>> =>
  (await client.send<Page<Named>>(id, { path, query: { ...query, page_size: PAGE_SIZE } })).body;

const withText = ({ exitCode, details }: CommandError, message: string, hint: string): CommandError =>
  new CommandError(exitCode, message, { ...details, hint });

import type { ValueSelection } from './documents.ts';
import type { FollowedScope } from './followed-scope.ts';
import type { Picked } from './gate.ts';
import { notAtEdgeError } from './responses.ts';

/** The selection of a request for effective values. */
export interface ReadQuery {
  readonly isMasked: boolean;
  readonly names: readonly string[] | null;
  readonly waitSeconds: number;
}

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false };

/** Throws 501 for parameters that an edge does not know. The core describes what is wrong with an invalid one. */
export function parseQuery({ searchParams }: URL, parameters: readonly string[]): ReadQuery | 'invalid' {
  const unknownName = [...searchParams.keys()].find((name) => !parameters.includes(name));
  if (unknownName !== undefined) throw notAtEdgeError(`An edge knows only the parameters ${parameters.join(', ')}.`);
  const isMasked = BOOLEANS[searchParams.get('mask_secrets') ?? 'false'];
  const waitSeconds = Number(searchParams.get('wait') ?? 0);
  if (isMasked === undefined || !Number.isInteger(waitSeconds) || waitSeconds < 0) return 'invalid';
  return { isMasked, names: parseNames(searchParams), waitSeconds };
}

/** Returns the requested names, sorted; null for all. A request with both parameters reads the names in both. */
function parseNames(searchParams: URLSearchParams): readonly string[] | null {
  const single = searchParams.getAll('name').filter((name) => name !== '');
  const listed = splitNames(searchParams.get('name__in'));
  if (listed === null) return single.length === 0 ? null : [...new Set(single)].sort();
  return single.length === 0 ? listed : listed.filter((name) => single.includes(name));
}

export function splitNames(text: string | null): readonly string[] | null {
  if (text === null || text === '') return null;
  return [...new Set(text.split(',').map((name) => name.trim()))].sort();
}

/** Selects values from the smallest document that contains them. */
export function choose(
  scope: FollowedScope,
  { names, isMasked }: Pick<ReadQuery, 'names' | 'isMasked'>,
): Picked<ValueSelection> {
  const withoutSecrets = scope.select(isMasked ? 'masked' : 'open', names);
  if (isMasked || (withoutSecrets !== null && !withoutSecrets.hasSecret))
    return { document: 'masked', selection: withoutSecrets, showsSecret: false };
  const clear = scope.select('clear', names);
  return { document: 'clear', selection: clear, showsSecret: clear?.isClear ?? true };
}

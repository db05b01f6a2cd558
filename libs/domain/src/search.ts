import type { EnvironmentId, ParameterId, ProjectId, ValueId } from './ids.ts';
import { maskText } from './mask.ts';

/** The ways to compare a text with the search text. */
export const SEARCH_MATCHES = ['contains', 'prefix', 'exact', 'regex'] as const;
export type SearchMatch = (typeof SEARCH_MATCHES)[number];

/** The fields of a parameter that are searched. */
export const SEARCH_FIELDS = ['name', 'value', 'description'] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

/** The states of an effective value, which are also filters of a search. */
export const WIN_STATES = ['own', 'inherited', 'null', 'dynamic'] as const;
type WinState = (typeof WIN_STATES)[number];

/** Returns whether a text matches the search; null if the time limit was exceeded. */
export type TextTest = (text: string) => boolean | null;

/**
 * The comparisons that do not need a regular-expression engine. If letter case is ignored, it is folded character by
 * character, as RE2 does.
 */
export function literalTest(
  match: Exclude<SearchMatch, 'regex'>,
  searchText: string,
  ignoreCase = false,
): (text: string) => boolean {
  if (ignoreCase) {
    const { source, flags } = caselessPattern(searchText);
    const sourcesByMatch = { contains: source, prefix: `^${source}`, exact: `^${source}$` };
    const pattern = new RegExp(sourcesByMatch[match], flags);
    return (text) => pattern.test(text);
  }
  switch (match) {
    case 'contains':
      return (text) => text.includes(searchText);
    case 'prefix':
      return (text) => text.startsWith(searchText);
    case 'exact':
      return (text) => text === searchText;
  }
}

/** Returns a pattern for a literal text in any letter case. */
function caselessPattern(searchText: string): RegExp {
  return new RegExp(searchText.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
}

/** Returns a pattern that matches from the start of a text wherever the given pattern matches inside it. */
export function matchAnywhere(pattern: string): string {
  return `(?s:.*?)(?:${pattern})`;
}

/** An effective value in one environment. */
export interface WinningCell {
  readonly environmentId: EnvironmentId;
  readonly valueId: ValueId;
  /** The cell that sets the value. */
  readonly parameterId: ParameterId;
  readonly sourceEnvironmentId: EnvironmentId;
  readonly sourceProjectId: ProjectId;
  /** The evaluated text in this environment; null for an explicit null or a text that failed to evaluate. */
  readonly text: string | null;
  /**
   * Whether its parameter is secret, or whether it depends on a secret or on a scope that is forbidden to the caller.
   */
  readonly secret: boolean;
  readonly dynamic: boolean;
  /** Whether the text failed to evaluate in this environment. */
  readonly failed: boolean;
}

/** Returns the states of an effective value in an environment of a project. */
export function listWinStates(
  { environmentId, sourceEnvironmentId, sourceProjectId, text, dynamic, failed }: WinningCell,
  projectId: ProjectId,
): readonly WinState[] {
  const isOwn = environmentId === sourceEnvironmentId && sourceProjectId === projectId;
  return [
    isOwn ? 'own' : 'inherited',
    ...(text === null && !failed ? (['null'] as const) : []),
    ...(dynamic ? (['dynamic'] as const) : []),
  ];
}

/** A value and the environments where it is effective with the same text. */
export interface EffectiveMatch {
  readonly cell: WinningCell;
  readonly matched: boolean;
  readonly environmentIds: readonly EnvironmentId[];
}

export interface FoundName {
  /** The fields that matched, in the order of `SEARCH_FIELDS`. */
  readonly matched: readonly SearchField[];
  readonly wins: readonly EffectiveMatch[];
}

/** A name of a project with its effective values in the searched environments. */
interface SearchedName {
  readonly name: string;
  readonly description: string;
  readonly cells: readonly WinningCell[];
}

export interface SearchTerms {
  readonly fields: readonly SearchField[];
  readonly test: TextTest;
  /** Whether names without an effective value in these environments are excluded. */
  readonly needsEffective: boolean;
}

/**
 * Returns whether a name matches, and with which values. If its name or description matches, all its values are shown;
 * otherwise only those that match. Secrets are never compared, as if they had no text. `undecided` counts texts whose
 * comparison exceeded the time limit.
 */
export function matchName(
  { name, description, cells }: SearchedName,
  { fields, test, needsEffective }: SearchTerms,
): { readonly match: FoundName | null; readonly undecided: number } {
  let undecidedCount = 0;
  const results = new Map<string, boolean | null>();
  const matchesField = (field: SearchField, text: string): boolean => {
    if (!fields.includes(field)) return false;
    const cachedResult = results.get(text);
    const result = cachedResult === undefined ? test(text) : cachedResult;
    if (cachedResult === undefined && result === null) undecidedCount += 1;
    results.set(text, result);
    return result === true;
  };
  const isNamed = matchesField('name', name);
  const isDescribed = matchesField('description', description);
  const testedCells = cells.map((cell) => ({
    cell,
    matched: !cell.secret && cell.text !== null && matchesField('value', cell.text),
  }));
  const isValued = testedCells.some(({ matched }) => matched);
  const matchedFields = [
    ...(isNamed ? (['name'] as const) : []),
    ...(isValued ? (['value'] as const) : []),
    ...(isDescribed ? (['description'] as const) : []),
  ];
  const shownResults = isNamed || isDescribed ? testedCells : testedCells.filter((result) => result.matched);
  const isOmitted = matchedFields.length === 0 || (needsEffective && shownResults.length === 0);
  return {
    match: isOmitted ? null : { matched: matchedFields, wins: grouped(shownResults) },
    undecided: undecidedCount,
  };
}

/** Groups the environments where a value has the same text, in their original order. */
function grouped(
  testedCells: readonly { readonly cell: WinningCell; readonly matched: boolean }[],
): readonly EffectiveMatch[] {
  const groups = new Map<string, { cell: WinningCell; matched: boolean; environmentIds: EnvironmentId[] }>();
  for (const { cell, matched } of testedCells) {
    const key = JSON.stringify([cell.valueId, cell.secret, cell.failed, maskText(cell.text, cell.secret)]);
    const group = groups.get(key);
    if (group) group.environmentIds.push(cell.environmentId);
    else groups.set(key, { cell, matched, environmentIds: [cell.environmentId] });
  }
  return [...groups.values()];
}

/** The maximum length of a text in search results, in UTF-16 code units. */
export const EXCERPT_LENGTH_MAX = 1_000;
/** The length of the excerpt before the match. */
const BEFORE_MATCH = 200;

/**
 * Returns the text to show for a value: the mask of a secret, the whole text, or an excerpt of a long text that starts
 * shortly before the first occurrence of `searched`, in any letter case. If `searched` is null, the excerpt starts at
 * the beginning.
 */
export function createExcerpt(
  { text, secret }: Pick<WinningCell, 'text' | 'secret'>,
  searchText: string | null,
): { readonly text: string | null; readonly cut: boolean } {
  if (secret || text === null || text.length <= EXCERPT_LENGTH_MAX) return { text: maskText(text, secret), cut: false };
  const exactIndex = searchText === null ? 0 : text.indexOf(searchText);
  const at = Math.max(0, exactIndex < 0 ? text.search(caselessPattern(searchText ?? '')) : exactIndex);
  const start = Math.max(0, Math.min(at - BEFORE_MATCH, text.length - EXCERPT_LENGTH_MAX));
  return { text: text.slice(start, start + EXCERPT_LENGTH_MAX).toWellFormed(), cut: true };
}

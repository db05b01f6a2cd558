import type { EnvironmentId, ParameterId, ProjectId, ValueId } from './ids.ts';
import { masked } from './mask.ts';

/** How a text is compared with what is searched for. */
export const SEARCH_MATCHES = ['contains', 'exact', 'regex'] as const;
export type SearchMatch = (typeof SEARCH_MATCHES)[number];

/** What of a parameter is searched. */
export const SEARCH_PLACES = ['name', 'value', 'description'] as const;
export type SearchPlace = (typeof SEARCH_PLACES)[number];

/** What a search can ask of a value that applies. */
export const WIN_STATES = ['own', 'inherited', 'null', 'dynamic'] as const;
export type WinState = (typeof WIN_STATES)[number];

/** Whether a text is what is searched for; null when that could not be found out in the time there is. */
export type TextTest = (text: string) => boolean | null;

/** The two ways of comparing that need no engine. Letter case counts. */
export function literalTest(match: Exclude<SearchMatch, 'regex'>, searched: string): TextTest {
  return match === 'exact' ? (text) => text === searched : (text) => text.includes(searched);
}

/** The pattern that matches from the start of a text where the given one matches anywhere in it. */
export function anywhere(pattern: string): string {
  return `(?s:.*?)(?:${pattern})`;
}

/** A value that applies in one environment. */
export interface WinningCell {
  readonly environmentId: EnvironmentId;
  readonly valueId: ValueId;
  /** Where it is set. */
  readonly parameterId: ParameterId;
  readonly sourceEnvironmentId: EnvironmentId;
  readonly sourceProjectId: ProjectId;
  /** As it reads in the environment; null when it is an explicit null, or could not be evaluated. */
  readonly text: string | null;
  /** Its parameter is secret, or it depends on one that is, or on what is closed to who asks. */
  readonly secret: boolean;
  readonly dynamic: boolean;
  /** It could not be evaluated there. */
  readonly failed: boolean;
}

/** The words that hold of a value in an environment of a project. */
export function winStatesOf(
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

/** One value with the environments in which it applies with the same text. */
export interface Win {
  readonly cell: WinningCell;
  readonly matched: boolean;
  readonly environmentIds: readonly EnvironmentId[];
}

export interface FoundName {
  /** Where it was found, in the order of `SEARCH_PLACES`. */
  readonly matched: readonly SearchPlace[];
  readonly wins: readonly Win[];
}

/** A name as a project shows it, with the values that apply in the environments that are searched. */
export interface SearchedName {
  readonly name: string;
  readonly description: string;
  readonly cells: readonly WinningCell[];
}

export interface SearchTerms {
  readonly places: readonly SearchPlace[];
  readonly test: TextTest;
  /** A name that is found although no value of it applies there is left out. */
  readonly needsWin: boolean;
}

/**
 * Whether a name is found, and where its texts apply. A name that is found by itself or by its description shows all its
 * values; one that is found by values alone shows those. What is secret is not compared: it is as if it had no text.
 * `undecided` counts texts that could not be compared.
 */
export function foundName(
  { name, description, cells }: SearchedName,
  { places, test, needsWin }: SearchTerms,
): { readonly found: FoundName | null; readonly undecided: number } {
  let undecided = 0;
  const tested = new Map<string, boolean | null>();
  const holds = (place: SearchPlace, text: string): boolean => {
    if (!places.includes(place)) return false;
    const known = tested.get(text);
    const verdict = known === undefined ? test(text) : known;
    if (known === undefined && verdict === null) undecided += 1;
    tested.set(text, verdict);
    return verdict === true;
  };
  const isNamed = holds('name', name);
  const isDescribed = holds('description', description);
  const judged = cells.map((cell) => ({
    cell,
    matched: !cell.secret && cell.text !== null && holds('value', cell.text),
  }));
  const isValued = judged.some(({ matched }) => matched);
  const matched = [
    ...(isNamed ? (['name'] as const) : []),
    ...(isValued ? (['value'] as const) : []),
    ...(isDescribed ? (['description'] as const) : []),
  ];
  const shown = isNamed || isDescribed ? judged : judged.filter((each) => each.matched);
  const isLeftOut = matched.length === 0 || (needsWin && shown.length === 0);
  return { found: isLeftOut ? null : { matched, wins: together(shown) }, undecided };
}

/** Environments in which the same value reads the same stand together, in the order in which they came. */
function together(judged: readonly { readonly cell: WinningCell; readonly matched: boolean }[]): readonly Win[] {
  const groups = new Map<string, { cell: WinningCell; matched: boolean; environmentIds: EnvironmentId[] }>();
  for (const { cell, matched } of judged) {
    const key = JSON.stringify([cell.valueId, cell.secret, cell.failed, masked(cell.text, cell.secret)]);
    const group = groups.get(key);
    if (group) group.environmentIds.push(cell.environmentId);
    else groups.set(key, { cell, matched, environmentIds: [cell.environmentId] });
  }
  return [...groups.values()];
}

/** What a list of hits shows of a long text, in UTF-16 code units. */
export const EXCERPT_LENGTH_MAX = 1_000;
/** How much of it lies before what was searched for. */
const BEFORE_MATCH = 200;

/**
 * What is shown of a value: the mask of a secret, the text, or of a long one a part that begins shortly before the first
 * place where `searched` stands; null searches nothing.
 */
export function excerptOf(
  { text, secret }: Pick<WinningCell, 'text' | 'secret'>,
  searched: string | null,
): { readonly text: string | null; readonly cut: boolean } {
  if (secret || text === null || text.length <= EXCERPT_LENGTH_MAX) return { text: masked(text, secret), cut: false };
  const at = searched === null ? 0 : Math.max(0, text.indexOf(searched));
  const start = Math.max(0, Math.min(at - BEFORE_MATCH, text.length - EXCERPT_LENGTH_MAX));
  return { text: text.slice(start, start + EXCERPT_LENGTH_MAX).toWellFormed(), cut: true };
}

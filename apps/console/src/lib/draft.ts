/** An edit that a user plans for a cell. */
export type DraftEdit =
  | { readonly kind: 'set'; readonly text: string; readonly dynamic: boolean }
  | { readonly kind: 'null' }
  /** Removes the value, so that the cell inherits again. */
  | { readonly kind: 'unset' }
  /** Sets a secret whose text was typed in another tab or before a reload. The text is not stored and must be typed again. */
  | { readonly kind: 'retype' }
  /** Creates the parameter of the draft without a value. */
  | { readonly kind: 'create' };

/** The cell of a draft. The names are shown to the user; the ids detect renamed and deleted objects. */
export interface DraftCell {
  readonly projectId: string;
  readonly projectName: string;
  readonly environmentId: string;
  readonly environmentName: string;
  /** The id of the parameter that had the name in the project. */
  readonly parameterId: string;
  readonly name: string;
  readonly isSecret: boolean;
  /** Whether the parameter belongs to another project, so that a value creates an override. */
  readonly isForeign: boolean;
  /** The type of the parameter, which an override inherits. */
  readonly type?: string | undefined;
  /** Whether the draft creates the parameter, whose id is then `newParameterId`. */
  readonly isNew?: true | undefined;
}

/** Returns the id that stands for a parameter until it is created. Drafts with the same id create one parameter with several values. */
export const newParameterId = (name: string): string => `new:${name}`;

/** The state of a cell on which a draft is based. */
export interface DraftBase {
  /** The revision at which the state was loaded. */
  readonly revision: number;
  /** The id and the version of the value that was set in the cell; null if there was none. */
  readonly valueId: string | null;
  readonly ledgerId: string | null;
  /** The effective text: null for an explicit null, absent if it was secret or missing. */
  readonly text?: string | null | undefined;
  /** Whether the text was dynamic. */
  readonly dynamic?: boolean | undefined;
}

/** A draft before it is stored. */
export interface TypedDraft extends DraftCell {
  readonly edit: DraftEdit;
  readonly base: DraftBase;
}

export interface Draft extends TypedDraft {
  /** A number that increases with every edit, across tabs. */
  readonly typing: number;
}

/** The drafts by `draftKey`. */
export type Drafts = ReadonlyMap<string, Draft>;

interface DraftStep {
  readonly key: string;
  readonly before: Draft | null;
  readonly after: Draft | null;
}

/** The drafts with the undo and redo steps of this tab. */
export interface DraftHistory {
  readonly drafts: Drafts;
  readonly past: readonly (readonly DraftStep[])[];
  readonly future: readonly (readonly DraftStep[])[];
}

export const NO_DRAFTS: DraftHistory = { drafts: new Map(), past: [], future: [] };

/** The maximum number of undo steps, which limits memory usage. */
const STEPS_MAX = 200;

export function draftKey({
  projectId,
  parameterId,
  environmentId,
}: Pick<DraftCell, 'projectId' | 'parameterId' | 'environmentId'>): string {
  return `${projectId} ${parameterId} ${environmentId}`;
}

/** Sets drafts and discards others, as one step. A draft that replaces another one is based on the same state. */
export function stageDrafts(
  state: DraftHistory,
  drafts: readonly Draft[],
  discardedKeys: Iterable<string> = [],
): DraftHistory {
  const stagedDrafts = drafts.map((draft) => {
    const key = draftKey(draft);
    const before = state.drafts.get(key) ?? null;
    return { key, before, after: before ? { ...draft, base: before.base } : draft };
  });
  return withStep(state, [...stagedDrafts, ...discardSteps(state, discardedKeys)]);
}

/** Discards drafts as one step. */
export const discardDrafts = (state: DraftHistory, keys: Iterable<string>): DraftHistory =>
  withStep(state, discardSteps(state, keys));

const discardSteps = (state: DraftHistory, keys: Iterable<string>): readonly DraftStep[] =>
  [...keys].flatMap((key) => {
    const before = state.drafts.get(key);
    return before ? [{ key, before, after: null }] : [];
  });

/** Removes applied drafts, which undo does not restore. Drafts that were edited meanwhile, in this or another tab, stay. */
export function removeApplied(state: DraftHistory, sentDrafts: Drafts): DraftHistory {
  const drafts = new Map(state.drafts);
  for (const [key, { typing }] of sentDrafts) if (drafts.get(key)?.typing === typing) drafts.delete(key);
  return { drafts, past: [], future: [] };
}

/** A draft and its replacement after the state of its cell has changed; `to` is null to remove the draft. */
export interface DraftMove {
  readonly from: Draft;
  readonly to: Draft | null;
}

/** The moves by draft key. */
export type DraftMoves = ReadonlyMap<string, DraftMove>;

/**
 * Applies moves of drafts that have not changed meanwhile, without an undo step. If the target cell already has a draft, that one stays,
 * because it is based on the current state.
 */
export function moveDrafts(state: DraftHistory, moves: DraftMoves): DraftHistory {
  const validMoves = [...moves].filter(([key, { from }]) => state.drafts.get(key) === from);
  if (validMoves.length === 0) return state;
  const drafts = new Map(state.drafts);
  for (const [key, { to }] of validMoves) {
    if (to !== null && draftKey(to) === key) drafts.set(key, to);
    else drafts.delete(key);
  }
  for (const [, { to }] of validMoves) if (to !== null && !drafts.has(draftKey(to))) drafts.set(draftKey(to), to);
  return { ...state, drafts };
}

export function undoLastStep(state: DraftHistory): DraftHistory {
  const steps = state.past.at(-1);
  if (!steps) return state;
  return {
    drafts: withEach(state.drafts, steps.map(backwards)),
    past: state.past.slice(0, -1),
    future: [...state.future, steps],
  };
}

export function redoStep(state: DraftHistory): DraftHistory {
  const steps = state.future.at(-1);
  if (!steps) return state;
  return {
    drafts: withEach(state.drafts, steps),
    past: [...state.past, steps],
    future: state.future.slice(0, -1),
  };
}

/** Returns the keys of the drafts that steps change. */
export const listKeys = (steps: readonly DraftStep[] | undefined): readonly string[] =>
  (steps ?? []).map(({ key }) => key);

/** Returns the number of drafts that were discarded last and that undo restores; 0 if there are other drafts. */
export function lastDiscardCount({ drafts, past }: DraftHistory): number {
  const steps = past.at(-1) ?? [];
  return drafts.size === 0 && steps.every(({ after }) => after === null) ? steps.length : 0;
}

/**
 * Adopts drafts that another tab has stored; null means that a draft was removed. The text of a secret stays if it was typed last in this
 * tab, and so do the undo steps.
 */
export function mergeStored(state: DraftHistory, storedDrafts: ReadonlyMap<string, Draft | null>): DraftHistory {
  const drafts = new Map(state.drafts);
  for (const [key, draft] of storedDrafts) {
    if (draft === null) drafts.delete(key);
    else drafts.set(key, withTypedText(draft, state.drafts.get(key)));
  }
  return { ...state, drafts };
}

function withTypedText(storedDraft: Draft, draftInTab: Draft | undefined): Draft {
  const isKnown = storedDraft.edit.kind === 'retype' && draftInTab?.typing === storedDraft.typing;
  return isKnown ? { ...storedDraft, edit: draftInTab.edit } : storedDraft;
}

/** Returns whether the text of a draft is never stored, so that it would be lost on leaving the page. */
export const isNeverStored = ({ isSecret, edit }: Draft): boolean => isSecret && edit.kind === 'set';

/**
 * Returns whether an edit would have no effect, so that no draft is needed. Secrets are never compared. `present` is the value that is set
 * in the cell; null if there is none.
 */
export function hasNoEffect(
  edit: DraftEdit,
  isSecret: boolean,
  currentText: { readonly text: string | null; readonly dynamic: boolean } | null,
): boolean {
  if (edit.kind === 'unset') return currentText === null;
  if (currentText === null) return false;
  if (edit.kind === 'null') return !isSecret && currentText.text === null;
  return edit.kind === 'set' && !isSecret && currentText.text === edit.text && currentText.dynamic === edit.dynamic;
}

function withStep(state: DraftHistory, steps: readonly DraftStep[]): DraftHistory {
  if (steps.length === 0) return state;
  return {
    drafts: withEach(state.drafts, steps),
    past: [...state.past, steps].slice(-STEPS_MAX),
    future: [],
  };
}

const backwards = ({ key, before, after }: DraftStep): DraftStep => ({ key, before: after, after: before });

/** Applies steps to drafts. Drafts that have changed since are skipped, so that edits of other tabs are not undone. */
function withEach(drafts: Drafts, steps: readonly DraftStep[]): Drafts {
  const next = new Map(drafts);
  for (const { key, before, after } of steps) {
    if (next.get(key)?.typing !== before?.typing) continue;
    if (after) next.set(key, after);
    else next.delete(key);
  }
  return next;
}

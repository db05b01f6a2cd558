/** What a person wants a cell to become. */
export type DraftEdit =
  | { readonly kind: 'set'; readonly text: string; readonly dynamic: boolean }
  | { readonly kind: 'null' }
  /** To inherit again. */
  | { readonly kind: 'unset' }
  /** A new secret whose text was typed in another tab or before a reload: it is kept nowhere, and has to be typed again. */
  | { readonly kind: 'retype' };

/** The cell that a draft is about. Names are what people know; ids recognize what was renamed or deleted meanwhile. */
export interface DraftCell {
  readonly projectId: string;
  readonly projectName: string;
  readonly environmentId: string;
  readonly environmentName: string;
  /** The parameter that the project shows under the name. */
  readonly parameterId: string;
  readonly name: string;
  readonly isSecret: boolean;
  /** Whether that parameter belongs to another project, so that the first value makes one here. */
  readonly isForeign: boolean;
  /** Name of its type, which a parameter that is made in its place has, too. */
  readonly type?: string | undefined;
}

/** What the cell was when the draft was made. */
export interface DraftBase {
  /** The revision at which it was read. */
  readonly revision: number;
  /** Of a value that was set here: its id and its version. */
  readonly valueId: string | null;
  readonly ledgerId: string | null;
  /** What applied: null for an explicit null, absent for a secret and where nothing did. */
  readonly text?: string | null | undefined;
  /** Whether that was evaluated. */
  readonly dynamic?: boolean | undefined;
}

/** What somebody has just typed. */
export interface TypedDraft extends DraftCell {
  readonly wish: DraftEdit;
  readonly base: DraftBase;
}

export interface Draft extends TypedDraft {
  /** A number of its own for each time that something is typed, in whichever tab; what is typed later has a greater one. */
  readonly typing: number;
}

/** One per cell. */
export type Drafts = ReadonlyMap<string, Draft>;

interface DraftStep {
  readonly key: string;
  readonly before: Draft | null;
  readonly after: Draft | null;
}

/** The drafts with what can be undone and done again, by this tab. */
export interface DraftsWithPast {
  readonly drafts: Drafts;
  readonly past: readonly (readonly DraftStep[])[];
  readonly future: readonly (readonly DraftStep[])[];
}

export const NO_DRAFTS: DraftsWithPast = { drafts: new Map(), past: [], future: [] };

/** As many steps as anybody goes back; it bounds what a tab holds. */
const STEPS_MAX = 200;

export function draftKey({
  projectId,
  parameterId,
  environmentId,
}: Pick<DraftCell, 'projectId' | 'parameterId' | 'environmentId'>): string {
  return `${projectId} ${parameterId} ${environmentId}`;
}

/** Puts a draft in the place of the one of its cell. What the cell was before the first one is kept. */
export function staged(state: DraftsWithPast, draft: Draft): DraftsWithPast {
  const key = draftKey(draft);
  const before = state.drafts.get(key) ?? null;
  return withStep(state, [{ key, before, after: before ? { ...draft, base: before.base } : draft }]);
}

/** Takes drafts back, as one step. */
export function discarded(state: DraftsWithPast, keys: Iterable<string>): DraftsWithPast {
  const steps = [...keys].flatMap((key) => {
    const before = state.drafts.get(key);
    return before ? [{ key, before, after: null }] : [];
  });
  return withStep(state, steps);
}

/**
 * Forgets drafts that were applied, as they were sent; there is no way back to them by undoing. What was typed since, here or in
 * another tab, stays.
 */
export function settled(state: DraftsWithPast, sent: Drafts): DraftsWithPast {
  const drafts = new Map(state.drafts);
  for (const [key, { typing }] of sent) if (drafts.get(key)?.typing === typing) drafts.delete(key);
  return { drafts, past: [], future: [] };
}

/** A draft, and what comes in its place since what it was made on has moved: null for nothing. */
export interface DraftMove {
  readonly from: Draft;
  readonly to: Draft | null;
}

/** By the keys of the drafts that were looked at. */
export type DraftMoves = ReadonlyMap<string, DraftMove>;

/**
 * Puts drafts in the place of others, where they still are what was looked at. It is no step to go back from. A draft that is
 * there already was typed on what is there now, so it stays.
 */
export function moved(state: DraftsWithPast, moves: DraftMoves): DraftsWithPast {
  const valid = [...moves].filter(([key, { from }]) => state.drafts.get(key) === from);
  if (valid.length === 0) return state;
  const drafts = new Map(state.drafts);
  for (const [key, { to }] of valid) {
    if (to !== null && draftKey(to) === key) drafts.set(key, to);
    else drafts.delete(key);
  }
  for (const [, { to }] of valid) if (to !== null && !drafts.has(draftKey(to))) drafts.set(draftKey(to), to);
  return { ...state, drafts };
}

export function undone(state: DraftsWithPast): DraftsWithPast {
  const steps = state.past.at(-1);
  if (!steps) return state;
  return {
    drafts: withEach(state.drafts, steps.map(backwards)),
    past: state.past.slice(0, -1),
    future: [...state.future, steps],
  };
}

export function redone(state: DraftsWithPast): DraftsWithPast {
  const steps = state.future.at(-1);
  if (!steps) return state;
  return {
    drafts: withEach(state.drafts, steps),
    past: [...state.past, steps],
    future: state.future.slice(0, -1),
  };
}

/** The keys of drafts that undoing or doing again would touch. */
export const keysOf = (steps: readonly DraftStep[] | undefined): readonly string[] =>
  (steps ?? []).map(({ key }) => key);

/** How many drafts were discarded last, after which none is left: they can still be had back. */
export function discardedLast({ drafts, past }: DraftsWithPast): number {
  const steps = past.at(-1) ?? [];
  return drafts.size === 0 && steps.every(({ after }) => after === null) ? steps.length : 0;
}

/**
 * What the browser keeps by now, null where it keeps nothing any more. The text of a secret stays where it is the one that was
 * typed last; what can be undone here stays, too.
 */
export function joined(state: DraftsWithPast, told: ReadonlyMap<string, Draft | null>): DraftsWithPast {
  const drafts = new Map(state.drafts);
  for (const [key, draft] of told) {
    if (draft === null) drafts.delete(key);
    else drafts.set(key, withTypedText(draft, state.drafts.get(key)));
  }
  return { ...state, drafts };
}

function withTypedText(told: Draft, known: Draft | undefined): Draft {
  const isKnown = told.wish.kind === 'retype' && known?.typing === told.typing;
  return isKnown ? { ...told, wish: known.wish } : told;
}

/** Whether a draft is one whose text leaving the page would lose. */
export const isNeverStored = ({ isSecret, wish }: Draft): boolean => isSecret && wish.kind === 'set';

/**
 * Whether a wish would leave the cell as it is: then there is nothing to stage. A secret is never compared.
 * `present` is what was set here; null where nothing is.
 */
export function changesNothing(
  wish: DraftEdit,
  isSecret: boolean,
  present: { readonly text: string | null; readonly dynamic: boolean } | null,
): boolean {
  if (wish.kind === 'unset') return present === null;
  if (present === null) return false;
  if (wish.kind === 'null') return !isSecret && present.text === null;
  return wish.kind === 'set' && !isSecret && present.text === wish.text && present.dynamic === wish.dynamic;
}

function withStep(state: DraftsWithPast, steps: readonly DraftStep[]): DraftsWithPast {
  if (steps.length === 0) return state;
  return {
    drafts: withEach(state.drafts, steps),
    past: [...state.past, steps].slice(-STEPS_MAX),
    future: [],
  };
}

const backwards = ({ key, before, after }: DraftStep): DraftStep => ({ key, before: after, after: before });

/** Steps are taken where the drafts are what they begin from: what another tab has typed meanwhile is not undone here. */
function withEach(drafts: Drafts, steps: readonly DraftStep[]): Drafts {
  const next = new Map(drafts);
  for (const { key, before, after } of steps) {
    if (next.get(key)?.typing !== before?.typing) continue;
    if (after) next.set(key, after);
    else next.delete(key);
  }
  return next;
}

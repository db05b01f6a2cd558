/** What a person wants a cell to become. */
export type DraftWish =
  | { readonly kind: 'set'; readonly text: string; readonly dynamic: boolean }
  | { readonly kind: 'null' }
  /** To inherit again. */
  | { readonly kind: 'unset' }
  /** A new secret whose text was typed in another tab or before a reload: it is kept nowhere, and has to be typed again. */
  | { readonly kind: 'retype' };

/** The cell that a draft is about. Names are what people know; ids recognize what was renamed or deleted meanwhile. */
export interface DraftPlace {
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

export interface Draft extends DraftPlace {
  readonly wish: DraftWish;
  readonly base: DraftBase;
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
}: Pick<DraftPlace, 'projectId' | 'parameterId' | 'environmentId'>): string {
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

/** Forgets drafts that came true; there is no way back to them by undoing. */
export function settled(state: DraftsWithPast, keys: Iterable<string>): DraftsWithPast {
  const drafts = new Map(state.drafts);
  for (const key of keys) drafts.delete(key);
  return { drafts, past: [], future: [] };
}

/** Puts drafts in the place of others, or nothing, since what they were made on has moved. It is no step to go back from. */
export function moved(state: DraftsWithPast, byKey: ReadonlyMap<string, Draft | null>): DraftsWithPast {
  const drafts = new Map(state.drafts);
  for (const [key, draft] of byKey) {
    if (!drafts.delete(key) || draft === null) continue;
    drafts.set(draftKey(draft), draft);
  }
  return { ...state, drafts };
}

export function undone(state: DraftsWithPast): DraftsWithPast {
  const steps = state.past.at(-1);
  if (!steps) return state;
  return {
    drafts: withEach(state.drafts, steps, ({ before }) => before),
    past: state.past.slice(0, -1),
    future: [...state.future, steps],
  };
}

export function redone(state: DraftsWithPast): DraftsWithPast {
  const steps = state.future.at(-1);
  if (!steps) return state;
  return {
    drafts: withEach(state.drafts, steps, ({ after }) => after),
    past: [...state.past, steps],
    future: state.future.slice(0, -1),
  };
}

/** What another tab has now. Texts of secrets that only this tab has stay; what can be undone here stays, too. */
export function joined(state: DraftsWithPast, told: Drafts): DraftsWithPast {
  const drafts = new Map(
    [...told].map(([key, draft]): [string, Draft] => {
      const known = state.drafts.get(key);
      return [key, draft.wish.kind === 'retype' && known?.wish.kind === 'set' ? known : draft];
    }),
  );
  return { ...state, drafts };
}

/** Whether a draft is one whose text leaving the page would lose. */
export const isKeptNowhere = ({ isSecret, wish }: Draft): boolean => isSecret && wish.kind === 'set';

/**
 * Whether a wish would leave the cell as it is: then there is nothing to stage. A secret is never compared.
 * `present` is what was set here; null where nothing is.
 */
export function changesNothing(
  wish: DraftWish,
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
    drafts: withEach(state.drafts, steps, ({ after }) => after),
    past: [...state.past, steps].slice(-STEPS_MAX),
    future: [],
  };
}

function withEach(drafts: Drafts, steps: readonly DraftStep[], of: (step: DraftStep) => Draft | null): Drafts {
  const next = new Map(drafts);
  for (const step of steps) {
    const draft = of(step);
    if (draft) next.set(step.key, draft);
    else next.delete(step.key);
  }
  return next;
}

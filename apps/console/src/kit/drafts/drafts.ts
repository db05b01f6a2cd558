import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { viewerQuery } from '../../data/session.ts';
import { type DraftMoves, type Drafts, lastDiscardCount, type TypedDraft } from '../../lib/draft.ts';
import { DraftsStore } from './drafts-store.ts';

/** The drafts and the actions on them, for all features. */
export interface DraftsHandle {
  /** All drafts of the user in the organization by `draftKey`. */
  readonly drafts: Drafts;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** The number of drafts that were discarded last if none is left. Undo restores them. */
  readonly discarded: number;
  /** Whether the browser stores them. Otherwise leaving the page loses them. */
  readonly areKept: boolean;
  /** Sets the draft of a cell. */
  stage(draft: TypedDraft): void;
  /** Discards drafts, which can be undone. */
  discard(keys: Iterable<string>): void;
  /** Removes applied drafts, which cannot be undone. Returns newer drafts of the same cells. */
  settle(sent: Drafts): Drafts;
  /** Replaces or removes drafts after the state of their cells has changed. */
  move(moves: DraftMoves): void;
  undo(): void;
  redo(): void;
}

const stores = new Map<string, DraftsStore>();

function storeOf(personId: string, organizationId: string): DraftsStore {
  const key = `${personId} ${organizationId}`;
  const store = stores.get(key) ?? new DraftsStore(window, { personId, organizationId });
  stores.set(key, store);
  return store;
}

/** Returns the drafts of the user. See draft.ts for their form and draft-operations.ts for their operations. */
export function useDrafts(): DraftsHandle {
  const { data: viewer } = useQuery(viewerQuery);
  const store = storeOf(viewer?.user.id ?? '', viewer?.organization?.id ?? '');
  const state = useSyncExternalStore(store.subscribe, store.current);
  const areKept = useSyncExternalStore(store.subscribe, store.areKept);
  return useMemo(() => {
    const { stage, discard, settle, move, undo, redo } = store;
    const { drafts, past, future } = state;
    const can = { canUndo: past.length > 0, canRedo: future.length > 0, discarded: lastDiscardCount(state) };
    return { drafts, ...can, areKept, stage, discard, settle, move, undo, redo };
  }, [store, state, areKept]);
}

/** Removes all drafts when the user signs out. Drafts stay if the session only expires. */
export function clearDrafts(): void {
  for (const store of stores.values()) store.clear();
}

import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { viewerQuery } from '../../data/session.ts';
import { type DraftMoves, type Drafts, lastDiscardCount, type TypedDraft } from '../../lib/draft.ts';
import { setDraftErrors } from './draft-errors.ts';
import { DraftsStore } from './drafts-store.ts';

/** The drafts of the user, and the actions on them. */
export interface DraftsHandle {
  /** All drafts of the user in the organization, by `draftKey`. */
  readonly drafts: Drafts;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** The number of drafts that were discarded last and that undo restores; 0 if there are other drafts. */
  readonly discarded: number;
  /** Whether all drafts are stored. Otherwise they are lost when the user leaves the page. */
  readonly areKept: boolean;
  /** Sets the drafts of cells, and discards those with the given keys. One undo takes all of it back. */
  stage(drafts: TypedDraft | readonly TypedDraft[], discarded?: readonly string[]): void;
  /** Discards drafts, which can be undone. */
  discard(keys: Iterable<string>): void;
  /** Removes applied drafts, which undo does not restore. Returns drafts of the same cells that were typed meanwhile. */
  settle(sent: Drafts): Drafts;
  /** Replaces or removes drafts after the state of their cells has changed. */
  move(moves: DraftMoves): void;
  undo(): void;
  redo(): void;
}

const stores = new Map<string, DraftsStore>();

function openStore(personId: string, organizationId: string): DraftsStore {
  const key = `${personId} ${organizationId}`;
  const store = stores.get(key) ?? new DraftsStore(window, { personId, organizationId });
  stores.set(key, store);
  return store;
}

/** Returns the drafts of the user. draft.ts defines drafts, and draft-operations.ts converts them to operations. */
export function useDrafts(): DraftsHandle {
  const { data: viewer } = useQuery(viewerQuery);
  const store = openStore(viewer?.user.id ?? '', viewer?.organization?.id ?? '');
  const state = useSyncExternalStore(store.subscribe, store.current);
  const areKept = useSyncExternalStore(store.subscribe, store.areKept);
  return useMemo(() => {
    const { stage, discard, settle, move, undo, redo } = store;
    const { drafts, past, future } = state;
    const can = { canUndo: past.length > 0, canRedo: future.length > 0, discarded: lastDiscardCount(state) };
    return { drafts, ...can, areKept, stage, discard, settle, move, undo, redo };
  }, [store, state, areKept]);
}

/** Removes all drafts and their errors when the user signs out. They are kept if the session only expires. */
export function clearDrafts(): void {
  for (const store of stores.values()) store.clear();
  setDraftErrors(new Map());
}

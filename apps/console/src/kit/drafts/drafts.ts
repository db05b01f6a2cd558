import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { viewerQuery } from '../../data/session.ts';
import { type DraftMoves, type Drafts, discardedLast, type TypedDraft } from '../../lib/draft.ts';
import { DraftsStore } from './drafts-store.ts';

/** What the rooms of the console do with drafts. */
export interface DraftsHandle {
  /** All drafts of the person in the organization, in every project, by `draftKey`. */
  readonly drafts: Drafts;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** How many were discarded last, where none is left: they can still be had back. */
  readonly discarded: number;
  /** Whether the browser keeps them; where its storage is full or switched off, leaving the page loses them. */
  readonly areKept: boolean;
  /** Puts a draft in the place of the one of its cell. */
  stage(draft: TypedDraft): void;
  /** Takes drafts back; can be undone. */
  discard(keys: Iterable<string>): void;
  /** Forgets drafts that were applied, as they were sent; cannot be undone. Answers those that were typed in their place since. */
  settle(sent: Drafts): Drafts;
  /** Puts drafts in the place of others, or nothing, since what they were made on has moved. */
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

/** The drafts of who is signed in. What they are is in draft.ts, what they come to in draft-operations.ts. */
export function useDrafts(): DraftsHandle {
  const { data: viewer } = useQuery(viewerQuery);
  const store = storeOf(viewer?.user.id ?? '', viewer?.organization?.id ?? '');
  const state = useSyncExternalStore(store.subscribe, store.current);
  const areKept = useSyncExternalStore(store.subscribe, store.areKept);
  return useMemo(() => {
    const { stage, discard, settle, move, undo, redo } = store;
    const { drafts, past, future } = state;
    const can = { canUndo: past.length > 0, canRedo: future.length > 0, discarded: discardedLast(state) };
    return { drafts, ...can, areKept, stage, discard, settle, move, undo, redo };
  }, [store, state, areKept]);
}

/** Signing out leaves nothing behind. A session that ends by itself does not come here: its drafts wait. */
export function clearDrafts(): void {
  for (const store of stores.values()) store.clear();
}

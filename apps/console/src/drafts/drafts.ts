import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { viewerQuery } from '../session/session.ts';
import type { Draft, Drafts } from './draft.ts';
import { DraftsStore } from './drafts-store.ts';

/** What the rooms of the console do with drafts. */
export interface DraftsHandle {
  /** All drafts of the person in the organization, in every project, by `draftKey`. */
  readonly drafts: Drafts;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Whether the browser keeps them; where its storage is full or switched off, leaving the page loses them. */
  readonly areKept: boolean;
  /** Puts a draft in the place of the one of its cell. */
  stage(draft: Draft): void;
  /** Takes drafts back; can be undone. */
  discard(keys: Iterable<string>): void;
  /** Forgets drafts that were applied; cannot be undone. */
  settle(keys: Iterable<string>): void;
  /** Puts drafts in the place of others, or nothing, since what they were made on has moved. */
  move(byKey: ReadonlyMap<string, Draft | null>): void;
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
  const { drafts, past, future } = useSyncExternalStore(store.subscribe, store.current);
  const areKept = useSyncExternalStore(store.subscribe, store.areKept);
  return useMemo(() => {
    const { stage, discard, settle, move, undo, redo } = store;
    const can = { canUndo: past.length > 0, canRedo: future.length > 0 };
    return { drafts, ...can, areKept, stage, discard, settle, move, undo, redo };
  }, [store, drafts, past, future, areKept]);
}

/** Signing out leaves nothing behind. A session that ends by itself does not come here: its drafts wait. */
export function forgetDrafts(): void {
  for (const store of stores.values()) store.clear();
}

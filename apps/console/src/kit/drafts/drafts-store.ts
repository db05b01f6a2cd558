import {
  type Draft,
  type DraftHistory,
  type DraftMoves,
  type Drafts,
  discardDrafts,
  draftKey,
  listKeys,
  mergeStored,
  moveDrafts,
  NO_DRAFTS,
  redoStep,
  removeApplied,
  stageDrafts,
  type TypedDraft,
  undoLastStep,
} from '../../lib/draft.ts';
import { parseDraft, storedText } from './stored-drafts.ts';

const PREFIX = 'strata-drafts';

/** The owner of drafts: a user in an organization. */
export interface DraftsOwner {
  readonly personId: string;
  readonly organizationId: string;
}

/** The subset of `window` that the store uses: the storage and its events. */
export interface BrowserWindow {
  readonly localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;
  addEventListener(type: 'storage', listener: (event: { readonly key: string | null }) => void): void;
}

/**
 * The drafts of one user in one organization. The browser stores them, and all its tabs share them. Each draft is stored separately and is
 * read again before it is changed, so that concurrent tabs do not overwrite each other's drafts.
 */
export class DraftsStore {
  private state: DraftHistory = NO_DRAFTS;
  /** The keys of drafts that could not be stored. */
  private readonly unstored = new Set<string>();
  private readonly listeners = new Set<() => void>();
  private readonly prefix: string;

  constructor(
    private readonly room: BrowserWindow,
    owner: DraftsOwner,
  ) {
    this.prefix = `${PREFIX}:${owner.personId}:${owner.organizationId}:`;
    this.reload(this.storedKeys());
    room.addEventListener('storage', ({ key }) => {
      // The browser reports a null key when the whole storage was cleared.
      if (key === null) this.reload([...this.state.drafts.keys(), ...this.storedKeys()]);
      else if (key.startsWith(this.prefix)) this.reload([key.slice(this.prefix.length)]);
    });
  }

  /** Returns the current state. The object is the same until something changes. */
  readonly current = (): DraftHistory => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly stage = (typedDrafts: TypedDraft | readonly TypedDraft[], discardedKeys: readonly string[] = []): void => {
    const drafts = [typedDrafts].flat().map((draft) => ({ ...draft, typing: nextTyping() }));
    this.change([...drafts.map(draftKey), ...discardedKeys], (state) => stageDrafts(state, drafts, discardedKeys));
  };
  readonly discard = (keys: Iterable<string>): void => {
    const all = [...keys];
    this.change(all, (state) => discardDrafts(state, all));
  };
  readonly settle = (sentDrafts: Drafts): Drafts => {
    this.change(sentDrafts.keys(), (state) => removeApplied(state, sentDrafts));
    return new Map([...this.state.drafts].filter(([key]) => sentDrafts.has(key)));
  };
  readonly move = (moves: DraftMoves): void => {
    const after = [...moves.values()].flatMap(({ to }) => (to ? [draftKey(to)] : []));
    this.change([...moves.keys(), ...after], (state) => moveDrafts(state, moves));
  };
  readonly undo = (): void => this.change(listKeys(this.state.past.at(-1)), undoLastStep);
  readonly redo = (): void => this.change(listKeys(this.state.future.at(-1)), redoStep);
  /** Removes all drafts, including the stored ones. */
  readonly clear = (): void => this.change(this.storedKeys(), () => NO_DRAFTS);

  /** Returns whether the drafts would survive a reload. They would not if the storage is full or disabled. */
  readonly areKept = (): boolean => this.unstored.size === 0;

  /** Changes the drafts, after reloading the drafts with the given keys from storage. */
  private change(keys: Iterable<string>, to: (state: DraftHistory) => DraftHistory): void {
    this.reload(keys);
    const before = this.state;
    const next = to(before);
    if (next === before) return;
    const changedKeys = new Set([...before.drafts.keys(), ...next.drafts.keys()]);
    for (const key of changedKeys) {
      const draft = next.drafts.get(key);
      if (draft !== before.drafts.get(key) || this.unstored.has(key)) this.store(key, draft);
    }
    this.take(next);
  }

  /** Reloads drafts from storage, which other tabs may have changed. */
  private reload(keys: Iterable<string>): void {
    const changedDrafts = new Map<string, Draft | null>();
    for (const key of keys) {
      const text = this.stored(key);
      const currentDraft = this.state.drafts.get(key);
      // A draft that could not be stored is newer than the stored one, so it stays.
      if (this.unstored.has(key) && currentDraft && (parseDraft(text)?.typing ?? 0) <= currentDraft.typing) continue;
      if (text === (currentDraft ? storedText(currentDraft) : null)) continue;
      this.unstored.delete(key);
      changedDrafts.set(key, parseDraft(text));
    }
    if (changedDrafts.size > 0) this.take(mergeStored(this.state, changedDrafts));
  }

  private store(key: string, draft: Draft | undefined): void {
    try {
      if (draft) this.room.localStorage.setItem(this.prefix + key, storedText(draft));
      else this.room.localStorage.removeItem(this.prefix + key);
      this.unstored.delete(key);
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      if (draft) this.unstored.add(key);
      else this.unstored.delete(key);
    }
  }

  private stored(key: string): string | null {
    try {
      return this.room.localStorage.getItem(this.prefix + key);
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      return null;
    }
  }

  /** Returns the keys of the stored drafts in the order in which the drafts were typed. */
  private storedKeys(): readonly string[] {
    try {
      // If the storage is disabled, the access itself throws.
      const { localStorage: storage } = this.room;
      const names = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
      return names
        .filter((name) => name.startsWith(this.prefix))
        .map((name) => name.slice(this.prefix.length))
        .map((key) => ({ key, typing: parseDraft(this.stored(key))?.typing ?? 0 }))
        .sort((left, right) => left.typing - right.typing)
        .map(({ key }) => key);
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      return [];
    }
  }

  private take(next: DraftHistory): void {
    this.state = next;
    for (const listener of this.listeners) listener();
  }
}

let lastTyping = 0;
/** Returns an increasing number. The random fraction distinguishes two tabs in the same millisecond. */
function nextTyping(): number {
  lastTyping = Math.max(Date.now() + Math.random(), lastTyping + 1);
  return lastTyping;
}

import {
  type Draft,
  type DraftHistory,
  type DraftMoves,
  type Drafts,
  discardDrafts,
  draftKey,
  keysOf,
  mergeStored,
  moveDrafts,
  NO_DRAFTS,
  redoStep,
  removeApplied,
  stageDraft,
  type TypedDraft,
  undoStep,
} from '../../lib/draft.ts';
import { draftIn, storedText } from './stored-drafts.ts';

const PREFIX = 'strata-drafts';

/** The owner of drafts: a user in an organization, in this browser. */
export interface DraftsOwner {
  readonly personId: string;
  readonly organizationId: string;
}

/** The used parts of the browser's storage and its events. */
export interface BrowserWindow {
  readonly localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;
  addEventListener(type: 'storage', listener: (event: { readonly key: string | null }) => void): void;
}

/**
 * The drafts of one user in one organization, which the browser stores and all its tabs share. Each draft is stored separately, and
 * read again before it is changed, so that tabs that write at the same time do not overwrite each other.
 */
export class DraftsStore {
  private state: DraftHistory = NO_DRAFTS;
  /** The keys of drafts that could not be stored. */
  private readonly unkept = new Set<string>();
  private readonly listeners = new Set<() => void>();
  private readonly prefix: string;

  constructor(
    private readonly room: BrowserWindow,
    owner: DraftsOwner,
  ) {
    this.prefix = `${PREFIX}:${owner.personId}:${owner.organizationId}:`;
    this.hear(this.storedKeys());
    room.addEventListener('storage', ({ key }) => {
      // A null key means that the whole storage was cleared.
      if (key === null) this.hear([...this.state.drafts.keys(), ...this.storedKeys()]);
      else if (key.startsWith(this.prefix)) this.hear([key.slice(this.prefix.length)]);
    });
  }

  /** Returns the same object until something changes. */
  readonly current = (): DraftHistory => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly stage = (draft: TypedDraft): void =>
    this.change([draftKey(draft)], (state) => stageDraft(state, { ...draft, typing: nextTyping() }));
  readonly discard = (keys: Iterable<string>): void => {
    const all = [...keys];
    this.change(all, (state) => discardDrafts(state, all));
  };
  readonly settle = (sent: Drafts): Drafts => {
    this.change(sent.keys(), (state) => removeApplied(state, sent));
    return new Map([...this.state.drafts].filter(([key]) => sent.has(key)));
  };
  readonly move = (moves: DraftMoves): void => {
    const after = [...moves.values()].flatMap(({ to }) => (to ? [draftKey(to)] : []));
    this.change([...moves.keys(), ...after], (state) => moveDrafts(state, moves));
  };
  readonly undo = (): void => this.change(keysOf(this.state.past.at(-1)), undoStep);
  readonly redo = (): void => this.change(keysOf(this.state.future.at(-1)), redoStep);
  /** Removes all drafts, also from the storage. */
  readonly clear = (): void => this.change(this.storedKeys(), () => NO_DRAFTS);

  /** Whether the drafts would survive a reload. They do not if the storage is full or disabled. */
  readonly areKept = (): boolean => this.unkept.size === 0;

  /** Changes drafts, after reading those with the given keys again. */
  private change(keys: Iterable<string>, to: (state: DraftHistory) => DraftHistory): void {
    this.hear(keys);
    const before = this.state;
    const next = to(before);
    if (next === before) return;
    const changed = new Set([...before.drafts.keys(), ...next.drafts.keys()]);
    for (const key of changed) {
      const draft = next.drafts.get(key);
      if (draft !== before.drafts.get(key) || this.unkept.has(key)) this.keep(key, draft);
    }
    this.take(next);
  }

  /** Loads the drafts that other tabs have stored. */
  private hear(keys: Iterable<string>): void {
    const told = new Map<string, Draft | null>();
    for (const key of keys) {
      const text = this.stored(key);
      const known = this.state.drafts.get(key);
      // Drafts that could not be stored exist only in this tab.
      if (this.unkept.has(key) && known && (draftIn(text)?.typing ?? 0) <= known.typing) continue;
      if (text === (known ? storedText(known) : null)) continue;
      this.unkept.delete(key);
      told.set(key, draftIn(text));
    }
    if (told.size > 0) this.take(mergeStored(this.state, told));
  }

  private keep(key: string, draft: Draft | undefined): void {
    try {
      if (draft) this.room.localStorage.setItem(this.prefix + key, storedText(draft));
      else this.room.localStorage.removeItem(this.prefix + key);
      this.unkept.delete(key);
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      if (draft) this.unkept.add(key);
      else this.unkept.delete(key);
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

  /** Reads the stored drafts in the order in which they were typed. */
  private storedKeys(): readonly string[] {
    try {
      // A disabled storage throws on access.
      const { localStorage: storage } = this.room;
      const names = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
      return names
        .filter((name) => name.startsWith(this.prefix))
        .map((name) => name.slice(this.prefix.length))
        .map((key) => ({ key, typing: draftIn(this.stored(key))?.typing ?? 0 }))
        .sort((one, other) => one.typing - other.typing)
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
/** Returns a growing number. Its fraction distinguishes inputs of two tabs in the same millisecond. */
function nextTyping(): number {
  lastTyping = Math.max(Date.now() + Math.random(), lastTyping + 1);
  return lastTyping;
}

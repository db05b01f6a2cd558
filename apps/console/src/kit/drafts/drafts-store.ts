import {
  type Draft,
  type DraftMoves,
  type Drafts,
  type DraftsWithPast,
  discarded,
  draftKey,
  joined,
  keysOf,
  moved,
  NO_DRAFTS,
  redone,
  settled,
  staged,
  type TypedDraft,
  undone,
} from '../../lib/draft.ts';
import { draftIn, storedText } from './stored-drafts.ts';

const PREFIX = 'strata-drafts';

/** Whose drafts: they belong to a person in an organization, on this browser. */
export interface DraftsOwner {
  readonly personId: string;
  readonly organizationId: string;
}

/** What a browser's storage and its other tabs are asked for. */
export interface DraftsRoom {
  readonly localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;
  addEventListener(type: 'storage', listener: (event: { readonly key: string | null }) => void): void;
}

/**
 * The drafts of one person in one organization: kept by the browser, and the same in all its tabs. Each is stored by itself, and
 * read again before it is changed, so that tabs which write at the same time do not lose what the others have written.
 */
export class DraftsStore {
  private state: DraftsWithPast = NO_DRAFTS;
  /** Keys of drafts that the storage did not take. */
  private readonly unkept = new Set<string>();
  private readonly listeners = new Set<() => void>();
  private readonly prefix: string;

  constructor(
    private readonly room: DraftsRoom,
    owner: DraftsOwner,
  ) {
    this.prefix = `${PREFIX}:${owner.personId}:${owner.organizationId}:`;
    this.hear(this.storedKeys());
    room.addEventListener('storage', ({ key }) => {
      // null: everything was cleared
      if (key === null) this.hear([...this.state.drafts.keys(), ...this.storedKeys()]);
      else if (key.startsWith(this.prefix)) this.hear([key.slice(this.prefix.length)]);
    });
  }

  /** The same object until something changes. */
  readonly current = (): DraftsWithPast => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly stage = (draft: TypedDraft): void =>
    this.change([draftKey(draft)], (state) => staged(state, { ...draft, typing: nextTyping() }));
  readonly discard = (keys: Iterable<string>): void => {
    const all = [...keys];
    this.change(all, (state) => discarded(state, all));
  };
  readonly settle = (sent: Drafts): Drafts => {
    this.change(sent.keys(), (state) => settled(state, sent));
    return new Map([...this.state.drafts].filter(([key]) => sent.has(key)));
  };
  readonly move = (moves: DraftMoves): void => {
    const after = [...moves.values()].flatMap(({ to }) => (to ? [draftKey(to)] : []));
    this.change([...moves.keys(), ...after], (state) => moved(state, moves));
  };
  readonly undo = (): void => this.change(keysOf(this.state.past.at(-1)), undone);
  readonly redo = (): void => this.change(keysOf(this.state.future.at(-1)), redone);
  /** Takes everything away, here and in the storage. */
  readonly clear = (): void => this.change(this.storedKeys(), () => NO_DRAFTS);

  /** Whether the drafts would survive a reload. A storage that is full, or switched off, keeps what it had; this tab goes on. */
  readonly areKept = (): boolean => this.unkept.size === 0;

  /** Changes drafts, of which those with the given keys are read again before. */
  private change(keys: Iterable<string>, to: (state: DraftsWithPast) => DraftsWithPast): void {
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

  /** Takes over what other tabs have stored. */
  private hear(keys: Iterable<string>): void {
    const told = new Map<string, Draft | null>();
    for (const key of keys) {
      const text = this.stored(key);
      const known = this.state.drafts.get(key);
      // Nobody else knows of what the storage did not take.
      if (this.unkept.has(key) && known && (draftIn(text)?.typing ?? 0) <= known.typing) continue;
      if (text === (known ? storedText(known) : null)) continue;
      this.unkept.delete(key);
      told.set(key, draftIn(text));
    }
    if (told.size > 0) this.take(joined(this.state, told));
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

  /** In the order in which they were typed. */
  private storedKeys(): readonly string[] {
    try {
      // Where it is switched off, to ask for it is refused already.
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

  private take(next: DraftsWithPast): void {
    this.state = next;
    for (const listener of this.listeners) listener();
  }
}

let lastTyping = 0;
/** Greater than those before; the fraction tells apart what two tabs type in the same millisecond. */
function nextTyping(): number {
  lastTyping = Math.max(Date.now() + Math.random(), lastTyping + 1);
  return lastTyping;
}

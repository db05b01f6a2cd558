import {
  type Draft,
  type Drafts,
  type DraftsWithPast,
  discarded,
  joined,
  moved,
  NO_DRAFTS,
  redone,
  settled,
  staged,
  undone,
} from './draft.ts';
import { draftsIn, storedText } from './stored-drafts.ts';

const PREFIX = 'strata-drafts';

/** Whose drafts: they belong to a person in an organization, on this browser. */
export interface DraftsOwner {
  readonly personId: string;
  readonly organizationId: string;
}

/** What a browser's storage and its other tabs are asked for. */
export interface DraftsRoom {
  readonly localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  addEventListener(type: 'storage', listener: (event: { readonly key: string | null }) => void): void;
}

/** The drafts of one person in one organization: kept by the browser, and the same in all its tabs. */
export class DraftsStore {
  private state: DraftsWithPast = NO_DRAFTS;
  private isKept = true;
  private readonly listeners = new Set<() => void>();
  private readonly storedAs: string;

  constructor(
    private readonly room: DraftsRoom,
    owner: DraftsOwner,
  ) {
    this.storedAs = `${PREFIX}:${owner.personId}:${owner.organizationId}`;
    this.state = { ...NO_DRAFTS, drafts: this.read() };
    room.addEventListener('storage', ({ key }) => {
      // null: everything was cleared
      if (key === this.storedAs || key === null) this.take(joined(this.state, this.read()));
    });
  }

  /** The same object until something changes. */
  readonly current = (): DraftsWithPast => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly stage = (draft: Draft): void => this.change(staged(this.state, draft));
  readonly discard = (keys: Iterable<string>): void => this.change(discarded(this.state, keys));
  readonly settle = (keys: Iterable<string>): void => this.change(settled(this.state, keys));
  readonly move = (byKey: ReadonlyMap<string, Draft | null>): void => this.change(moved(this.state, byKey));
  readonly undo = (): void => this.change(undone(this.state));
  readonly redo = (): void => this.change(redone(this.state));
  /** Takes everything away, here and in the storage. */
  readonly clear = (): void => this.change(NO_DRAFTS);

  /** Whether the drafts would survive a reload. A storage that is full, or switched off, keeps what it had; this tab goes on. */
  readonly areKept = (): boolean => this.isKept;

  private change(next: DraftsWithPast): void {
    if (next === this.state) return;
    this.isKept = this.keep(next.drafts);
    this.take(next);
  }

  private keep(drafts: Drafts): boolean {
    try {
      if (drafts.size === 0) this.room.localStorage.removeItem(this.storedAs);
      else this.room.localStorage.setItem(this.storedAs, storedText(drafts));
      return true;
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      return drafts.size === 0;
    }
  }

  private read(): Drafts {
    try {
      return draftsIn(this.room.localStorage.getItem(this.storedAs));
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      return this.state.drafts;
    }
  }

  private take(next: DraftsWithPast): void {
    this.state = next;
    for (const listener of this.listeners) listener();
  }
}

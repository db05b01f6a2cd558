import { type Draft, draftKey, type TypedDraft } from '../../lib/draft.ts';
import { type BrowserWindow, DraftsStore } from './drafts-store.ts';

const OWNER = { personId: 'ada', organizationId: 'org' };
const draft = (name: string, more: Partial<TypedDraft> = {}): TypedDraft => ({
  projectId: 'web',
  projectName: 'web',
  environmentId: 'production',
  environmentName: 'production',
  parameterId: name,
  name,
  isSecret: false,
  isForeign: false,
  edit: { kind: 'set', text: 'good day', dynamic: false },
  base: { revision: 7, valueId: null, ledgerId: null, text: 'hello' },
  ...more,
});

/** Simulates the storage of a browser with several tabs. Each tab receives events for the writes of the other tabs. */
class Tabs {
  readonly stored = new Map<string, string>();
  private readonly rooms: { listener(event: { readonly key: string | null }): void }[] = [];
  private waiting: (() => void)[] | null = null;
  isFull = false;

  /** Delays these events until a function has run. */
  together(done: () => void): void {
    this.waiting = [];
    done();
    const delayed = this.waiting;
    this.waiting = null;
    for (const tell of delayed) tell();
  }

  open(): BrowserWindow {
    const room = { listener: (_: { readonly key: string | null }) => {} };
    this.rooms.push(room);
    const { stored } = this;
    const tell = (key: string) => {
      const notifyOthers = () => {
        for (const otherRoom of this.rooms) if (otherRoom !== room) otherRoom.listener({ key });
      };
      if (this.waiting) this.waiting.push(notifyOthers);
      else notifyOthers();
    };
    return {
      localStorage: {
        get length() {
          return stored.size;
        },
        key: (at) => [...stored.keys()][at] ?? null,
        getItem: (key) => stored.get(key) ?? null,
        setItem: (key, text) => {
          if (this.isFull) throw new DOMException('', 'QuotaExceededError');
          const isNews = stored.get(key) !== text;
          stored.set(key, text);
          if (isNews) tell(key);
        },
        removeItem: (key) => {
          if (stored.delete(key)) tell(key);
        },
      },
      addEventListener: (_, listener) => {
        room.listener = listener;
      },
    };
  }
}

const only = (store: DraftsStore): Draft => {
  const [first] = store.current().drafts.values();
  if (!first) throw new Error('There is no draft.');
  return first;
};
const createEdit = (text: string) => ({ edit: { kind: 'set', text, dynamic: false } }) as const;
const names = (store: DraftsStore) => [...store.current().drafts.values()].map(({ name }) => name);

describe('the drafts of a user', () => {
  it('are loaded in a new tab and shared by all tabs', () => {
    const tabs = new Tabs();
    const first = new DraftsStore(tabs.open(), OWNER);
    first.stage(draft('A'));
    const second = new DraftsStore(tabs.open(), OWNER);
    let notifications = 0;
    second.subscribe(() => {
      notifications += 1;
    });
    first.stage(draft('B'));

    expect(names(second)).toEqual(['A', 'B']);
    expect(notifications).toBe(1);
    second.discard(second.current().drafts.keys());
    expect(names(first)).toEqual([]);
  });

  it('are separate for each user and organization', () => {
    const tabs = new Tabs();
    new DraftsStore(tabs.open(), OWNER).stage(draft('A'));

    expect(names(new DraftsStore(tabs.open(), { ...OWNER, personId: 'bob' }))).toEqual([]);
    expect(names(new DraftsStore(tabs.open(), { ...OWNER, organizationId: 'other' }))).toEqual([]);
  });

  it('leave nothing in the storage when they are cleared', () => {
    const tabs = new Tabs();
    const store = new DraftsStore(tabs.open(), OWNER);
    store.stage(draft('A'));
    store.clear();

    expect([tabs.stored.size, names(store), store.current().past]).toEqual([0, [], []]);
  });

  it('stay in their tab while the storage is full, and this is reported', () => {
    const tabs = new Tabs();
    const store = new DraftsStore(tabs.open(), OWNER);
    tabs.isFull = true;
    store.stage(draft('A'));
    expect([names(store), store.areKept()]).toEqual([['A'], false]);

    tabs.isFull = false;
    store.stage(draft('B'));
    expect([names(new DraftsStore(tabs.open(), OWNER)), store.areKept()]).toEqual([['A', 'B'], true]);
  });

  it('that could not be stored survive the writes of other tabs', () => {
    const tabs = new Tabs();
    const [store, otherStore] = [new DraftsStore(tabs.open(), OWNER), new DraftsStore(tabs.open(), OWNER)];
    store.stage(draft('A', createEdit('kept')));
    tabs.isFull = true;
    store.stage(draft('A', createEdit('not kept')));
    store.stage(draft('B'));
    tabs.isFull = false;
    otherStore.stage(draft('C'));

    expect(names(store)).toEqual(['A', 'B', 'C']);
    expect(only(store).edit).toMatchObject({ text: 'not kept' });
  });

  it('of two tabs that write at the same time are all stored', () => {
    const tabs = new Tabs();
    const [store, otherStore] = [new DraftsStore(tabs.open(), OWNER), new DraftsStore(tabs.open(), OWNER)];
    store.stage(draft('A'));
    const from = only(otherStore);
    tabs.together(() => {
      store.stage(draft('B'));
      store.stage(draft('A', createEdit('typed since')));
      otherStore.move(new Map([[draftKey(from), { from, to: { ...from, base: { ...from.base, ledgerId: 'l' } } }]]));
      otherStore.stage(draft('C'));
    });

    for (const tab of [store, otherStore, new DraftsStore(tabs.open(), OWNER)]) {
      expect([...names(tab)].sort()).toEqual(['A', 'B', 'C']);
      expect([...tab.current().drafts.values()].find(({ name }) => name === 'A')?.edit).toMatchObject({
        text: 'typed since',
      });
    }
  });

  it('of a secret have the text that was typed last in either of two tabs', () => {
    const tabs = new Tabs();
    const [store, otherStore] = [new DraftsStore(tabs.open(), OWNER), new DraftsStore(tabs.open(), OWNER)];
    store.stage(draft('TOKEN', { isSecret: true, ...createEdit('older') }));
    const sent = store.current().drafts;
    otherStore.stage(draft('TOKEN', { isSecret: true, ...createEdit('newer') }));

    expect(only(store).edit).toEqual({ kind: 'retype' });
    expect([...store.settle(sent).keys()]).toEqual([...sent.keys()]);
    expect(only(otherStore).edit).toMatchObject({ text: 'newer' });
  });
});

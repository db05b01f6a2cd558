import type { Draft } from './draft.ts';
import { type DraftsRoom, DraftsStore } from './drafts-store.ts';

const OWNER = { personId: 'ada', organizationId: 'org' };
const draft = (name: string, more: Partial<Draft> = {}): Draft => ({
  projectId: 'web',
  projectName: 'web',
  environmentId: 'production',
  environmentName: 'production',
  parameterId: name,
  name,
  isSecret: false,
  isForeign: false,
  wish: { kind: 'set', text: 'good day', dynamic: false },
  base: { revision: 7, valueId: null, ledgerId: null, text: 'hello' },
  ...more,
});

/** A browser's storage as its tabs see it: each hears what the others have written. */
class Tabs {
  readonly kept = new Map<string, string>();
  private readonly rooms: { listener(event: { readonly key: string | null }): void }[] = [];
  isFull = false;

  open(): DraftsRoom {
    const room = { listener: (_: { readonly key: string | null }) => {} };
    this.rooms.push(room);
    const tell = (key: string) => {
      for (const other of this.rooms) if (other !== room) other.listener({ key });
    };
    return {
      localStorage: {
        getItem: (key) => this.kept.get(key) ?? null,
        setItem: (key, text) => {
          if (this.isFull) throw new DOMException('', 'QuotaExceededError');
          this.kept.set(key, text);
          tell(key);
        },
        removeItem: (key) => {
          this.kept.delete(key);
          tell(key);
        },
      },
      addEventListener: (_, listener) => {
        room.listener = listener;
      },
    };
  }
}

const names = (store: DraftsStore) => [...store.current().drafts.values()].map(({ name }) => name);

describe('the drafts of a person', () => {
  it('are there again in a new tab, and the same in all of them', () => {
    const tabs = new Tabs();
    const first = new DraftsStore(tabs.open(), OWNER);
    first.stage(draft('A'));
    const second = new DraftsStore(tabs.open(), OWNER);
    let told = 0;
    second.subscribe(() => {
      told += 1;
    });
    first.stage(draft('B'));

    expect(names(second)).toEqual(['A', 'B']);
    expect(told).toBe(1);
    second.discard(second.current().drafts.keys());
    expect(names(first)).toEqual([]);
  });

  it('are not those of somebody else, nor of another organization', () => {
    const tabs = new Tabs();
    new DraftsStore(tabs.open(), OWNER).stage(draft('A'));

    expect(names(new DraftsStore(tabs.open(), { ...OWNER, personId: 'bob' }))).toEqual([]);
    expect(names(new DraftsStore(tabs.open(), { ...OWNER, organizationId: 'other' }))).toEqual([]);
  });

  it('leave nothing behind when they are cleared', () => {
    const tabs = new Tabs();
    const store = new DraftsStore(tabs.open(), OWNER);
    store.stage(draft('A'));
    store.clear();

    expect([tabs.kept.size, names(store), store.current().past]).toEqual([0, [], []]);
  });

  it('are still there in their tab when the storage is full, which is told until they are kept', () => {
    const tabs = new Tabs();
    const store = new DraftsStore(tabs.open(), OWNER);
    tabs.isFull = true;
    store.stage(draft('A'));
    expect([names(store), store.areKept()]).toEqual([['A'], false]);

    tabs.isFull = false;
    store.stage(draft('B'));
    expect([names(new DraftsStore(tabs.open(), OWNER)), store.areKept()]).toEqual([['A', 'B'], true]);
  });
});

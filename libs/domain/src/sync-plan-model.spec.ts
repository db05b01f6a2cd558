import fc from 'fast-check';
import { expectedHash, type KeyRecord, keptImport, mustReadKey, planSync, type StoreKey } from './sync-plan.ts';

const PUSHES = ['push-1', 'push-2'] as const;
const KEYS = ['a', 'b', 'c'] as const;
type PushName = (typeof PUSHES)[number];

interface ModelKey {
  readonly text: string;
  readonly version: string;
  readonly owner: string | null;
  readonly isDeleted: boolean;
}

type Step =
  | { readonly is: 'person writes'; readonly key: string; readonly text: string }
  | { readonly is: 'person deletes'; readonly key: string; readonly isRecoverable: boolean }
  | { readonly is: 'person removes the mark'; readonly key: string }
  | { readonly is: 'values change'; readonly push: PushName; readonly texts: Readonly<Record<string, string>> }
  /** `back` is the number of revisions that the tag stays behind the latest one. */
  | { readonly is: 'tag moves'; readonly push: PushName; readonly back: number }
  /** `crashAt` counts the moments between two actions at which the process can end. */
  | {
      readonly is: 'push runs';
      readonly push: PushName;
      readonly crashAt: number;
      readonly drift: 'import' | 'report';
    };

const key = fc.constantFrom(...KEYS);
const push = fc.constantFrom(...PUSHES);
/** People and Strata use different texts, so the text says who wrote it. */
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ is: fc.constant('person writes' as const), key, text: fc.constantFrom('person 1', 'person 2') }),
  fc.record({ is: fc.constant('person deletes' as const), key, isRecoverable: fc.boolean() }),
  fc.record({ is: fc.constant('person removes the mark' as const), key }),
  fc.record({
    is: fc.constant('values change' as const),
    push,
    texts: fc.dictionary(key, fc.constantFrom('strata 1', 'strata 2', 'strata 3'), { noNullPrototype: true }),
  }),
  fc.record({ is: fc.constant('tag moves' as const), push, back: fc.oneof(fc.constant(0), fc.nat(5)) }),
  fc.record({
    is: fc.constant('push runs' as const),
    push,
    crashAt: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(8)),
    drift: fc.constantFrom('report' as const, 'import' as const),
  }),
);

/** A push that has written its keys. Random steps alone seldom import a text. */
const USED: readonly Step[] = [
  { is: 'values change', push: 'push-1', texts: { a: 'strata 1', b: 'strata 2' } },
  { is: 'tag moves', push: 'push-1', back: 0 },
  { is: 'push runs', push: 'push-1', drift: 'report', crashAt: Number.POSITIVE_INFINITY },
];

/** A store, and two pushes that write to the same keys as the engine does. Every write is checked. */
class Model {
  readonly store = new Map<string, ModelKey>();
  /** The values as they are now, and as they were at the tag of each push. */
  readonly values: Record<PushName, Readonly<Record<string, string>>> = { 'push-1': {}, 'push-2': {} };
  readonly texts: Record<PushName, Readonly<Record<string, string>>> = { 'push-1': {}, 'push-2': {} };
  readonly tags: Record<PushName, number> = { 'push-1': 0, 'push-2': 0 };
  /** The values of each push at each revision. */
  private readonly history: Record<PushName, Readonly<Record<string, string>>>[] = [{ 'push-1': {}, 'push-2': {} }];
  imports = 0;
  /** The revisions of imports that no complete run has found at the tag, by push and key. */
  private readonly openImports = new Map<string, number>();
  /** The texts that a push has written or imported last, by push and key. Several, if the end of a write is unknown. */
  private readonly ownTexts = new Map<string, readonly string[]>();
  readonly records: Record<PushName, Map<string, KeyRecord>> = { 'push-1': new Map(), 'push-2': new Map() };
  writes = 0;
  private versions = 0;

  take(next: Step): void {
    switch (next.is) {
      case 'person writes':
        this.put(next.key, { text: next.text, owner: this.store.get(next.key)?.owner ?? null });
        break;
      case 'person deletes': {
        const entry = this.store.get(next.key);
        if (!entry || !next.isRecoverable) this.store.delete(next.key);
        else this.store.set(next.key, { ...entry, isDeleted: true });
        break;
      }
      case 'person removes the mark': {
        const entry = this.store.get(next.key);
        if (entry) this.store.set(next.key, { ...entry, owner: null });
        break;
      }
      case 'values change':
        this.setValues(next.push, next.texts);
        break;
      case 'tag moves': {
        const revision = Math.max(0, this.revision - next.back);
        this.tags[next.push] = revision;
        this.texts[next.push] = this.history[revision]?.[next.push] ?? {};
        break;
      }
      case 'push runs':
        this.run(next.push, next.drift, next.crashAt);
    }
  }

  private get revision(): number {
    return this.history.length - 1;
  }

  private setValues(name: PushName, texts: Readonly<Record<string, string>>): void {
    this.values[name] = texts;
    this.history.push({ ...this.values });
  }

  /** Runs until the end or the crash. */
  run(name: PushName, drift: 'import' | 'report', crashAt = Number.POSITIVE_INFINITY): void {
    let stateCount = 0;
    const survives = () => {
      stateCount += 1;
      return stateCount <= crashAt;
    };
    const records = this.records[name];
    const entries = this.plan(name, drift);
    for (const { key: planned, action } of entries) {
      const text = this.texts[name][planned] ?? '';
      const expected = this.expected(name, planned);
      const record = records.get(planned) ?? { key: planned, writtenHash: null, version: null, started: null };
      if (action === 'forget') records.delete(planned);
      if (action === 'restore') this.restore(name, planned);
      if (action === 'confirm')
        records.set(planned, { ...this.finished(planned, expected), imported: keptImport(record, expected !== text) });
      if (action === 'import') this.importText(name, planned, record);
      if (action === 'create' || action === 'update') {
        records.set(planned, { ...record, started: { action: 'write', hash: text } });
        if (!survives()) return;
        this.write(name, planned, text, action);
        if (!survives()) return;
        records.set(planned, this.finished(planned, text));
        this.ownTexts.set(`${name} ${planned}`, [text]);
      }
      if (action === 'delete') {
        records.set(planned, { ...record, started: { action: 'remove' } });
        if (!survives()) return;
        this.assertOurs(name, planned);
        this.store.set(planned, { ...(this.store.get(planned) as ModelKey), isDeleted: true });
        if (!survives()) return;
        records.set(planned, { ...record, started: { action: 'removed' } });
      }
      if (!survives()) return;
    }
    for (const { key: planned, state } of entries) {
      const isContained = this.tags[name] >= (this.openImports.get(`${name} ${planned}`) ?? Number.POSITIVE_INFINITY);
      if (state === 'in_sync' && isContained) this.openImports.delete(`${name} ${planned}`);
    }
  }

  /** A key in sync has the text at the tag, or an imported one that the tag has not contained yet. */
  assertInSync(name: PushName, k: string): void {
    const isImported = this.store.get(k)?.text === this.texts[name][k] || this.openImports.has(`${name} ${k}`);
    if (!isImported) throw new Error(`${name} reports ${k} in sync, which does not have the text at the tag.`);
  }

  /** The changeset and the record are one transaction. */
  private importText(name: PushName, k: string, record: KeyRecord): void {
    const { text } = this.store.get(k) as ModelKey;
    const value = this.values[name][k];
    if (value !== text) {
      if (value !== record.writtenHash) throw new Error(`${name} replaced a change of ${k} in Strata.`);
      this.setValues(name, { ...this.values[name], [k]: text });
      this.imports += 1;
    }
    this.ownTexts.set(`${name} ${k}`, [text]);
    this.openImports.set(`${name} ${k}`, this.revision);
    const imported = { replacedHash: this.texts[name][k] ?? '', revision: this.revision };
    this.records[name].set(k, { ...this.finished(k, text), imported });
  }

  private expected(name: PushName, k: string): string {
    const desired = { hash: this.texts[name][k] ?? '', revision: this.tags[name] };
    return expectedHash(desired, this.records[name].get(k));
  }

  private importProblem(name: PushName, k: string): string | null {
    const value = this.values[name][k];
    return value === this.records[name].get(k)?.writtenHash || value === this.store.get(k)?.text ? null : 'changed';
  }

  plan(name: PushName, drift: 'import' | 'report') {
    const records = this.records[name];
    return planSync({
      desired: Object.entries(this.texts[name]).map(([k, hash]) => {
        const expected = this.expected(name, k);
        const isImported = expected !== hash;
        return { key: k, hash: expected, problem: null, isImported, importProblem: this.importProblem(name, k) };
      }),
      records: [...records.values()],
      store: [...this.store].map(([k, entry]) => this.shown(name, k, entry)),
      drift,
      decisions: new Map(),
    });
  }

  private shown(name: PushName, k: string, { text, version, owner, isDeleted }: ModelKey): StoreKey {
    const listed = { key: k, version, isMarked: owner === name, isDeleted };
    const record = this.records[name].get(k);
    const hash = mustReadKey(record, listed) ? text : (record?.writtenHash ?? null);
    return { ...listed, hash: isDeleted ? null : hash };
  }

  private finished(k: string, text: string): KeyRecord {
    return { key: k, writtenHash: text, version: this.store.get(k)?.version ?? null, started: null };
  }

  private restore(name: PushName, k: string): void {
    const entry = this.store.get(k) as ModelKey;
    if (entry.owner !== name) throw new Error(`${name} restored the foreign key ${k}.`);
    this.store.set(k, { ...entry, isDeleted: false });
  }

  private write(name: PushName, k: string, text: string, action: 'create' | 'update'): void {
    if (action === 'create' && this.store.has(k)) throw new Error(`${name} created ${k}, which exists.`);
    if (action === 'update') this.assertOurs(name, k);
    if (action === 'update' && this.store.get(k)?.text === text) throw new Error(`${name} wrote an equal text.`);
    this.put(k, { text, owner: name });
    this.ownTexts.set(`${name} ${k}`, [...(this.ownTexts.get(`${name} ${k}`) ?? []), text]);
    this.writes += 1;
  }

  private assertOurs(name: PushName, k: string): void {
    const entry = this.store.get(k);
    const isOwnText = !entry?.text.startsWith('person') || this.ownTexts.get(`${name} ${k}`)?.includes(entry.text);
    if (!entry || entry.owner !== name || !isOwnText)
      throw new Error(`${name} changed the foreign key ${k}: ${JSON.stringify(entry)}`);
  }

  private put(k: string, { text, owner }: { readonly text: string; readonly owner: string | null }): void {
    this.versions += 1;
    this.store.set(k, { text, owner, version: `v${this.versions}`, isDeleted: false });
  }
}

describe('overlapping pushes beside people who change the store, with a crash at any moment', () => {
  it.each(['report', 'import'] as const)(
    'never change a foreign key, and write nothing when nothing differs: they %s drift',
    (drift) => {
      fc.assert(
        fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), fc.boolean(), fc.nat(3), (steps, isUsed, back) => {
          const model = new Model();
          if (isUsed) for (const next of USED) model.take(next);
          for (const next of steps) model.take(next);
          // The tags contain what was imported, and are moved back.
          if (isUsed) model.take({ is: 'person writes', key: 'a', text: 'person 3' });
          for (const name of PUSHES) {
            model.run(name, drift);
            model.take({ is: 'tag moves', push: name, back: 0 });
            model.run(name, drift);
            model.take({ is: 'tag moves', push: name, back });
          }
          for (const name of PUSHES) for (let run = 0; run < 3; run += 1) model.run(name, drift);
          const snapshot = () => JSON.stringify([model.writes, model.imports, [...model.store], model.values]);
          const before = snapshot();
          for (const name of PUSHES) model.run(name, drift);
          expect(snapshot()).toEqual(before);
          for (const name of PUSHES)
            for (const { key: settled, state } of model.plan(name, drift)) {
              expect([settled, state]).toEqual([settled, expect.stringMatching(/^(in_sync|drifted|foreign|missing)$/)]);
              if (state === 'in_sync') model.assertInSync(name, settled);
            }
        }),
        { numRuns: 400 },
      );
    },
  );
});

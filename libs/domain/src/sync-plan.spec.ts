import fc from 'fast-check';
import {
  type DesiredKey,
  type DriftPolicy,
  type KeyDecision,
  type KeyRecord,
  mustReadKey,
  planSync,
  type StoreKey,
} from './sync-plan.ts';

const desired = (hash = 'new', more: Partial<DesiredKey> = {}): DesiredKey => ({
  key: 'k',
  hash,
  problem: null,
  ...more,
});
const written = (more: Partial<KeyRecord> = {}): KeyRecord => ({
  ...{ key: 'k', writtenHash: 'old', version: 'v1', started: null },
  ...more,
});
const stored = (more: Partial<StoreKey> = {}): StoreKey => ({
  ...{ key: 'k', version: 'v1', isMarked: true, isDeleted: false, hash: 'old' },
  ...more,
});
const write = (hash: string) => ({ action: 'write', hash }) as const;
const REMOVE = { action: 'remove' } as const;
const REMOVED = { action: 'removed' } as const;
const overwrite = (version: string | null = 'v2') => ({ action: 'overwrite', version }) as const;

interface Case {
  readonly why: string;
  readonly desired?: DesiredKey;
  readonly record?: KeyRecord;
  readonly stored?: StoreKey;
  readonly drift?: DriftPolicy;
  readonly decision?: KeyDecision;
  readonly result: string;
}

const changed = stored({ version: 'v2', hash: 'theirs' });
const foreign = stored({ isMarked: false, version: 'v2', hash: null });

const CASES: readonly Case[] = [
  { why: 'creates a new key', desired: desired(), result: 'pending create new' },
  {
    why: 'does not write an equal text',
    desired: desired('old'),
    record: written(),
    stored: stored(),
    result: 'in_sync none equal',
  },
  {
    why: 'updates a changed text',
    desired: desired(),
    record: written(),
    stored: stored(),
    result: 'pending update changed',
  },
  { why: 'deletes an unused key of ours', record: written(), stored: stored(), result: 'pending delete unused' },
  {
    why: 'leaves a value that cannot be written',
    desired: desired('', { problem: 'empty' }),
    record: written(),
    stored: stored(),
    result: 'failed none cannot_write',
  },
  // foreign keys
  {
    why: 'leaves a key that it did not write',
    desired: desired(),
    stored: foreign,
    result: 'foreign none not_written_by_strata',
  },
  {
    why: 'leaves a key that another push marked',
    desired: desired(),
    record: written(),
    stored: foreign,
    result: 'foreign none mark_removed',
  },
  {
    why: 'leaves a deleted key that it did not write',
    desired: desired(),
    stored: { ...foreign, isDeleted: true },
    decision: overwrite(),
    result: 'foreign none not_written_by_strata',
  },
  {
    why: 'leaves a foreign key under every policy',
    desired: desired(),
    stored: foreign,
    drift: 'overwrite',
    result: 'foreign none not_written_by_strata',
  },
  {
    why: 'takes over a foreign key after a decision',
    desired: desired(),
    stored: foreign,
    decision: overwrite(),
    result: 'pending take_over decided',
  },
  {
    why: 'ignores a decision about another version',
    desired: desired(),
    stored: foreign,
    decision: overwrite('v1'),
    result: 'foreign none not_written_by_strata',
  },
  {
    why: 'forgets an unused key that lost its mark',
    record: written(),
    stored: foreign,
    result: 'foreign forget mark_removed',
  },
  // drift
  {
    why: 'reports drift',
    desired: desired(),
    record: written(),
    stored: changed,
    result: 'drifted none changed_elsewhere',
  },
  {
    why: 'overwrites drift if it may',
    desired: desired(),
    record: written(),
    stored: changed,
    drift: 'overwrite',
    result: 'pending update changed_elsewhere',
  },
  {
    why: 'imports drift if it should',
    desired: desired(),
    record: written(),
    stored: changed,
    drift: 'import',
    result: 'drifted import changed_elsewhere',
  },
  {
    why: 'overwrites drift after a decision',
    desired: desired(),
    record: written(),
    stored: changed,
    decision: overwrite(),
    result: 'pending update decided',
  },
  {
    why: 'never deletes a drifted key by itself',
    record: written(),
    stored: changed,
    drift: 'overwrite',
    result: 'drifted none changed_elsewhere',
  },
  {
    why: 'deletes a drifted key after a decision',
    record: written(),
    stored: changed,
    decision: { action: 'delete', version: 'v2' },
    result: 'pending delete decided',
  },
  {
    why: 'accepts a change to the desired text',
    desired: desired('theirs'),
    record: written(),
    stored: changed,
    result: 'in_sync confirm equal',
  },
  {
    why: 'leaves a text that became binary',
    desired: desired(),
    record: written(),
    stored: stored({ version: 'v2', hash: null }),
    result: 'drifted none changed_elsewhere',
  },
  // deletions that need a decision
  {
    why: 'leaves a key whose value may still exist',
    record: written({ removal: { is: 'undecided' } }),
    stored: stored(),
    result: 'pending none removal_undecided',
  },
  {
    why: 'deletes a key whose value may still exist after a decision',
    record: written({ removal: { is: 'undecided' } }),
    stored: stored(),
    decision: { action: 'delete', version: 'v1' },
    result: 'pending delete decided',
  },
  // encryption
  {
    why: 'replaces an equal text that is not encrypted and became secret',
    desired: desired('old', { isSecret: true }),
    record: written(),
    stored: stored({ isPlain: true }),
    result: 'pending update must_encrypt',
  },
  {
    why: 'leaves an equal text that is not encrypted and not secret',
    desired: desired('old', { isSecret: false }),
    record: written(),
    stored: stored({ isPlain: true }),
    result: 'in_sync none equal',
  },
  // keys that a person leaves
  {
    why: 'does not delete a key that a person leaves',
    record: written(),
    stored: stored(),
    decision: { action: 'leave', version: 'v1' },
    result: 'pending none decided',
  },
  {
    why: 'reports no error for a foreign key that a person leaves',
    desired: desired(),
    stored: foreign,
    decision: { action: 'leave', version: 'v2' },
    result: 'foreign none decided',
  },
  {
    why: 'deletes a key whose version is not the one that a person left',
    record: written(),
    stored: stored(),
    decision: { action: 'leave', version: 'v0' },
    result: 'pending delete unused',
  },
  {
    why: 'still reports a text that cannot be written',
    desired: desired('', { problem: 'empty' }),
    record: written(),
    stored: stored(),
    decision: { action: 'leave', version: 'v1' },
    result: 'failed none cannot_write',
  },
  // keys that are gone
  {
    why: 'creates a missing key again',
    desired: desired('old'),
    record: written(),
    result: 'missing create deleted_elsewhere',
  },
  {
    why: 'restores a key before it writes it',
    desired: desired(),
    record: written(),
    stored: stored({ isDeleted: true }),
    result: 'missing restore deleted_elsewhere',
  },
  { why: 'forgets an unused key that is gone', record: written(), result: 'missing forget unused' },
  // repairs
  {
    why: 'confirms a write whose end is unknown',
    desired: desired(),
    record: written({ started: write('new') }),
    stored: stored({ version: 'v2', hash: 'new' }),
    result: 'in_sync confirm equal',
  },
  {
    why: 'repeats a write that was not sent',
    desired: desired(),
    record: written({ started: write('new') }),
    stored: stored(),
    result: 'pending update changed',
  },
  {
    why: 'repeats a creation that was not sent',
    desired: desired(),
    record: written({ writtenHash: null, started: write('new') }),
    result: 'pending create new',
  },
  {
    why: 'confirms a creation whose end is unknown',
    desired: desired(),
    record: written({ writtenHash: null, version: null, started: write('new') }),
    stored: stored({ hash: 'new' }),
    result: 'in_sync confirm equal',
  },
  {
    why: 'leaves a key that another program created first',
    desired: desired(),
    record: written({ writtenHash: null, version: null, started: write('new') }),
    stored: foreign,
    result: 'foreign none not_written_by_strata',
  },
  {
    why: 'repeats a deletion that was not sent',
    record: written({ started: REMOVE }),
    stored: stored(),
    result: 'pending delete unused',
  },
  {
    why: 'keeps the record of a deleted key that can be restored',
    record: written({ started: REMOVE }),
    stored: stored({ isDeleted: true }),
    result: 'missing none unused',
  },
  {
    why: 'restores a key that it deleted before it writes it again',
    desired: desired(),
    record: written({ started: REMOVED }),
    stored: stored({ isDeleted: true }),
    result: 'pending restore new',
  },
  {
    why: 'updates a key that it has restored',
    desired: desired(),
    record: written({ started: REMOVED }),
    stored: stored(),
    result: 'pending update changed',
  },
  {
    why: 'does not delete again a key that another program has restored',
    record: written({ started: REMOVED }),
    stored: stored(),
    result: 'drifted none changed_elsewhere',
  },
];

describe('planSync', () => {
  it.each(CASES.map((entry) => [entry.why, entry] as const))('%s', (_, { result, ...facts }) => {
    const [plan, ...others] = planSync({
      desired: facts.desired ? [facts.desired] : [],
      records: facts.record ? [facts.record] : [],
      store: facts.stored ? [facts.stored] : [],
      drift: facts.drift ?? 'report',
      decisions: new Map(facts.decision ? [['k', facts.decision]] : []),
    });

    expect(`${plan?.state} ${plan?.action} ${plan?.reason}`).toBe(result);
    expect(others).toEqual([]);
  });
});

describe('a key whose value moves to another key', () => {
  const moved = written({ removal: { is: 'moved', to: 'new key' } });
  it.each([
    ['is deleted', 'the new key is written', undefined, 'delete unused'],
    ['stays', 'the new key is foreign', { ...foreign, key: 'new key' }, 'none removal_undecided'],
  ] as const)('%s if %s', (_, __, target, result) => {
    const plan = planSync({
      desired: [desired('old', { key: 'new key' })],
      records: [moved],
      store: [stored(), ...(target ? [target] : [])],
      drift: 'report',
      decisions: new Map(),
    });

    const entry = plan.find(({ key: planned }) => planned === 'k');
    expect(`${entry?.action} ${entry?.reason}`).toBe(result);
  });
});

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
  | { readonly is: 'push changes'; readonly push: PushName; readonly texts: Readonly<Record<string, string>> }
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
    is: fc.constant('push changes' as const),
    push,
    texts: fc.dictionary(key, fc.constantFrom('strata 1', 'strata 2', 'strata 3'), { noNullPrototype: true }),
  }),
  fc.record({
    is: fc.constant('push runs' as const),
    push,
    crashAt: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(8)),
    drift: fc.constantFrom('report' as const, 'import' as const),
  }),
);

/** A store, and two pushes that write to the same keys as the engine does. Every write is checked. */
class Model {
  readonly store = new Map<string, ModelKey>();
  readonly texts: Record<PushName, Readonly<Record<string, string>>> = { 'push-1': {}, 'push-2': {} };
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
      case 'push changes':
        this.texts[next.push] = next.texts;
        break;
      case 'push runs':
        this.run(next.push, next.drift, next.crashAt);
    }
  }

  /** Runs until the end or the crash. */
  run(name: PushName, drift: 'import' | 'report', crashAt = Number.POSITIVE_INFINITY): void {
    let moments = 0;
    const survives = () => {
      moments += 1;
      return moments <= crashAt;
    };
    const records = this.records[name];
    for (const { key: planned, action } of this.plan(name, drift)) {
      const text = this.texts[name][planned] ?? '';
      const record = records.get(planned) ?? { key: planned, writtenHash: null, version: null, started: null };
      if (action === 'forget') records.delete(planned);
      if (action === 'restore') this.restore(name, planned);
      if (action === 'confirm') records.set(planned, this.finished(planned, text));
      if (action === 'create' || action === 'update') {
        records.set(planned, { ...record, started: { action: 'write', hash: text } });
        if (!survives()) return;
        this.write(name, planned, text, action);
        if (!survives()) return;
        records.set(planned, this.finished(planned, text));
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
  }

  plan(name: PushName, drift: 'import' | 'report') {
    const records = this.records[name];
    return planSync({
      desired: Object.entries(this.texts[name]).map(([k, hash]) => ({ key: k, hash, problem: null })),
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
    this.writes += 1;
  }

  private assertOurs(name: PushName, k: string): void {
    const entry = this.store.get(k);
    if (!entry || entry.owner !== name || entry.text.startsWith('person'))
      throw new Error(`${name} changed the foreign key ${k}: ${JSON.stringify(entry)}`);
  }

  private put(k: string, { text, owner }: { readonly text: string; readonly owner: string | null }): void {
    this.versions += 1;
    this.store.set(k, { text, owner, version: `v${this.versions}`, isDeleted: false });
  }
}

describe('overlapping pushes beside people who change the store, with a crash at any moment', () => {
  it('never change a foreign key, and write nothing when nothing differs', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
        const model = new Model();
        for (const next of steps) model.take(next);
        for (const name of PUSHES) for (let run = 0; run < 3; run += 1) model.run(name, 'report');
        const before = { writes: model.writes, store: JSON.stringify([...model.store]) };
        for (const name of PUSHES) model.run(name, 'report');
        expect({ writes: model.writes, store: JSON.stringify([...model.store]) }).toEqual(before);
        for (const name of PUSHES)
          for (const { key: settled, state } of model.plan(name, 'report'))
            expect([settled, state]).toEqual([settled, expect.stringMatching(/^(in_sync|drifted|foreign|missing)$/)]);
      }),
      { numRuns: 400 },
    );
  });
});

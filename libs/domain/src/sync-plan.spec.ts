import {
  type DesiredKey,
  type DriftPolicy,
  expectedHash,
  type KeyDecision,
  type KeyRecord,
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

const changedKey = stored({ version: 'v2', hash: 'theirs' });
const foreign = stored({ isMarked: false, version: 'v2', hash: null });

const unreadable = stored({ isMarked: null, version: 'v2', hash: null });

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
    result: 'foreign none deleted_elsewhere',
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
    stored: changedKey,
    result: 'drifted none changed_elsewhere',
  },
  {
    why: 'overwrites drift if it may',
    desired: desired(),
    record: written(),
    stored: changedKey,
    drift: 'overwrite',
    result: 'pending update changed_elsewhere',
  },
  {
    why: 'imports drift if it should',
    desired: desired('old'),
    record: written(),
    stored: changedKey,
    drift: 'import',
    result: 'drifted import changed_elsewhere',
  },
  {
    why: 'does not import a text if the value of Strata has changed, too',
    desired: desired('new'),
    record: written(),
    stored: changedKey,
    drift: 'import',
    result: 'drifted none changed_on_both_sides',
  },
  {
    why: 'does not import a text that the value cannot have',
    desired: desired('old', { importProblem: 'The value is dynamic.' }),
    record: written(),
    stored: changedKey,
    drift: 'import',
    result: 'drifted none not_importable',
  },
  {
    why: 'does not import a secret that another program stored unencrypted',
    desired: desired('old', { isSecret: true }),
    record: written(),
    stored: { ...changedKey, isPlain: true },
    drift: 'import',
    result: 'drifted none not_importable',
  },
  {
    why: 'does not import a text that it cannot read',
    desired: desired('old'),
    record: written(),
    stored: stored({ version: 'v2', hash: null }),
    drift: 'import',
    result: 'drifted none not_importable',
  },
  {
    why: 'does not import a text that may be that of its own write',
    desired: desired('old'),
    record: written({ started: write('old') }),
    stored: unreadable,
    drift: 'import',
    result: 'drifted none write_unconfirmed',
  },
  {
    why: 'never imports a foreign text',
    desired: desired('old'),
    stored: foreign,
    drift: 'import',
    result: 'foreign none not_written_by_strata',
  },
  {
    why: 'never imports a text of a key that the push does not contain',
    record: written(),
    stored: changedKey,
    drift: 'import',
    result: 'drifted none changed_elsewhere',
  },
  {
    why: 'overwrites drift that it would import after a decision',
    desired: desired('old'),
    record: written(),
    stored: changedKey,
    drift: 'import',
    decision: overwrite(),
    result: 'pending update decided',
  },
  {
    why: 'keeps an imported text',
    desired: desired('old', { isImported: true }),
    record: written(),
    stored: stored(),
    result: 'in_sync none imported',
  },
  {
    why: 'ends an import when the key has the text at the tag',
    desired: desired('theirs'),
    record: written({ writtenHash: 'theirs', imported: { replacedHash: 'old', revision: 7 } }),
    stored: stored({ hash: 'theirs' }),
    result: 'in_sync confirm equal',
  },
  {
    why: 'does not replace an imported secret with an older text to encrypt it',
    desired: desired('old', { isImported: true, isSecret: true }),
    record: written(),
    stored: stored({ isPlain: true }),
    result: 'drifted none must_encrypt',
  },
  {
    why: 'overwrites drift after a decision',
    desired: desired(),
    record: written(),
    stored: changedKey,
    decision: overwrite(),
    result: 'pending update decided',
  },
  {
    why: 'never deletes a drifted key by itself',
    record: written(),
    stored: changedKey,
    drift: 'overwrite',
    result: 'drifted none changed_elsewhere',
  },
  {
    why: 'deletes a drifted key after a decision',
    record: written(),
    stored: changedKey,
    decision: { action: 'delete', version: 'v2' },
    result: 'pending delete decided',
  },
  {
    why: 'accepts a change to the desired text',
    desired: desired('theirs'),
    record: written(),
    stored: changedKey,
    result: 'in_sync confirm equal',
  },
  {
    why: 'leaves a text that became binary',
    desired: desired(),
    record: written(),
    stored: stored({ version: 'v2', hash: null }),
    result: 'drifted none changed_elsewhere',
  },
  // stores that return no texts and have no marks
  {
    why: 'updates a text that it cannot read, if its version is known',
    desired: desired(),
    record: written(),
    stored: stored({ isMarked: null }),
    result: 'pending update changed',
  },
  {
    why: 'leaves a key without marks that it did not write',
    desired: desired(),
    stored: unreadable,
    drift: 'overwrite',
    result: 'foreign none not_written_by_strata',
  },
  {
    why: 'reports a text that it cannot read, if its version is unknown',
    desired: desired(),
    record: written(),
    stored: unreadable,
    result: 'drifted none changed_elsewhere',
  },
  {
    why: 'does not claim a key whose creation had no response, under every policy',
    desired: desired(),
    record: written({ writtenHash: null, version: null, started: write('new') }),
    stored: unreadable,
    drift: 'overwrite',
    result: 'foreign none not_written_by_strata',
  },
  {
    why: 'reports a write that had no response, if it cannot read the text',
    desired: desired(),
    record: written({ started: write('new') }),
    stored: unreadable,
    result: 'drifted none write_unconfirmed',
  },
  {
    why: 'never deletes a key whose text it cannot read by itself',
    record: written({ started: write('new') }),
    stored: unreadable,
    drift: 'overwrite',
    result: 'drifted none write_unconfirmed',
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

describe('expectedHash', () => {
  const imported = { writtenHash: 'theirs', imported: { replacedHash: 'old', revision: 7 } };

  it.each([
    ['an imported text while the tag is older than the import', { hash: 'old', revision: 6 }, imported, 'theirs'],
    ['the text at a tag that contains the import', { hash: 'old', revision: 7 }, imported, 'old'],
    ['the text at an older tag that the import did not replace', { hash: 'older', revision: 5 }, imported, 'older'],
    [
      'the text at the tag without an import',
      { hash: 'old', revision: 6 },
      { writtenHash: 'older', imported: null },
      'old',
    ],
    ['the text at the tag without a record', { hash: 'old', revision: 6 }, undefined, 'old'],
  ])('is %s', (_, desiredText, record, result) => {
    expect(expectedHash(desiredText, record)).toBe(result);
  });
});

/** The stored facts about a key that Strata wrote to a store outside. Hashes are keyed hashes of texts. */
export interface KeyRecord {
  readonly key: string;
  /** The text that Strata wrote last. Null until the first write is known to have succeeded. */
  readonly writtenHash: string | null;
  /** The version that this write created. Null if it is unknown. */
  readonly version: string | null;
  /** A write that was started, and whose end was not stored because the process ended. */
  readonly started: StartedWrite | null;
  /** Why the key may be deleted if it is not desired. Absent if its value no longer exists. */
  readonly removal?: KeyRemoval;
  /** Null if the latest text was written by Strata. */
  readonly imported?: ImportedText | null;
}

/** The text of a key was imported into Strata. The tag of the push can be older than the import. */
export interface ImportedText {
  /** The hash of the text at the tag, which the imported text replaced. */
  readonly replacedHash: string;
  /** The revision that contains the imported text. */
  readonly revision: number;
}

/**
 * `undecided`: the value may still exist, because the push has lost a project, environment or tag, or its options leave
 * the value out. `moved`: the value is written to another key now.
 */
export type KeyRemoval = { readonly is: 'undecided' } | { readonly is: 'moved'; readonly to: string };

/** `removed` is a deletion that has succeeded. The key can still be restored. */
export type StartedWrite =
  | { readonly action: 'write'; readonly hash: string }
  | { readonly action: 'remove' | 'removed' };

/** A key as the store has it. */
export interface StoreKey {
  readonly key: string;
  readonly version: string | null;
  /** Whether the mark of the key names this push. Null if the store has no marks. */
  readonly isMarked: boolean | null;
  /** Whether the key is deleted and can still be restored. */
  readonly isDeleted: boolean;
  /** The text in the store. Null for a binary value, a deleted key and a text that was not read. */
  readonly hash: string | null;
  /** Whether the store keeps the text unencrypted. Absent if it encrypts all texts. */
  readonly isPlain?: boolean;
  /** Whether another program has deleted the key that Strata wrote, and created it again. Absent if marks show it. */
  readonly isRecreated?: boolean;
}

/** A key that the push writes. */
export interface DesiredKey {
  readonly key: string;
  readonly hash: string;
  /** Why the value cannot be written; null if it can. */
  readonly problem: string | null;
  readonly isSecret?: boolean;
  /** Whether `hash` is that of an imported text, because the tag is older than the import (`expectedHash`). */
  readonly isImported?: boolean;
  /** Why the text of the store cannot be imported; null or absent if it can. */
  readonly importProblem?: string | null;
}

/**
 * Returns the text that a key should have. An imported text replaces the one at the tag until the tag contains the import,
 * or has a text that the import did not replace.
 */
export function expectedHash(
  { hash, revision }: { readonly hash: string; readonly revision: number },
  record: Pick<KeyRecord, 'writtenHash' | 'imported'> | undefined,
): string {
  const { writtenHash, imported } = record ?? {};
  const isReplaced = imported != null && revision < imported.revision && hash === imported.replacedHash;
  return isReplaced && writtenHash != null ? writtenHash : hash;
}

/**
 * Returns the import to store with a confirmed key. It ends when the key has the text at the tag, so that a tag that is
 * moved back afterwards is written.
 */
export const keptImport = (
  record: Pick<KeyRecord, 'imported'> | undefined,
  isImported: boolean,
): ImportedText | null => (isImported ? (record?.imported ?? null) : null);

/** The policies for keys whose text another program has changed. `import` writes the text into the value of Strata. */
export const DRIFT_POLICIES = ['report', 'overwrite', 'import'] as const;
export type DriftPolicy = (typeof DRIFT_POLICIES)[number];

export const KEY_STATES = ['in_sync', 'drifted', 'foreign', 'missing', 'pending', 'failed'] as const;
export type KeyState = (typeof KEY_STATES)[number];

/** `leave` lets a run change nothing at a key that it would change or report as an error. */
export const DECISION_ACTIONS = ['overwrite', 'delete', 'leave'] as const;

/** The decision of a person about one key, for the version of the key that the plan showed. */
export interface KeyDecision {
  readonly action: (typeof DECISION_ACTIONS)[number];
  readonly version: string | null;
}

/**
 * The next action for a key. `restore` only restores it, because its text has to be compared before it is changed.
 * `confirm` only stores that the key is ours, `take_over` marks a foreign key and writes it, `forget` only deletes the
 * record.
 */
export const KEY_ACTIONS = [
  'none',
  'create',
  'restore',
  'update',
  'delete',
  'confirm',
  'take_over',
  'import',
  'forget',
] as const;
export type KeyAction = (typeof KEY_ACTIONS)[number];

export interface PlannedKey {
  readonly key: string;
  readonly state: KeyState;
  readonly action: KeyAction;
  readonly reason: PlannedKeyReason;
  /** The version in the store that the action was planned for. */
  readonly version: string | null;
  /** Whether the key has to be replaced, because a secret must not stay in an unencrypted text. */
  readonly mustEncrypt: boolean;
}

export const KEY_REASONS = [
  'equal',
  'new',
  'changed',
  'unused',
  'deleted_elsewhere',
  'changed_elsewhere',
  'write_unconfirmed',
  'not_written_by_strata',
  'mark_removed',
  'cannot_write',
  'must_encrypt',
  'removal_undecided',
  'decided',
  'imported',
  'not_importable',
  'changed_on_both_sides',
] as const;
export type PlannedKeyReason = (typeof KEY_REASONS)[number];

export interface SyncPlanInput {
  readonly desired: readonly DesiredKey[];
  readonly records: readonly KeyRecord[];
  /** All keys of the store that are desired or recorded. Others are ignored. */
  readonly store: readonly StoreKey[];
  readonly drift: DriftPolicy;
  readonly decisions: ReadonlyMap<string, KeyDecision>;
  /** The drift that may be resolved. Absent or null if the policy applies to all drifted keys. */
  readonly approved?: ApprovedDrift | null;
}

/** The keys and versions whose drift a run may resolve, because a person approved its plan. Others are reported. */
export type ApprovedDrift = ReadonlyMap<string, string | null>;

/** Returns the drift that a plan resolves. */
export const listResolvedDrift = (plannedKeys: readonly PlannedKey[]): ApprovedDrift =>
  new Map(
    plannedKeys.flatMap(({ key, action, reason, version }) =>
      DRIFT_REASONS.includes(reason) && action !== 'none' ? [[key, version]] : [],
    ),
  );

const DRIFT_REASONS: readonly PlannedKeyReason[] = ['changed_elsewhere', 'write_unconfirmed'];

/** Returns whether the text of a key must be read to plan it. A known version has a known text. */
export function mustReadKey(record: KeyRecord | undefined, listed: Omit<StoreKey, 'hash'>): boolean {
  if (listed.isDeleted || record === undefined) return false;
  return record.started !== null || record.version === null || record.version !== listed.version;
}

/**
 * Plans one run of a push, one entry per key. A key is ours only if Strata wrote it, its mark still says so, and its text
 * is still the one that Strata wrote. Every other key is changed only after a decision about this key. Nothing is written
 * if it is equal.
 */
export function planSync(input: SyncPlanInput): readonly PlannedKey[] {
  const { desired, records, store, drift, decisions, approved = null } = input;
  const desiredByKey = new Map(desired.map((entry) => [entry.key, entry]));
  const recordByKey = new Map(records.map((entry) => [entry.key, entry]));
  const storeByKey = new Map(store.map((entry) => [entry.key, entry]));
  const keys = [...new Set([...desiredByKey.keys(), ...recordByKey.keys()])].sort();
  const entries = keys.map((key) => {
    const storedKey = storeByKey.get(key) ?? null;
    const mayResolve = approved === null || approved.get(key) === (storedKey?.version ?? null);
    const keyInput = {
      key,
      drift: mayResolve ? drift : ('report' as const),
      stored: storedKey,
      desired: desiredByKey.get(key) ?? null,
      record: recordByKey.get(key) ?? null,
    };
    const decision = decisions.get(key);
    // A decision about another version was made for a text that is no longer there.
    const isCurrent = decision !== undefined && decision.version === (storedKey?.version ?? null);
    return planKey({ ...keyInput, decision: isCurrent ? decision.action : null });
  });
  const entryByKey = new Map(entries.map((entry) => [entry.key, entry]));
  return entries.map((entry) => {
    const removal = recordByKey.get(entry.key)?.removal;
    if (entry.action !== 'delete' || entry.reason === 'decided' || removal?.is !== 'moved') return entry;
    // Programs still read the old key if the new one cannot be written.
    const isWritten = BLOCKED.every((state) => state !== entryByKey.get(removal.to)?.state);
    return isWritten ? entry : { ...entry, action: 'none', reason: 'removal_undecided' };
  });
}

const BLOCKED: readonly KeyState[] = ['foreign', 'drifted', 'failed'];

interface KeyFacts {
  readonly key: string;
  readonly drift: DriftPolicy;
  readonly desired: DesiredKey | null;
  readonly record: KeyRecord | null;
  readonly stored: StoreKey | null;
  readonly decision: KeyDecision['action'] | null;
}

function planKey(keyInput: KeyFacts): PlannedKey {
  if (keyInput.decision !== 'leave') return planUndecided(keyInput);
  const plan = planUndecided({ ...keyInput, decision: null });
  const isHarmless = plan.action === 'confirm' || plan.action === 'forget' || plan.state === 'in_sync';
  return isHarmless || plan.state === 'failed' ? plan : { ...plan, action: 'none', reason: 'decided' };
}

function planUndecided(keyInput: KeyFacts): PlannedKey {
  const { desired, record, stored: storedKey } = keyInput;
  if (desired?.problem) return planned(keyInput, 'failed', 'none', 'cannot_write');
  if (record === null)
    return storedKey === null ? planned(keyInput, 'pending', 'create', 'new') : planForeign(keyInput, storedKey);
  if (storedKey !== null && (storedKey.isMarked === false || storedKey.isRecreated || isUnproven(record, storedKey)))
    return planForeign(keyInput, storedKey);
  if (storedKey === null || storedKey.isDeleted) return planAbsent(keyInput, record);
  if (isOurs(record, storedKey)) return planOurs(keyInput, storedKey);
  return planDrifted(keyInput, storedKey);
}

/** Returns whether the text is the one that Strata wrote, also if it could not store that its write had succeeded. */
function isOurs({ writtenHash, started }: KeyRecord, { hash }: StoreKey): boolean {
  if (hash === null) return false;
  return hash === writtenHash || (started?.action === 'write' && hash === started.hash);
}

/** Returns whether nothing shows that a key, whose creation was started, is not that of another program. */
const isUnproven = (record: KeyRecord, storedKey: StoreKey): boolean =>
  storedKey.isMarked === null && record.writtenHash === null && !isOurs(record, storedKey);

function planForeign(keyInput: KeyFacts, storedKey: StoreKey): PlannedKey {
  const { desired, record, decision } = keyInput;
  const isNotOurs = record === null || record.writtenHash === null || storedKey.isRecreated;
  const reason = isNotOurs ? 'not_written_by_strata' : 'mark_removed';
  if (desired === null) return planned(keyInput, 'foreign', 'forget', reason);
  // Only its owner may restore it, and a key cannot be taken over before.
  if (storedKey.isDeleted) return planned(keyInput, 'foreign', 'none', 'deleted_elsewhere');
  if (decision === 'overwrite') return planned(keyInput, 'pending', 'take_over', 'decided');
  return planned(keyInput, 'foreign', 'none', reason);
}

/** Creating a key again destroys nothing, so it needs no decision. */
function planAbsent(keyInput: KeyFacts, record: KeyRecord): PlannedKey {
  const { desired, stored: storedKey } = keyInput;
  if (desired === null) return planned(keyInput, 'missing', storedKey === null ? 'forget' : 'none', 'unused');
  const isNew = record.writtenHash === null || (record.started !== null && record.started.action !== 'write');
  const action = storedKey === null ? 'create' : 'restore';
  return isNew
    ? planned(keyInput, 'pending', action, 'new')
    : planned(keyInput, 'missing', action, 'deleted_elsewhere');
}

function planOurs(keyInput: KeyFacts, storedKey: StoreKey): PlannedKey {
  const { desired, record, decision } = keyInput;
  if (desired === null) {
    // Another program has restored a key that Strata deleted.
    if (record?.started?.action === 'removed') return planDrifted(keyInput, storedKey);
    if (decision === 'delete') return planned(keyInput, 'pending', 'delete', 'decided');
    if (record?.removal?.is === 'undecided') return planned(keyInput, 'pending', 'none', 'removal_undecided');
    return planned(keyInput, 'pending', 'delete', 'unused');
  }
  if (desired.hash !== storedKey.hash) return planned(keyInput, 'pending', 'update', 'changed');
  // The text at the tag is older than the imported one, so it must not replace it.
  if (mustEncrypt(keyInput) && desired.isImported) return planned(keyInput, 'drifted', 'none', 'must_encrypt');
  if (mustEncrypt(keyInput)) return planned(keyInput, 'pending', 'update', 'must_encrypt');
  // The import ends at a tag with its text, so that a tag that is moved back is written.
  const isSettled = desired.isImported || record?.imported == null;
  const isStored = isSettled && record?.started === null && record.version === storedKey.version;
  return planned(keyInput, 'in_sync', isStored ? 'none' : 'confirm', desired.isImported ? 'imported' : 'equal');
}

function planDrifted(keyInput: KeyFacts, storedKey: StoreKey): PlannedKey {
  const { desired, drift, decision } = keyInput;
  const reason = isUnconfirmed(keyInput) ? 'write_unconfirmed' : 'changed_elsewhere';
  if (desired === null)
    return decision === 'delete'
      ? planned(keyInput, 'pending', 'delete', 'decided')
      : planned(keyInput, 'drifted', 'none', reason);
  if (desired.hash === storedKey.hash && mustEncrypt(keyInput))
    return planned(keyInput, 'pending', 'update', 'must_encrypt');
  if (desired.hash === storedKey.hash) return planned(keyInput, 'in_sync', 'confirm', 'equal');
  if (decision === 'overwrite') return planned(keyInput, 'pending', 'update', 'decided');
  if (drift === 'overwrite') return planned(keyInput, 'pending', 'update', reason);
  if (drift === 'import') return planImport(keyInput, desired, reason);
  return planned(keyInput, 'drifted', 'none', reason);
}

/**
 * Imports a text only if Strata still has the one that the push wrote. So of several stores with different texts, one is
 * imported, and a person decides about the others.
 */
function planImport(keyInput: KeyFacts, desired: DesiredKey, reason: PlannedKeyReason): PlannedKey {
  const { record, stored: storedKey } = keyInput;
  if (reason === 'write_unconfirmed') return planned(keyInput, 'drifted', 'none', reason);
  if (record?.writtenHash !== desired.hash) return planned(keyInput, 'drifted', 'none', 'changed_on_both_sides');
  const canImport = storedKey?.hash != null && !mustEncrypt(keyInput) && desired.importProblem == null;
  return canImport
    ? planned(keyInput, 'drifted', 'import', reason)
    : planned(keyInput, 'drifted', 'none', 'not_importable');
}

/** Returns whether a text that cannot be read may be that of a write whose end was not stored. */
const isUnconfirmed = ({ record, stored: storedKey }: KeyFacts): boolean =>
  record?.started?.action === 'write' && storedKey?.isMarked === null && storedKey.hash === null;

const mustEncrypt = ({ desired, stored: storedKey }: KeyFacts): boolean =>
  (desired?.isSecret ?? false) && storedKey !== null && !storedKey.isDeleted && (storedKey.isPlain ?? false);

const planned = (keyInput: KeyFacts, state: KeyState, action: KeyAction, reason: PlannedKeyReason): PlannedKey => ({
  key: keyInput.key,
  state,
  action,
  reason,
  version: keyInput.stored?.version ?? null,
  mustEncrypt: mustEncrypt(keyInput),
});

import { Injectable } from '@nestjs/common';
import {
  commonPrefix,
  type DesiredKey,
  type KeyAction,
  type KeyRecord,
  type KeyRemoval,
  mustReadKey,
  type PlannedKey,
  planSync,
  type StopReason,
  type StoreKey,
  type SyncPlanInput,
  stopAfterPlan,
} from '@strata/domain';
import { type ListedKey, ProviderError, type Store, type StoreLimits } from '@strata/providers';
import { Vault } from '../../../platform/vault/vault.ts';
import { type DesiredValue, DesiredValues, type PushedValues, scopeId, valueId } from './desired-values.ts';
import { type KeyResult, type KeyTask, KeyWriter } from './key-writer.ts';
import { describeStop, hashPlan } from './plan-approval.ts';
import { PushOutcome } from './push-outcome.ts';
import type { RunLease } from './run-lease.ts';
import { type ClaimedTask, RunStore, type SyncOutcome } from './run-store.ts';
import { hashKey, type KeyScope, type StoredKey, SyncKeys } from './sync-keys.ts';
import { TaskSteps } from './task-steps.ts';

/** The number of keys that are written at the same time. */
const BATCH = 5;
/** Further passes plan keys again that had changed since they were listed, or were restored. */
const PASSES_MAX = 3;

const WRITING: readonly KeyAction[] = ['create', 'restore', 'update', 'delete', 'take_over'];

interface DesiredEntry extends DesiredKey {
  readonly value: DesiredValue;
}

/** The values that a run writes, and their scopes. */
interface Push {
  readonly task: ClaimedTask;
  readonly lease: RunLease;
  readonly scope: KeyScope;
  readonly store: Store;
  readonly desired: ReadonlyMap<string, DesiredEntry>;
  readonly removal: (record: StoredKey) => KeyRemoval | null;
}

interface Plan {
  readonly planned: readonly PlannedKey[];
  /** The plan without the decisions of a person. */
  readonly undecided: readonly PlannedKey[];
}

/** Runs pushes: plans each key of the store, and executes what the plan allows. */
@Injectable()
export class PushRuns {
  constructor(
    private readonly values: DesiredValues,
    private readonly keys: SyncKeys,
    private readonly steps: TaskSteps,
    private readonly tasks: RunStore,
    private readonly vault: Vault,
  ) {}

  async run(task: ClaimedTask, store: Store, lease: RunLease): Promise<SyncOutcome> {
    const { organizationId, syncId, integrationId } = task;
    const scope: KeyScope = { organizationId, syncId, integrationId, store: store.id, lease: task.lease };
    const pushed = await this.values.of(task);
    const desired = await this.toDesired(scope, store, pushed.values);
    const push: Push = { task, lease, scope, store, desired, removal: describeRemoval(pushed, store) };
    const outcome = new PushOutcome(task.fqn);
    let stopped: StopReason | null = null;
    for (let pass = 1; pass <= PASSES_MAX; pass += 1) {
      const records = await this.keys.records(scope);
      const { planned, undecided } = await this.plan(push, records);
      outcome.add(planned, desired, records);
      await this.confirm(push, planned, records);
      if (pass === 1 && !task.dryRun) stopped = await this.stopReason(task, undecided, records.length === 0);
      if (task.dryRun || stopped !== null || !(await this.execute(push, planned, outcome))) break;
    }
    await this.keys.report(scope, outcome.reports());
    await this.steps.add(task, outcome.steps(task.dryRun || stopped !== null));
    return stopped === null ? outcome.result(task.failures) : { error: describeStop(stopped), retryInMs: null };
  }

  private async toDesired(
    { organizationId }: KeyScope,
    store: Store,
    values: readonly DesiredValue[],
  ): Promise<ReadonlyMap<string, DesiredEntry>> {
    const desired = new Map<string, DesiredEntry>();
    for (const value of values) {
      const key = store.toKey(value.key);
      const twice = desired.has(key) ? 'Two values of the push have this key.' : null;
      const problem = twice ?? value.problem ?? describeProblem(store.limits, key, value);
      const hash = await hashKey(this.vault, organizationId, store.id, key, value.text);
      desired.set(key, { key, hash, problem, isSecret: value.isSecret, value });
    }
    return desired;
  }

  private async plan(push: Push, records: readonly StoredKey[]): Promise<Plan> {
    const { task, desired, removal } = push;
    const recordByKey = new Map(records.map((record) => [record.key, record]));
    const names = [...desired.values()].flatMap(({ key, problem }) => (problem === null ? [key] : []));
    const relevant = new Set([...names, ...recordByKey.keys()]);
    const stored: StoreKey[] = [];
    for (const entry of await listKeys(push, relevant, recordByKey)) {
      stored.push(await this.toStoreKey(push, entry, recordByKey.get(entry.key)));
    }
    const facts: Omit<SyncPlanInput, 'decisions'> = {
      desired: [...desired.values()],
      records: records.map((record) => ({ ...record, ...toRemoval(removal(record)) })),
      store: stored,
      drift: task.sync.options.force ? 'overwrite' : task.sync.drift,
    };
    return {
      planned: planSync({ ...facts, decisions: new Map(Object.entries(task.decisions)) }),
      undecided: planSync({ ...facts, decisions: new Map() }),
    };
  }

  /** A person approves the plan without decisions, which is the one that was listed. */
  private async stopReason(
    task: ClaimedTask,
    undecided: readonly PlannedKey[],
    isFirst: boolean,
  ): Promise<StopReason | null> {
    const { organizationId, planFirst, planHash } = task;
    const isApproved = planHash === null ? null : planHash === (await hashPlan(this.vault, organizationId, undecided));
    const reason = stopAfterPlan(undecided, { planFirst, isFirst, isApproved });
    if (reason === null && planHash !== null) await this.tasks.acceptPlan(task);
    return reason;
  }

  /** Returns null if the store has no such key, or does not let Strata read it. Then the key is not changed. */
  private async read(store: Store, key: string) {
    try {
      return await store.read(key);
    } catch (error) {
      if (error instanceof ProviderError && !error.isTemporary) return null;
      throw error;
    }
  }

  /** Reads the text only if its version is unknown. */
  private async toStoreKey(
    { task, scope: { organizationId }, store }: Push,
    { key, version, owner, isDeleted, isPlain = false }: ListedKey,
    record: KeyRecord | undefined,
  ): Promise<StoreKey> {
    const isMarked = owner === undefined ? null : owner === task.syncId;
    const listed = { key, version, isMarked, isDeleted, isPlain };
    const isRecreated = (later: string | null) =>
      Boolean(record?.version && later && store.isRecreated?.(record.version, later));
    if (!mustReadKey(record, listed)) return { ...listed, hash: isDeleted ? null : (record?.writtenHash ?? null) };
    const current = await this.read(store, key);
    if (current === null) return { ...listed, hash: null, isRecreated: isRecreated(version) };
    // A store that returns no texts can still return the version that Strata wrote.
    const isWritten = current.text === null && current.version === record?.version;
    const writtenHash = isWritten ? record.writtenHash : null;
    const hash =
      current.text === null ? writtenHash : await hashKey(this.vault, organizationId, store.id, key, current.text);
    return { ...listed, version: current.version, hash, isRecreated: isRecreated(current.version) };
  }

  /**
   * Stores what the plan has found to be ours, and forgets deleted keys, and foreign ones that Strata only tried to
   * create.
   */
  private async confirm(
    { scope, desired }: Push,
    planned: readonly PlannedKey[],
    records: readonly StoredKey[],
  ): Promise<void> {
    const confirmed = planned.flatMap(({ key, action, version }) =>
      action === 'confirm' ? [{ key, hash: desired.get(key)?.hash ?? '', version, origin: null }] : [],
    );
    await this.keys.finish(scope, confirmed);
    const unwritten = new Set(records.filter(({ writtenHash }) => writtenHash === null).map(({ key }) => key));
    const keysWhere = (matches: (entry: PlannedKey) => boolean) => planned.filter(matches).map(({ key }) => key);
    const isForeign = ({ state, action }: PlannedKey) =>
      state === 'foreign' && (action === 'forget' || action === 'none');
    await this.keys.forget(
      scope,
      keysWhere((entry) => (isForeign(entry) ? unwritten.has(entry.key) : entry.action === 'forget')),
    );
    await this.keys.disown(
      scope,
      keysWhere((entry) => isForeign(entry) && entry.action === 'forget' && !unwritten.has(entry.key)),
    );
  }

  /** Returns whether another pass is needed. Stops at an error that later keys would have as well. */
  private async execute(push: Push, planned: readonly PlannedKey[], outcome: PushOutcome): Promise<boolean> {
    const { task, lease, scope, store, desired } = push;
    const writer = new KeyWriter(store, this.keys, scope, task.syncId);
    const isDeletion = ({ action }: PlannedKey) => action === 'delete';
    const writing = planned.filter(({ action }) => WRITING.includes(action));
    // After a rename, programs still read the old keys until the new ones exist.
    const batches = [
      ...toBatches(writing.filter((entry) => !isDeletion(entry))),
      ...toBatches(writing.filter(isDeletion)),
    ];
    let hasMoved = false;
    let isComplete = true;
    for (const entries of batches) {
      if (!isComplete && entries.some(isDeletion)) break;
      await lease.renew();
      const results = await writer.executeBatch(entries.map((entry) => toKeyTask(entry, desired, task.syncId)));
      for (const [key, result] of results) {
        outcome.finish(key, result);
        hasMoved ||= result.is === 'moved';
        isComplete &&= result.is === 'done';
      }
      if ([...results.values()].some(stopsRun)) return false;
    }
    return hasMoved;
  }
}

/** Returns the relevant keys of the store. Lists can be out of date, so unexpected entries are looked up. */
async function listKeys(
  { task, store }: Push,
  relevant: ReadonlySet<string>,
  records: ReadonlyMap<string, KeyRecord>,
): Promise<readonly ListedKey[]> {
  if (relevant.size === 0) return [];
  const all = await store.list(commonPrefix([...relevant]), task.syncId, relevant);
  const listed = new Map(all.filter(({ key }) => relevant.has(key)).map((entry) => [entry.key, entry]));
  if (!store.find) return [...listed.values()];
  for (const key of relevant) {
    const entry = listed.get(key);
    if (isExpected(entry, records.get(key), task.syncId)) continue;
    const current = await findKey(store, key, task.syncId, entry ?? null);
    if (current === null) listed.delete(key);
    else listed.set(key, current);
  }
  return [...listed.values()];
}

/** Returns the listed entry if the store does not let Strata look up the key. */
async function findKey(store: Store, key: string, owner: string, entry: ListedKey | null): Promise<ListedKey | null> {
  try {
    return (await store.find?.(key, owner)) ?? null;
  } catch (error) {
    if (error instanceof ProviderError && !error.isTemporary) return entry;
    throw error;
  }
}

/** Returns whether the list shows what Strata has stored about a key. */
function isExpected(entry: ListedKey | undefined, record: KeyRecord | undefined, owner: string): boolean {
  if (record === undefined) return entry === undefined;
  if (entry === undefined || (entry.owner !== undefined && entry.owner !== owner)) return false;
  if (record.started?.action === 'remove' || record.started?.action === 'removed') return entry.isDeleted;
  return record.started === null && !entry.isDeleted && entry.version === record.version;
}

/** Returns a function that says whether the value of a key that is not desired still exists. */
function describeRemoval({ values, scopes, leftOut }: PushedValues, store: Store): Push['removal'] {
  const keys = new Map(values.map((value) => [valueId(value), store.toKey(value.key)]));
  return ({ key, origin }) => {
    const to = keys.get(valueId(origin));
    if (to !== undefined && to !== key) return { is: 'moved', to };
    return scopes.has(scopeId(origin)) && !leftOut.has(valueId(origin)) ? null : { is: 'undecided' };
  };
}

const toRemoval = (removal: KeyRemoval | null) => (removal === null ? {} : { removal });

const toBatches = (planned: readonly PlannedKey[]): PlannedKey[][] =>
  Array.from({ length: Math.ceil(planned.length / BATCH) }, (_, index) =>
    planned.slice(index * BATCH, (index + 1) * BATCH),
  );

const stopsRun = (result: KeyResult): boolean => result.is === 'failed' && result.error.isTemporary;

function toKeyTask(planned: PlannedKey, desired: ReadonlyMap<string, DesiredEntry>, owner: string): KeyTask {
  const entry = desired.get(planned.key);
  if (!entry || planned.action === 'delete') return { planned, desired: null };
  const { text, isSecret } = entry.value;
  const write = { key: planned.key, text, isSecret, owner };
  return { planned, desired: { write, hash: entry.hash, origin: entry.value } };
}

function describeProblem(limits: StoreLimits, key: string, { text, names }: DesiredValue): string | null {
  if (limits.rejectsSlashInNames && names.some((name) => name.includes('/')))
    return 'A name in the key has a slash. In this store, only the resource can have slashes. Rename the parameter.';
  if (key.length > limits.keyMax) return `The key is longer than ${limits.keyMax} characters.`;
  if (!limits.key.test(key)) return `The store does not accept this key. ${limits.keyRule}`;
  if (text === '' && !limits.allowsEmptyText) return 'The store does not accept an empty text.';
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.textBytesMax) return `The text has ${bytes} bytes, and the store accepts ${limits.textBytesMax}.`;
  return null;
}

import { Injectable } from '@nestjs/common';
import {
  commonPrefix,
  type DesiredKey,
  type KeyAction,
  type KeyRecord,
  mustReadKey,
  type PlannedKey,
  planSync,
  type StoreKey,
} from '@strata/domain';
import { type ListedKey, ProviderError, type Store } from '@strata/providers';
import { Vault } from '../../../platform/vault/vault.ts';
import { type DesiredValue, DesiredValues } from './desired-values.ts';
import { type KeyResult, type KeyTask, KeyWriter } from './key-writer.ts';
import { PushOutcome } from './push-outcome.ts';
import { type ClaimedTask, RunStore, type SyncOutcome } from './run-store.ts';
import { type KeyScope, SyncKeys } from './sync-keys.ts';
import { TaskSteps } from './task-steps.ts';

/** The number of keys that are written at the same time. */
const BATCH = 5;
/** The second pass plans keys again that had changed since they were listed, or were restored. */
const PASSES_MAX = 2;

const WRITING: readonly KeyAction[] = ['create', 'restore', 'update', 'delete', 'take_over'];

interface DesiredEntry extends DesiredKey {
  readonly value: DesiredValue;
}

interface Pass {
  readonly planned: readonly PlannedKey[];
  readonly desired: ReadonlyMap<string, DesiredEntry>;
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

  async run(task: ClaimedTask, store: Store): Promise<SyncOutcome> {
    const scope: KeyScope = { organizationId: task.organizationId, syncId: task.syncId, store: store.id };
    const values = await this.values.of(task);
    const desired = await this.toDesired(scope, store, values);
    const outcome = new PushOutcome(task.fqn);
    for (let pass = 1; pass <= PASSES_MAX; pass += 1) {
      const planned = await this.plan(task, scope, store, desired);
      outcome.add(planned, desired);
      await this.confirm(scope, { planned, desired });
      if (task.dryRun || !(await this.execute(task, scope, store, { planned, desired }, outcome))) break;
    }
    await this.keys.report(scope, outcome.reports());
    await this.steps.add(task, outcome.steps(task.dryRun));
    return outcome.result(task.failures);
  }

  private async toDesired(
    { organizationId }: KeyScope,
    store: Store,
    values: readonly DesiredValue[],
  ): Promise<ReadonlyMap<string, DesiredEntry>> {
    const desired = new Map<string, DesiredEntry>();
    for (const value of values) {
      const { key } = value;
      const twice = desired.has(key) ? 'Two values of the push have this key.' : null;
      const problem = twice ?? value.problem ?? describeProblem(store, value);
      desired.set(key, { key, hash: await this.hash(organizationId, store.id, key, value.text), problem, value });
    }
    return desired;
  }

  private async plan(
    task: ClaimedTask,
    scope: KeyScope,
    store: Store,
    desired: ReadonlyMap<string, DesiredEntry>,
  ): Promise<readonly PlannedKey[]> {
    const records = await this.keys.records(scope);
    const recordByKey = new Map(records.map((record) => [record.key, record]));
    const names = [...desired.values()].flatMap(({ key, problem }) => (problem === null ? [key] : []));
    const relevant = new Set([...names, ...recordByKey.keys()]);
    const listed = relevant.size === 0 ? [] : await store.list(commonPrefix([...relevant]), task.syncId);
    const stored: StoreKey[] = [];
    for (const entry of listed.filter(({ key }) => relevant.has(key))) {
      stored.push(await this.toStoreKey(task, scope, store, entry, recordByKey.get(entry.key)));
    }
    return planSync({
      desired: [...desired.values()],
      records,
      store: stored,
      drift: task.sync.options.force ? 'overwrite' : task.sync.drift,
      decisions: new Map(Object.entries(task.decisions)),
    });
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
    task: ClaimedTask,
    { organizationId }: KeyScope,
    store: Store,
    { key, version, owner, isDeleted }: ListedKey,
    record: KeyRecord | undefined,
  ): Promise<StoreKey> {
    const listed = { key, version, isMarked: owner === task.syncId, isDeleted };
    if (!mustReadKey(record, listed)) return { ...listed, hash: isDeleted ? null : (record?.writtenHash ?? null) };
    const current = await this.read(store, key);
    const hash =
      current === null || current.text === null ? null : await this.hash(organizationId, store.id, key, current.text);
    return { ...listed, version: current?.version ?? version, hash };
  }

  /** Stores what the plan has found to be ours, and forgets deleted keys. */
  private async confirm(scope: KeyScope, { planned, desired }: Pass): Promise<void> {
    const confirmed = planned.flatMap(({ key, action, version }) =>
      action === 'confirm' ? [{ key, hash: desired.get(key)?.hash ?? '', version }] : [],
    );
    await this.keys.finish(scope, confirmed);
    const forgotten = planned.flatMap(({ key, action }) => (action === 'forget' ? [key] : []));
    await this.keys.forget(scope, forgotten);
  }

  /** Returns whether another pass is needed. Stops at an error that later keys would have as well. */
  private async execute(
    task: ClaimedTask,
    scope: KeyScope,
    store: Store,
    { planned, desired }: Pass,
    outcome: PushOutcome,
  ): Promise<boolean> {
    const writer = new KeyWriter(store, this.keys, scope, task.syncId);
    const isDeletion = ({ action }: PlannedKey) => action === 'delete';
    const writing = planned.filter(({ action }) => WRITING.includes(action));
    // After a rename, programs still read the old keys until the new ones exist.
    const batches = [
      ...toBatches(writing.filter((entry) => !isDeletion(entry))),
      ...toBatches(writing.filter(isDeletion)),
    ];
    let hasMoved = false;
    let hasFailed = false;
    for (const entries of batches) {
      if (hasFailed && entries.some(isDeletion)) break;
      if (!(await this.tasks.renew(task))) throw new LeaseLost();
      const results = await writer.executeBatch(entries.map((entry) => toKeyTask(entry, desired, task.syncId)));
      for (const [key, result] of results) {
        outcome.finish(key, result);
        hasMoved ||= result.is === 'moved';
        hasFailed ||= result.is === 'failed';
      }
      if ([...results.values()].some(stopsRun)) return false;
    }
    return hasMoved;
  }

  private hash(organizationId: KeyScope['organizationId'], store: string, key: string, text: string): Promise<string> {
    return this.vault.mac(organizationId, 'sync-key', JSON.stringify([store, key, text]));
  }
}

/** Another process has taken over the integration. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

const toBatches = (planned: readonly PlannedKey[]): PlannedKey[][] =>
  Array.from({ length: Math.ceil(planned.length / BATCH) }, (_, index) =>
    planned.slice(index * BATCH, (index + 1) * BATCH),
  );

const stopsRun = (result: KeyResult): boolean => result.is === 'failed' && result.error.isTemporary;

function toKeyTask(planned: PlannedKey, desired: ReadonlyMap<string, DesiredEntry>, owner: string): KeyTask {
  const entry = desired.get(planned.key);
  if (!entry || planned.action === 'delete') return { planned, desired: null };
  const { text, isSecret } = entry.value;
  return { planned, desired: { write: { key: planned.key, text, isSecret, owner }, hash: entry.hash } };
}

function describeProblem({ limits }: Store, { key, text }: DesiredValue): string | null {
  if (key.length > limits.keyMax || !limits.key.test(key)) return 'The store does not accept this key.';
  if (text === '' && !limits.allowsEmptyText) return 'The store does not accept an empty text.';
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.textBytesMax) return `The text has ${bytes} bytes, and the store accepts ${limits.textBytesMax}.`;
  return null;
}

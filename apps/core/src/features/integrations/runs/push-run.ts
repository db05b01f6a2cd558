import { Injectable } from '@nestjs/common';
import {
  type ApprovedDrift,
  type DesiredKey,
  expectedHash,
  type KeyAction,
  type KeyRemoval,
  keptImport,
  listResolvedDrift,
  type PlannedKey,
  planSync,
  type StopReason,
  type StoreKey,
  type SyncPlanInput,
  stopAfterPlan,
} from '@strata/domain';
import type { Store, StoreLimits } from '@strata/providers';
import { Vault } from '../../../platform/vault/vault.ts';
import { type DesiredValue, DesiredValues, type PushedValues, scopeId, valueId } from './desired-values.ts';
import { attempt, type KeyResult, type KeyTask, KeyWriter } from './key-writer.ts';
import { describeStop, hashPlan } from './plan-approval.ts';
import { PushOutcome } from './push-outcome.ts';
import type { RunLease } from './run-lease.ts';
import { type ClaimedTask, RunStore, type SyncOutcome } from './run-store.ts';
import { readStoreKeys } from './store-keys.ts';
import { hashKey, type KeyScope, type StoredKey, SyncKeys } from './sync-keys.ts';
import { TaskSteps } from './task-steps.ts';
import { type ImportableKey, TextImports } from './text-imports.ts';

/** The number of keys that are written at the same time. */
const BATCH = 5;
/** Further passes plan keys again that had changed since they were listed, or were restored. */
const PASSES_MAX = 3;

const WRITING: readonly KeyAction[] = ['create', 'restore', 'update', 'delete', 'take_over'];

interface DesiredEntry extends DesiredKey {
  readonly value: DesiredValue;
  /** The hash of the text at the tag, which an imported text can replace. */
  readonly valueHash: string;
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
  readonly desired: ReadonlyMap<string, DesiredEntry>;
  /** The keys whose texts the plan imports. A run reads each of them again, so that it keeps no texts in memory. */
  readonly imports: ReadonlyMap<string, ImportableKey>;
}

/** Runs pushes: plans each key of the store, and executes what the plan allows. */
@Injectable()
export class PushRuns {
  constructor(
    private readonly values: DesiredValues,
    private readonly keys: SyncKeys,
    private readonly steps: TaskSteps,
    private readonly tasks: RunStore,
    private readonly imports: TextImports,
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
    let approved = task.approvedDrift;
    for (let pass = 1; pass <= PASSES_MAX; pass += 1) {
      const records = await this.keys.records(scope);
      const plan = await this.plan({ ...push, desired: addImported(desired, records) }, records, approved);
      outcome.add(plan.planned, plan.desired, records);
      await this.confirm(scope, plan, records);
      // Later passes do not add to what a person has seen.
      if (task.planHash !== null || task.planFirst) approved ??= listResolvedDrift(plan.undecided);
      if (pass === 1 && !task.dryRun) stopped = await this.stopReason(task, plan.undecided, records.length === 0);
      if (task.dryRun || stopped !== null || !(await this.execute(push, plan, outcome))) break;
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
      desired.set(key, { key, hash, valueHash: hash, problem, isSecret: value.isSecret, value });
    }
    return desired;
  }

  private async plan(
    { task, scope, store, desired, removal }: Push,
    records: readonly StoredKey[],
    approved: ApprovedDrift | null,
  ): Promise<Plan> {
    const { organizationId, syncId } = task;
    const drift = task.sync.options.force ? 'overwrite' : task.sync.drift;
    const recordByKey = new Map(records.map((record) => [record.key, record]));
    const names = [...desired.values()].flatMap(({ key, problem }) => (problem === null ? [key] : []));
    const planInput = {
      records: records.map((record) => ({ ...record, ...toRemoval(removal(record)) })),
      drift,
      approved,
    };
    const imports = new Map<string, ImportableKey>();
    const problems = new Map<string, string>();
    const onDrift = async (storeKey: StoreKey, text: string) => {
      const entry = desired.get(storeKey.key);
      const record = recordByKey.get(storeKey.key);
      if (drift !== 'import' || entry === undefined || record === undefined) return;
      const ofOneKey = { ...planInput, desired: [entry], records: [record], store: [storeKey], decisions: new Map() };
      if (planSync(ofOneKey)[0]?.action !== 'import') return;
      const importable = toImportable(entry, storeKey);
      const problem = await this.imports.check(task, scope, { ...importable, text });
      if (problem === null) imports.set(entry.key, importable);
      else problems.set(entry.key, problem);
    };
    const from = { organizationId, syncId, store, vault: this.vault, onDrift };
    const storeKeys = await readStoreKeys(from, new Set([...names, ...recordByKey.keys()]), recordByKey);
    const entries = new Map(
      [...desired].map(([key, entry]) => [key, { ...entry, importProblem: problems.get(key) ?? null }] as const),
    );
    const planWith = (decisions: SyncPlanInput['decisions']) =>
      planSync({ ...planInput, store: storeKeys, desired: [...entries.values()], decisions });
    return {
      planned: planWith(new Map(Object.entries(task.decisions))),
      undecided: planWith(new Map()),
      desired: entries,
      imports,
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
    if (reason === null && planHash !== null) await this.tasks.acceptPlan(task, listResolvedDrift(undecided));
    return reason;
  }

  /**
   * Stores what the plan has found to be ours, and forgets deleted keys, and foreign ones that Strata only tried to
   * create.
   */
  private async confirm(scope: KeyScope, { planned, desired }: Plan, records: readonly StoredKey[]): Promise<void> {
    const recordByKey = new Map(records.map((record) => [record.key, record]));
    const confirmed = planned.flatMap(({ key, action, version }) => {
      if (action !== 'confirm') return [];
      const { hash = '', isImported = false } = desired.get(key) ?? {};
      return [{ key, hash, version, origin: null, imported: keptImport(recordByKey.get(key), isImported) }];
    });
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
  private async execute(push: Push, plan: Plan, outcome: PushOutcome): Promise<boolean> {
    const { task, lease, scope, store } = push;
    const { planned, desired } = plan;
    const imported = await this.importTexts(push, plan, outcome);
    if (imported.some(stopsRun)) return false;
    let hasMoved = imported.some(({ is }) => is === 'moved');
    const writer = new KeyWriter(store, this.keys, scope, task.syncId);
    const isDeletion = ({ action }: PlannedKey) => action === 'delete';
    const writing = planned.filter(({ action }) => WRITING.includes(action));
    // After a rename, programs still read the old keys until the new ones exist.
    const batches = [
      ...toBatches(writing.filter((entry) => !isDeletion(entry))),
      ...toBatches(writing.filter(isDeletion)),
    ];
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

  /** Returns the results of the imports. A text or its value may have changed since the plan. */
  private async importTexts(
    { task, lease, scope, store }: Push,
    plan: Plan,
    outcome: PushOutcome,
  ): Promise<readonly KeyResult[]> {
    const results: KeyResult[] = [];
    for (const { key, action, version } of plan.planned) {
      const importable = plan.imports.get(key);
      if (action !== 'import' || importable === undefined) continue;
      await lease.renew();
      const result = await attempt<KeyResult>(async () => {
        const current = await store.read(key);
        // The same version has the text that the plan has checked.
        if (current === null || current.text === null || current.version !== version) return { is: 'moved' };
        return this.imports.write(task, scope, { ...importable, version, text: current.text });
      });
      outcome.finish(key, result);
      results.push(result);
      if (stopsRun(result)) break;
    }
    return results;
  }
}

/** Replaces the texts at tags that are older than imported ones. */
function addImported(
  desired: ReadonlyMap<string, DesiredEntry>,
  records: readonly StoredKey[],
): ReadonlyMap<string, DesiredEntry> {
  const recordByKey = new Map(records.map((record) => [record.key, record]));
  return new Map(
    [...desired].map(([key, entry]) => {
      const { revision } = entry.value;
      const hash = expectedHash({ hash: entry.valueHash, revision }, recordByKey.get(key));
      return [key, { ...entry, hash, isImported: hash !== entry.valueHash }] as const;
    }),
  );
}

function toImportable({ key, hash, valueHash, value }: DesiredEntry, { version, isPlain }: StoreKey): ImportableKey {
  const isEncrypted = isPlain === undefined ? null : !isPlain;
  return { key, version, isEncrypted, writtenHash: hash, valueHash, value };
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
  return { planned, desired: { write, hash: entry.valueHash, origin: entry.value } };
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

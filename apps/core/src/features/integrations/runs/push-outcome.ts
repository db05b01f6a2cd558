import { createHash } from 'node:crypto';
import { formatCount, type KeyAction, type KeyState, type PlannedKey } from '@strata/domain';
import { type ProviderError, retryDelay } from '@strata/providers';
import type { DesiredValue } from './desired-values.ts';
import type { KeyResult } from './key-writer.ts';
import type { RunError, SyncOutcome } from './run-store.ts';
import type { KeyOrigin, KeyReport, StoredKey } from './sync-keys.ts';
import type { NewStep } from './task-steps.ts';

interface DesiredLike {
  readonly problem: string | null;
  readonly importProblem?: string | null;
  readonly value: DesiredValue;
}

interface KeyEntry {
  readonly planned: PlannedKey;
  readonly origin: KeyOrigin | null;
  readonly isDesired: boolean;
  readonly problem: string | null;
  readonly result: KeyResult | null;
}

/** The maximum length of a stored key. No provider accepts a longer one. */
const KEY_LENGTH_MAX = 1_024;

const OPERATIONS: Readonly<Partial<Record<KeyAction, NewStep['operation']>>> = {
  create: 'create',
  restore: 'update',
  update: 'update',
  take_over: 'update',
  import: 'read',
  delete: 'delete',
};

const BLOCKED = ['foreign', 'drifted', 'failed'] as const;

const EXPLANATIONS: Readonly<Record<(typeof BLOCKED)[number], string>> = {
  foreign: 'was not written by this push. Nothing was changed there. Decide about it in a run.',
  drifted: 'was changed by another program. Nothing was changed there. Decide about it in a run.',
  failed: 'could not be written.',
};

const UNDECIDED =
  'would be deleted, because the push has lost a project, an environment or a tag, or its options leave out the values. Nothing was deleted. Decide about it in a run.';

const UNREADABLE = 'The store does not return the text, or has the secret unencrypted.';

/** Collects what happened to each key of a run. */
export class PushOutcome {
  private readonly entries = new Map<string, KeyEntry>();
  private error: ProviderError | null = null;

  constructor(private readonly fqn: string) {}

  /** A later pass replaces the plan of a key only if the earlier one did not finish it. */
  add(planned: readonly PlannedKey[], desired: ReadonlyMap<string, DesiredLike>, records: readonly StoredKey[]): void {
    const origins = new Map(records.map(({ key, origin }) => [key, origin]));
    for (const entry of planned) {
      if (this.entries.get(entry.key)?.result?.is === 'done') continue;
      const { value, importProblem = null, problem: writeProblem = null } = desired.get(entry.key) ?? {};
      const problem = entry.reason === 'not_importable' ? (importProblem ?? UNREADABLE) : writeProblem;
      const origin = value ?? origins.get(entry.key) ?? null;
      const isDesired = value !== undefined;
      this.entries.set(entry.key, { planned: entry, origin, isDesired, problem, result: null });
    }
  }

  finish(key: string, result: KeyResult): void {
    const entry = this.entries.get(key);
    if (entry) this.entries.set(key, { ...entry, result });
    if (result.is !== 'failed') return;
    // A temporary error repeats the run, whatever else failed.
    if (this.error === null || (result.error.isTemporary && !this.error.isTemporary)) this.error = result.error;
  }

  reports(): readonly KeyReport[] {
    return [...this.entries.values()]
      .filter(({ planned }) => planned.action !== 'forget')
      .map((entry) => {
        const { planned, origin, isDesired } = entry;
        return {
          key: shorten(planned.key),
          ...finalState(entry),
          reason: planned.action === 'import' && isDone(entry.result) ? ('imported' as const) : planned.reason,
          detail: describe(entry),
          version: planned.version,
          projectId: origin?.projectId ?? null,
          environmentId: origin?.environmentId ?? null,
          tagId: origin?.tagId ?? null,
          parameterId: origin?.parameterId ?? null,
          isDesired,
        };
      });
  }

  /** A key that did not change and is in sync has no step. */
  steps(isDryRun: boolean): readonly NewStep[] {
    return [...this.entries.values()].flatMap((entry) => {
      const { planned, origin, result } = entry;
      const isUndecided = planned.reason === 'removal_undecided';
      const operation = isUndecided ? 'delete' : OPERATIONS[planned.action];
      const { state } = finalState(entry);
      const isBlocked = isUndecided || isError(entry, state);
      if (operation === undefined && !isBlocked) return [];
      const success = !isBlocked && (isDryRun || isDone(result));
      return [
        {
          operation: operation ?? 'update',
          success,
          fqn: `${this.fqn}/${shorten(planned.key).replace(/^\//, '')}`,
          summary: isUndecided || operation === undefined ? null : summarize(planned, isDryRun),
          errorCode: success ? null : isUndecided ? 'key_removal_undecided' : `key_${state}`,
          errorDetail: success ? null : describe(entry),
          environmentId: origin?.environmentId ?? null,
          projectId: origin?.projectId ?? null,
          parameterId: origin?.parameterId ?? null,
        },
      ];
    });
  }

  /** The error names no key, because its readers may not read all of them. The steps do. */
  result(failures: number): SyncOutcome {
    const retryInMs = this.error ? retryDelay(this.error, failures + 1, Math.random) : null;
    const entries = [...this.entries.values()];
    if (this.error) {
      const failed = entries.filter(({ result }) => result?.is === 'failed').length;
      const detail = `${this.error.code}: ${formatCount(failed, 'key')} could not be written. The steps have the reasons.`;
      return { error: { code: `provider_${this.error.kind}`, detail }, retryInMs };
    }
    for (const state of BLOCKED) {
      const count = entries.filter((entry) => finalState(entry).state === state && isError(entry, state)).length;
      if (count > 0) return { error: blockedError(`${state}_keys`, count, EXPLANATIONS[state]), retryInMs: null };
    }
    const undecided = entries.filter(({ planned }) => planned.reason === 'removal_undecided').length;
    if (undecided > 0) return { error: blockedError('undecided_removals', undecided, UNDECIDED), retryInMs: null };
    const open = entries.some(({ result }) => result?.is === 'moved');
    if (!open) return { error: null, retryInMs: null };
    const detail = 'Other programs changed keys while the push ran. Nothing was overwritten. Run the push again.';
    return { error: { code: 'store_changed', detail }, retryInMs: null };
  }
}

export const toRunError = ({ kind, code, detail }: ProviderError): RunError => ({
  code: `provider_${kind}`,
  detail: `${code}: ${detail}`,
});

function summarize({ action }: PlannedKey, isDryRun: boolean): string | null {
  if (isDryRun) return `Planned: ${action}.`;
  return action === 'import' ? 'The text was imported into the value.' : null;
}

/** A key that a person left, or that is about to be imported, is no error. */
const isError = ({ planned, result }: KeyEntry, state: KeyState): boolean =>
  BLOCKED.some((blocked) => blocked === state) &&
  (result !== null || (planned.reason !== 'decided' && planned.action !== 'import'));

const isDone = (result: KeyResult | null): boolean => result?.is === 'done';

function finalState({ planned, result }: KeyEntry): { readonly state: KeyState; readonly action: KeyAction } {
  if (result?.is === 'done') return { state: planned.action === 'delete' ? 'missing' : 'in_sync', action: 'none' };
  if (result?.is === 'failed') return { state: 'failed', action: planned.action };
  if (result?.is === 'owned_elsewhere') return { state: 'foreign', action: 'none' };
  return { state: planned.state, action: planned.action === 'confirm' ? 'none' : planned.action };
}

function describe({ planned, problem, result }: KeyEntry): string | null {
  if (result?.is === 'failed') return `${result.error.code}: ${result.error.detail}`;
  if (result?.is === 'owned_elsewhere') return 'Another push writes this key.';
  if (planned.reason === 'removal_undecided') return 'The push no longer has its value, which may still exist.';
  return problem;
}

const blockedError = (code: string, count: number, explanation: string): RunError => ({
  code,
  detail: `${formatCount(count, 'key')} ${explanation} The steps name them.`,
});

/** Cut keys stay different from each other. */
export function shorten(key: string): string {
  if (Buffer.byteLength(key) <= KEY_LENGTH_MAX) return key;
  const start = Buffer.from(key)
    .subarray(0, KEY_LENGTH_MAX / 2)
    .toString()
    .replace(/\uFFFD$/, '');
  return `${start}… ${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
}

/** The error of a content that its parameter does not accept. It says nothing about the text, which is secret. */
export const REJECTED_CONTENT: RunError = {
  code: 'external_content_rejected',
  detail: 'The content does not satisfy the type and rules of the parameter, or a text that refers to it.',
};

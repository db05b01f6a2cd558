import { counted, type KeyAction, type KeyState, type PlannedKey } from '@strata/domain';
import { type ProviderError, retryDelay } from '@strata/providers';
import type { DesiredValue } from './desired-values.ts';
import type { KeyResult } from './key-writer.ts';
import type { RunError, SyncOutcome } from './run-store.ts';
import type { KeyReport } from './sync-keys.ts';
import type { NewStep } from './task-steps.ts';

interface DesiredLike {
  readonly problem: string | null;
  readonly value: DesiredValue;
}

interface KeyEntry {
  readonly planned: PlannedKey;
  readonly value: DesiredValue | null;
  readonly problem: string | null;
  readonly result: KeyResult | null;
}

/** The number of keys that an error names. The list of the push's keys has all of them. */
const NAMES_MAX = 3;

const OPERATIONS: Readonly<Partial<Record<KeyAction, NewStep['operation']>>> = {
  create: 'create',
  restore: 'update',
  update: 'update',
  take_over: 'update',
  delete: 'delete',
};

const BLOCKED = ['foreign', 'drifted', 'failed'] as const;

const EXPLANATIONS: Readonly<Record<(typeof BLOCKED)[number], string>> = {
  foreign: 'was not written by this push. Nothing was changed there. Decide about it in a run.',
  drifted: 'was changed by another program. Nothing was changed there. Decide about it in a run.',
  failed: 'could not be written.',
};

/** Collects what happened to each key of a run. */
export class PushOutcome {
  private readonly entries = new Map<string, KeyEntry>();
  private error: ProviderError | null = null;

  constructor(private readonly fqn: string) {}

  /** A later pass replaces the plan of a key only if the earlier one did not finish it. */
  add(planned: readonly PlannedKey[], desired: ReadonlyMap<string, DesiredLike>): void {
    for (const entry of planned) {
      if (this.entries.get(entry.key)?.result?.is === 'done') continue;
      const { value = null, problem = null } = desired.get(entry.key) ?? {};
      this.entries.set(entry.key, { planned: entry, value, problem, result: null });
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
        const { planned, value } = entry;
        return {
          key: planned.key,
          ...finalState(entry),
          reason: planned.reason,
          detail: describe(entry),
          version: planned.version,
          projectId: value?.projectId ?? null,
          environmentId: value?.environmentId ?? null,
          parameterId: value?.parameterId ?? null,
        };
      });
  }

  /** A key that did not change and is in sync has no step. */
  steps(isDryRun: boolean): readonly NewStep[] {
    return [...this.entries.values()].flatMap((entry) => {
      const { planned, value, result } = entry;
      const operation = OPERATIONS[planned.action];
      const { state } = finalState(entry);
      const isBlocked = BLOCKED.some((blocked) => blocked === state);
      if (operation === undefined && !isBlocked) return [];
      const success = !isBlocked && (isDryRun || isDone(result));
      return [
        {
          operation: operation ?? 'update',
          success,
          fqn: `${this.fqn}/${planned.key.replace(/^\//, '')}`,
          summary: isDryRun && operation ? `Planned: ${planned.action}.` : null,
          errorCode: success ? null : `key_${state}`,
          errorDetail: success ? null : describe(entry),
          environmentId: value?.environmentId ?? null,
          projectId: value?.projectId ?? null,
          parameterId: value?.parameterId ?? null,
        },
      ];
    });
  }

  result(failures: number): SyncOutcome {
    const retryInMs = this.error ? retryDelay(this.error, failures + 1, Math.random) : null;
    if (this.error) return { error: toRunError(this.error), retryInMs };
    for (const state of BLOCKED) {
      const keys = [...this.entries.values()].filter((entry) => finalState(entry).state === state);
      if (keys.length > 0) return { error: blockedError(state, keys), retryInMs: null };
    }
    const open = [...this.entries.values()].some(({ result }) => result?.is === 'moved');
    if (!open) return { error: null, retryInMs: null };
    const detail = 'Other programs changed keys while the push ran. Nothing was overwritten. Run the push again.';
    return { error: { code: 'store_changed', detail }, retryInMs: null };
  }
}

export const toRunError = ({ kind, code, detail }: ProviderError): RunError => ({
  code: `provider_${kind}`,
  detail: `${code}: ${detail}`,
});

const isDone = (result: KeyResult | null): boolean => result?.is === 'done';

function finalState({ planned, result }: KeyEntry): { readonly state: KeyState; readonly action: KeyAction } {
  if (result?.is === 'done') return { state: planned.action === 'delete' ? 'missing' : 'in_sync', action: 'none' };
  if (result?.is === 'failed') return { state: 'failed', action: planned.action };
  if (result?.is === 'owned_elsewhere') return { state: 'foreign', action: 'none' };
  return { state: planned.state, action: planned.action === 'confirm' ? 'none' : planned.action };
}

function describe({ problem, result }: KeyEntry): string | null {
  if (result?.is === 'failed') return `${result.error.code}: ${result.error.detail}`;
  if (result?.is === 'owned_elsewhere') return 'Another push writes this key.';
  return problem;
}

function blockedError(state: (typeof BLOCKED)[number], entries: readonly KeyEntry[]): RunError {
  const names = entries.slice(0, NAMES_MAX).map(({ planned }) => planned.key);
  const more = entries.length > names.length ? ', …' : '';
  const detail = `${counted(entries.length, 'key')} (${names.join(', ')}${more}) ${EXPLANATIONS[state]}`;
  return { code: `${state}_keys`, detail };
}

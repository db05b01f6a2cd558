import type { PlannedKey } from '@strata/domain';
import { type KeyWrite, ProviderError, type Store } from '@strata/providers';
import type { KeyOrigin, KeyScope, SyncKeys } from './sync-keys.ts';

/** A key with the action that the plan allows. */
export interface KeyTask {
  readonly planned: PlannedKey;
  /** The text, its hash and its value; null if the key is to be deleted. */
  readonly desired: { readonly write: KeyWrite; readonly hash: string; readonly origin: KeyOrigin } | null;
}

/** The result of one action. */
export type KeyResult =
  | { readonly is: 'done' }
  /** The store differs from the plan. Nothing was changed, and the key has to be planned again. */
  | { readonly is: 'moved' }
  | { readonly is: 'owned_elsewhere' }
  | { readonly is: 'failed'; readonly error: ProviderError };

/**
 * Executes the actions of a plan in batches. Every write is stored before it is sent and after it has succeeded. Before a
 * key is changed, its version is read again, so that a change of another program since the list is not overwritten.
 */
export class KeyWriter {
  constructor(
    private readonly store: Store,
    private readonly keys: SyncKeys,
    private readonly scope: KeyScope,
    private readonly owner: string,
  ) {}

  async executeBatch(tasks: readonly KeyTask[]): Promise<ReadonlyMap<string, KeyResult>> {
    const checked = await Promise.all(tasks.map(async (task) => [task, await this.check(task)] as const));
    const writes = checked.flatMap(([{ planned, desired }, result]) => {
      if (result !== null) return [];
      const action = planned.action === 'delete' ? ('remove' as const) : ('write' as const);
      const hash = action === 'write' ? (desired?.hash ?? null) : null;
      return [{ key: planned.key, action, hash, origin: desired?.origin ?? null }];
    });
    const ours = writes.length > 0 ? await this.keys.begin(this.scope, writes) : new Set<string>();
    const results = await Promise.all(
      checked.map(async ([task, result]) => {
        const { key } = task.planned;
        if (result !== null) return [key, result] as const;
        if (!ours.has(key)) return [key, { is: 'owned_elsewhere' }] as const;
        return [key, await this.execute(task)] as const;
      }),
    );
    return new Map(results);
  }

  /** Returns null if the key still has the version of the plan. */
  private async check({ planned: { key, action, version } }: KeyTask): Promise<KeyResult | null> {
    if (action === 'create' || action === 'restore') return null;
    return attempt<KeyResult | null>(async () => {
      const current = await this.store.read(key);
      // A key without a value has no version, and no text to read.
      return (current?.version ?? null) === version ? null : { is: 'moved' };
    });
  }

  private async execute({ planned, desired }: KeyTask): Promise<KeyResult> {
    const { key, action } = planned;
    const result = await attempt(async () => {
      if (action === 'restore') {
        await this.store.restore(key);
        return { is: 'moved' };
      }
      if (action === 'delete') {
        await this.store.remove(key);
        await this.keys.removed(this.scope, key);
        return null;
      }
      if (desired === null) throw new Error(`No text is known for ${action}.`);
      if (action === 'take_over') await this.store.mark(key, this.owner);
      const version = await this.write(planned, desired.write);
      await this.keys.finish(this.scope, [{ key, hash: desired.hash, version, origin: desired.origin }]);
      return null;
    });
    // The request was rejected, so the key is not ours.
    const isRejected = action === 'create' && result?.is === 'failed' && !result.error.isTemporary;
    if (isRejected) await this.keys.abandon(this.scope, key);
    return result ?? { is: 'done' };
  }

  /** Returns the version of the text. A key that is taken over may have it already. */
  private async write({ action, mustEncrypt }: PlannedKey, write: KeyWrite): Promise<string> {
    if (action === 'create') return this.store.create(write);
    if (mustEncrypt && this.store.encrypt) return this.store.encrypt(write);
    const current = action === 'take_over' ? await this.store.read(write.key) : null;
    return current?.text === write.text ? current.version : this.store.update(write);
  }
}

/** Returns the error of a provider as a result. `conflict` and `missing` mean that the store has changed. */
export async function attempt<Result extends KeyResult | null>(
  work: () => Promise<Result>,
): Promise<Result | KeyResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return error.kind === 'conflict' || error.kind === 'missing' ? { is: 'moved' } : { is: 'failed', error };
  }
}

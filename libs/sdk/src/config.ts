import type { StoredState } from './cache.ts';
import type { ConfigChange } from './options.ts';
import type { AnyParameters } from './parameters.ts';
import type { ConfigSelection } from './selection.ts';
import { StrataError } from './strata-error.ts';
import { type ConfigState, Getters } from './values.ts';

/**
 * `live`: changes arrive at once. `polling`: changes arrive by long polls. `stale`: there is no connection. `stopped`:
 * the program no longer follows the configuration.
 */
export type ConnectionStatus = 'live' | 'polling' | 'stale' | 'stopped';

export type ChangeListener = (changes: readonly ConfigChange[]) => void;

interface Handlers {
  readonly close: () => Promise<void>;
  readonly onError: (error: StrataError) => void;
}

/** The configuration of the program, which follows the changes in Strata. */
export class Config<Parameters extends object = AnyParameters> extends Getters<Parameters> {
  readonly #handlers: Handlers;
  #state: ConfigState;
  #status: ConnectionStatus = 'stale';
  #confirmedAt: number;
  readonly #listeners = new Set<ChangeListener>();

  /** @internal */
  constructor(state: ConfigState, selection: ConfigSelection, ageMs: number, handlers: Handlers) {
    super(() => this.#state, selection);
    this.#state = state;
    this.#handlers = handlers;
    this.#confirmedAt = performance.now() - ageMs;
  }

  get status(): ConnectionStatus {
    return this.#status;
  }

  /** The time since Strata last confirmed that these values are current. */
  get ageMs(): number {
    return performance.now() - this.#confirmedAt;
  }

  /** Calls the listener after each change, or after each change of one parameter. Returns a function that removes it. */
  onChange(listener: ChangeListener): () => void;
  onChange(name: keyof Parameters & string, listener: () => void): () => void;
  onChange(first: string | ChangeListener, secondListener?: () => void): () => void {
    const listener: ChangeListener =
      typeof first === 'function'
        ? (changes) => first(changes)
        : (changes) => void (changes.some(({ name }) => name === first) && secondListener?.());
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Stops following. The values remain readable. */
  close(): Promise<void> {
    return this.#handlers.close();
  }

  /** @internal */
  update(state: ConfigState, changes: readonly ConfigChange[]): void {
    this.#state = state;
    this.#confirmedAt = performance.now();
    if (changes.length === 0) return;
    for (const listener of [...this.#listeners]) {
      try {
        listener(changes);
      } catch (cause) {
        this.#handlers.onError(
          new StrataError('listener_failed', 'A listener of `onChange` threw an error.', { cause }),
        );
      }
    }
  }

  /** @internal */
  stored(): StoredState {
    return { state: this.#state, ageMs: this.ageMs };
  }

  /** @internal */
  setStatus(status: ConnectionStatus): void {
    this.#status = status;
  }
}

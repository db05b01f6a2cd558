import type { ConfigCache, StoredState } from './cache.ts';
import type { ConfigSelection } from './selection.ts';
import type { StrataError } from './strata-error.ts';

/** Writes one configuration at a time. A later one replaces one that waits. */
export class CacheWriter {
  readonly #cache: ConfigCache;
  readonly #selection: ConfigSelection;
  readonly #onError: (error: StrataError) => void;
  #waiting: StoredState | null = null;
  #writing: Promise<void> | null = null;

  constructor(cache: ConfigCache, selection: ConfigSelection, onError: (error: StrataError) => void) {
    this.#cache = cache;
    this.#selection = selection;
    this.#onError = onError;
  }

  store(storedState: StoredState): void {
    this.#waiting = storedState;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
  }

  /** Resolves when nothing is left to write. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  async remove(): Promise<void> {
    this.#waiting = null;
    await this.idle();
    await this.#cache.remove().catch(this.#onError);
  }

  async #writeAll(): Promise<void> {
    for (let next = this.#waiting; next !== null; next = this.#waiting) {
      this.#waiting = null;
      await this.#cache.store(this.#selection, next).catch(this.#onError);
    }
  }
}

import type { ConfigCache, StoredState } from './cache.ts';
import type { ConfigSelection } from './selection.ts';
import type { StrataError } from './strata-error.ts';

/** Writes one configuration at a time. A later one replaces one that waits. */
export class CacheWriter {
  private waiting: StoredState | null = null;
  private writing: Promise<void> | null = null;

  constructor(
    private readonly cache: ConfigCache,
    private readonly selection: ConfigSelection,
    private readonly onError: (error: StrataError) => void,
  ) {}

  store(stored: StoredState): void {
    this.waiting = stored;
    this.writing ??= this.writeAll().finally(() => {
      this.writing = null;
    });
  }

  /** Resolves when nothing is left to write. */
  async idle(): Promise<void> {
    await this.writing;
  }

  async remove(): Promise<void> {
    this.waiting = null;
    await this.idle();
    await this.cache.remove().catch(this.onError);
  }

  private async writeAll(): Promise<void> {
    for (let next = this.waiting; next !== null; next = this.waiting) {
      this.waiting = null;
      await this.cache.store(this.selection, next).catch(this.onError);
    }
  }
}

import { waitForTurn } from './limits/request-limits.ts';

/** The time that work may block the event loop before it yields to other requests. */
const BLOCK_MS_MAX = 3;

/** Splits long work: call `if (yielder.isDue) await yielder.yield()` after every small piece of it. */
export class EventLoopYielder {
  private began = performance.now();

  get isDue(): boolean {
    return performance.now() - this.began >= BLOCK_MS_MAX;
  }

  /** Resolves when the organization of this request may continue. */
  async yield(): Promise<void> {
    await waitForTurn();
    this.began = performance.now();
  }
}

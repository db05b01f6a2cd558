import { setImmediate as letOthersRun } from 'node:timers/promises';

/** How long work is done in one go before other requests get their turn. */
const SLICE_MS = 10;

/** For work that may be long: `if (slice.isOver) await slice.next()` after every little piece of it. */
export class Slice {
  private began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.began >= SLICE_MS;
  }

  async next(): Promise<void> {
    await letOthersRun();
    this.began = performance.now();
  }
}

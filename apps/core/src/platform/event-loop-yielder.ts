import { setImmediate as letOthersRun } from 'node:timers/promises';

/** How long work is done in one go before other requests are served. */
const BLOCK_MS_MAX = 10;

/** For work that may be long: `if (yielder.isOver) await yielder.next()` after every little piece of it. */
export class EventLoopYielder {
  private began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.began >= BLOCK_MS_MAX;
  }

  async next(): Promise<void> {
    await letOthersRun();
    this.began = performance.now();
  }
}

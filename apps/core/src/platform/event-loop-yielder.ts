import { nextTurn } from './limits/request-limits.ts';

/** How long work is done in one go before others are served. */
const BLOCK_MS_MAX = 3;

/** For work that may be long: `if (yielder.isOver) await yielder.next()` after every little piece of it. */
export class EventLoopYielder {
  private began = performance.now();

  get isDue(): boolean {
    return performance.now() - this.began >= BLOCK_MS_MAX;
  }

  /** Goes on when it is the turn of whoever asked for this work. */
  async yield(): Promise<void> {
    await nextTurn();
    this.began = performance.now();
  }
}

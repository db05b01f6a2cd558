/** How long work is done in one go before other requests are served. */
const BLOCK_MS_MAX = 10;

/** Who waits to go on with long work, in the order in which they came. */
const waiting: (() => void)[] = [];

/** One goes on in each turn of the event loop: however much long work there is, everybody else waits for one piece of it. */
function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(goOn);
}

/** For work that may be long: `if (yielder.isOver) await yielder.next()` after every little piece of it. */
export class EventLoopYielder {
  private began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.began >= BLOCK_MS_MAX;
  }

  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(goOn);
    });
    this.began = performance.now();
  }
}

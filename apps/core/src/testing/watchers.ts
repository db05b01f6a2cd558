/** Long enough for a machine that is busy with other work. */
const TIMEOUT_MS = 120_000;

/** Lets a test wait for what a connection receives. Call `look` after each message. */
export class Watchers {
  private readonly watchers = new Set<() => void>();

  constructor(private readonly received: readonly unknown[]) {}

  async until(isEnough: () => boolean): Promise<void> {
    if (isEnough()) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`Got ${JSON.stringify(this.received).slice(-2_000)}`)),
        TIMEOUT_MS,
      );
      const check = () => {
        if (!isEnough()) return;
        clearTimeout(timer);
        this.watchers.delete(check);
        resolve();
      };
      this.watchers.add(check);
    });
  }

  look(): void {
    for (const check of [...this.watchers]) check();
  }
}

/** Counts the use of a resource per key, up to a limit for each key. */
export class UsageCounter {
  private readonly countByKey = new Map<string, number>();

  constructor(private readonly max: number) {}

  /** The units in use, of all keys. */
  get total(): number {
    return [...this.countByKey.values()].reduce((sum, count) => sum + count, 0);
  }

  isFull(key: string): boolean {
    return (this.countByKey.get(key) ?? 0) >= this.max;
  }

  /**
   * Takes one unit. The returned function releases it; further calls have no effect. Returns null if the limit is
   * reached.
   */
  take(key: string): (() => void) | null {
    if (this.isFull(key)) return null;
    this.countByKey.set(key, (this.countByKey.get(key) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.countByKey.get(key) ?? 1) - 1;
      // Removes the counts of keys without use, because clients change their addresses.
      if (left === 0) this.countByKey.delete(key);
      else this.countByKey.set(key, left);
    };
  }
}

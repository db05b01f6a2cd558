/** How much of something each of many has, up to a bound for one. */
export class Shares {
  private readonly held = new Map<string, number>();

  constructor(private readonly max: number) {}

  isFull(key: string): boolean {
    return (this.held.get(key) ?? 0) >= this.max;
  }

  /** Takes one more; what is returned gives it back, once however often it is called. Null when the share is used up. */
  take(key: string): (() => void) | null {
    if (this.isFull(key)) return null;
    this.held.set(key, (this.held.get(key) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.held.get(key) ?? 1) - 1;
      // Who has nothing leaves no trace: addresses come and go.
      if (left === 0) this.held.delete(key);
      else this.held.set(key, left);
    };
  }
}

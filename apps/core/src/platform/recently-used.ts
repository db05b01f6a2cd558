const OVERHEAD_BYTES = 256;

/** What was used lately, within so many bytes: what has not been asked for the longest leaves first. */
export class RecentlyUsed<T> {
  private readonly kept = new Map<string, T>();
  private bytes = 0;

  constructor(
    private readonly bytesMax: number,
    /** An estimate; it must stay the same as long as something is kept. */
    private readonly bytesOf: (it: T) => number,
  ) {}

  get(key: string): T | null {
    const found = this.kept.get(key);
    if (found === undefined) return null;
    this.kept.delete(key);
    this.kept.set(key, found);
    return found;
  }

  /** What would take the room of everything else is not kept. */
  put(key: string, it: T): void {
    this.delete(key);
    const size = this.sizeOf(key, it);
    if (size > this.bytesMax / 8) return;
    this.kept.set(key, it);
    this.bytes += size;
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= this.bytesMax) break;
      this.delete(oldest);
    }
  }

  private delete(key: string): void {
    const known = this.kept.get(key);
    if (known === undefined) return;
    this.bytes -= this.sizeOf(key, known);
    this.kept.delete(key);
  }

  private sizeOf(key: string, it: T): number {
    return OVERHEAD_BYTES + key.length + this.bytesOf(it);
  }
}

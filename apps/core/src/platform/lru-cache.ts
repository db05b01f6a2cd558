const OVERHEAD_BYTES = 256;

/**
 * What was used lately, within so many bytes. There are two halves: what is used goes into the young one, and when that is
 * full it becomes the old one, whose things leave unless they are asked for again.
 */
export class LruCache<T> {
  private young = new Map<string, T>();
  private old = new Map<string, T>();
  /** Of the young half. */
  private bytes = 0;

  constructor(
    private readonly bytesMax: number,
    /** An estimate; it must stay the same as long as something is kept. */
    private readonly bytesOf: (it: T) => number,
  ) {}

  get(key: string): T | null {
    const young = this.young.get(key);
    if (young !== undefined) return young;
    const old = this.old.get(key);
    if (old === undefined) return null;
    this.put(key, old);
    return old;
  }

  /** What would take the space of much else is not kept. */
  put(key: string, it: T): void {
    const known = this.young.get(key);
    if (known !== undefined) this.bytes -= this.sizeOf(key, known);
    this.young.delete(key);
    this.old.delete(key);
    const size = this.sizeOf(key, it);
    if (size > this.bytesMax / 8) return;
    if (this.bytes + size > this.bytesMax / 2) {
      this.old = this.young;
      this.young = new Map();
      this.bytes = 0;
    }
    this.young.set(key, it);
    this.bytes += size;
  }

  private sizeOf(key: string, it: T): number {
    return OVERHEAD_BYTES + key.length + this.bytesOf(it);
  }
}

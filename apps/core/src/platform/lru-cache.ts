const OVERHEAD_BYTES = 256;

/**
 * Caches recently used entries within a number of bytes. There are two halves: used entries move into the young half.
 * When it is full, it becomes the old half, and the entries of the previous old half are dropped.
 */
export class LruCache<T> {
  private young = new Map<string, T>();
  private old = new Map<string, T>();
  /** The size of the young half. */
  private bytes = 0;

  constructor(
    private readonly bytesMax: number,
    /** An estimate. It must return the same number as long as the entry is cached. */
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

  /** Does not store an entry that would displace many others. */
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

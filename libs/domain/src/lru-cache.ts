const OVERHEAD_BYTES = 256;

/**
 * Caches recently used entries within a number of bytes. There are two halves: used entries move into the young half.
 * When it is full, it becomes the old half, and the entries of the previous old half are dropped.
 *
 * Every entry has a holder. A holder with most of the young half loses its own entries there instead, so it displaces
 * no entries of others.
 */
export class LruCache<T> {
  private young = new Map<string, T>();
  private old = new Map<string, T>();
  /** The size of the young half. */
  private bytes = 0;
  /** The part of each holder in the young half. */
  private readonly held = new Map<string, number>();

  constructor(
    private readonly bytesMax: number,
    /** An estimate. It must return the same number as long as the entry is cached. */
    private readonly bytesOf: (it: T) => number,
    /** Returns the holder of a key. Without it, all entries have the same one. */
    private readonly holderOf: (key: string) => string = () => '',
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
    if (known !== undefined) this.count(key, -this.sizeOf(key, known));
    this.young.delete(key);
    this.old.delete(key);
    const size = this.sizeOf(key, it);
    if (size > this.bytesMax / 8) return;
    if (this.bytes + size > this.bytesMax / 2) this.makeRoom(this.holderOf(key));
    this.young.set(key, it);
    this.count(key, size);
  }

  private makeRoom(holder: string): void {
    const held = this.held.get(holder) ?? 0;
    if (held > this.bytes / 2 && held < this.bytes) {
      for (const key of this.young.keys()) if (this.holderOf(key) === holder) this.young.delete(key);
      this.held.delete(holder);
      this.bytes -= held;
      return;
    }
    this.old = this.young;
    this.young = new Map();
    this.held.clear();
    this.bytes = 0;
  }

  private count(key: string, size: number): void {
    const holder = this.holderOf(key);
    this.held.set(holder, (this.held.get(holder) ?? 0) + size);
    this.bytes += size;
  }

  private sizeOf(key: string, it: T): number {
    return OVERHEAD_BYTES + key.length + this.bytesOf(it);
  }
}

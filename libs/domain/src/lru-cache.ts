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
  private readonly bytesByHolder = new Map<string, number>();

  constructor(
    private readonly bytesMax: number,
    /** An estimate. It must return the same number as long as the entry is cached. */
    private readonly measureBytes: (entry: T) => number,
    /** Returns the holder of a key. Without it, all entries have the same one. */
    private readonly readHolder: (key: string) => string = () => '',
  ) {}

  get(key: string): T | null {
    const youngEntry = this.young.get(key);
    if (youngEntry !== undefined) return youngEntry;
    const oldEntry = this.old.get(key);
    if (oldEntry === undefined) return null;
    this.put(key, oldEntry);
    return oldEntry;
  }

  /** Does not store an entry that would displace many others. */
  put(key: string, entry: T): void {
    this.delete(key);
    const size = this.entrySize(key, entry);
    if (size > this.bytesMax / 8) return;
    if (this.bytes + size > this.bytesMax / 2) this.makeRoom(this.readHolder(key));
    this.young.set(key, entry);
    this.count(key, size);
  }

  delete(key: string): void {
    const removedEntry = this.young.get(key);
    if (removedEntry !== undefined) this.count(key, -this.entrySize(key, removedEntry));
    this.young.delete(key);
    this.old.delete(key);
  }

  private makeRoom(holder: string): void {
    const holderBytes = this.bytesByHolder.get(holder) ?? 0;
    if (holderBytes > this.bytes / 2 && holderBytes < this.bytes) {
      for (const key of this.young.keys()) if (this.readHolder(key) === holder) this.young.delete(key);
      this.bytesByHolder.delete(holder);
      this.bytes -= holderBytes;
      return;
    }
    this.old = this.young;
    this.young = new Map();
    this.bytesByHolder.clear();
    this.bytes = 0;
  }

  private count(key: string, size: number): void {
    const holder = this.readHolder(key);
    this.bytesByHolder.set(holder, (this.bytesByHolder.get(holder) ?? 0) + size);
    this.bytes += size;
  }

  private entrySize(key: string, entry: T): number {
    return OVERHEAD_BYTES + key.length + this.measureBytes(entry);
  }
}

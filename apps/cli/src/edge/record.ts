import { type FileHandle, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { seal, syncFolder, unseal } from './sealed-file.ts';

/** A read that the edge has answered. */
export interface RecordedRead {
  readonly receipt: string;
  /** Empty for all names. */
  readonly names: readonly string[];
  readonly revealed: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A response with a secret cannot be recorded. */
export class RecordFullError extends Error {
  override readonly name = 'RecordFullError';
}

interface WaitingLine {
  readonly line: string;
  readonly isDurable: boolean;
  readonly stored: PromiseWithResolvers<void>;
}

const CONTEXT = 'strata-edge-reads/1';
const MINUTE_MS = 60_000;
/** Limits memory. Beyond it, a read is recorded more than once a minute. */
const NOTED_MAX = 100_000;
const SEGMENT = /^reads-(\d+)\.log$/;

/** Returns the minute of an instant in milliseconds since 1970. */
export const toMinute = (at: number): number => Math.floor(at / MINUTE_MS);

/**
 * The reads that the core does not know of yet, in encrypted lines of files beside the snapshot. A reader is recorded
 * once a minute. The files are sent one after the other, and each is deleted when the core has it.
 */
export class ReadRecord {
  #noted = { minute: 0, reads: new Map<string, Promise<void>>() };
  #waiting: WaitingLine[] = [];
  #writing: Promise<void> | null = null;
  #active: FileHandle | null = null;
  #isTorn = false;
  /** Reads that were not recorded, because the record is full or the disk failed. */
  unrecorded = 0;
  forwarded = 0;

  private constructor(
    private readonly folder: string,
    private readonly key: Buffer,
    readonly bytesMax: number,
    private segment: number,
    private sizes: Map<number, number>,
  ) {}

  static async open(folder: string, key: Buffer, bytesMax: number): Promise<ReadRecord> {
    const sizes = new Map<number, number>();
    for (const name of await readdir(folder)) {
      const number = Number(SEGMENT.exec(name)?.[1] ?? 0);
      if (number > 0) sizes.set(number, (await stat(path.join(folder, name))).size);
    }
    return new ReadRecord(folder, key, bytesMax, Math.max(0, ...sizes.keys()) + 1, sizes);
  }

  get bytes(): number {
    return [...this.sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  /**
   * Records a read. If it revealed secrets, the promise resolves when the line is on disk, and rejects with a
   * RecordFullError if it cannot be. Other reads may be lost.
   */
  note(reader: string, read: RecordedRead): Promise<void> {
    const minute = toMinute(read.at);
    if (this.#noted.minute !== minute || this.#noted.reads.size >= NOTED_MAX) {
      this.#noted = { minute, reads: new Map() };
    }
    const { reads } = this.#noted;
    const key = JSON.stringify([reader, read.names, read.revealed]);
    const previous = reads.get(key);
    if (previous !== undefined) return previous;
    const whenStored = this.#append(read);
    reads.set(key, whenStored);
    whenStored.catch(() => reads.delete(key));
    return whenStored;
  }

  /** Sends everything recorded so far. Stops at the first batch that `send` rejects. */
  async forward(send: (reads: readonly RecordedRead[]) => Promise<void>, batchSize: number): Promise<void> {
    await this.#rotate();
    for (const number of [...this.sizes.keys()].filter((number) => number !== this.segment).sort((a, b) => a - b)) {
      const file = this.#file(number);
      const reads = this.#parse(await readFile(file, 'utf8'));
      for (let at = 0; at < reads.length; at += batchSize) await send(reads.slice(at, at + batchSize));
      this.forwarded += reads.length;
      await rm(file, { force: true });
      this.sizes.delete(number);
    }
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#active?.close();
    this.#active = null;
  }

  async #append(read: RecordedRead): Promise<void> {
    if (this.bytes >= this.bytesMax) {
      this.unrecorded += 1;
      if (read.revealed) throw new RecordFullError();
      return;
    }
    const line = seal(this.key, CONTEXT, Buffer.from(JSON.stringify(read))).toString('base64');
    const storing = Promise.withResolvers<void>();
    this.#waiting.push({ line, isDurable: read.revealed, stored: storing });
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
    await storing.promise;
  }

  /** Writes all waiting lines together, so that many reveals share one `fsync`. */
  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      try {
        await this.#write(
          lines.map(({ line }) => `${line}\n`).join(''),
          lines.some(({ isDurable }) => isDurable),
        );
        for (const { stored } of lines) stored.resolve();
      } catch {
        this.#isTorn = true;
        this.unrecorded += lines.length;
        for (const { isDurable, stored } of lines) {
          if (isDurable) stored.reject(new RecordFullError());
          else stored.resolve();
        }
      }
    }
  }

  async #write(lines: string, isDurable: boolean): Promise<void> {
    if (this.#active === null) {
      this.#active = await open(this.#file(this.segment), 'a', 0o600);
      await syncFolder(this.folder);
    }
    // A line that was cut by an error must not become a part of the next one.
    const text = this.#isTorn ? `\n${lines}` : lines;
    await this.#active.appendFile(text);
    if (isDurable) await this.#active.datasync();
    this.#isTorn = false;
    this.sizes.set(this.segment, (this.sizes.get(this.segment) ?? 0) + text.length);
  }

  /** Closes the current file, so that it can be sent. */
  async #rotate(): Promise<void> {
    await this.#writing;
    const closing = this.#active;
    if (closing === null) return;
    this.#active = null;
    this.segment += 1;
    await closing.close();
  }

  /** Leaves out lines that were cut by a crash. */
  #parse(text: string): readonly RecordedRead[] {
    return text.split('\n').flatMap((line) => {
      const content = line === '' ? null : unseal(this.key, CONTEXT, Buffer.from(line, 'base64'));
      return content === null ? [] : (JSON.parse(content.toString()) as RecordedRead);
    });
  }

  #file(number: number): string {
    return path.join(this.folder, `reads-${number}.log`);
  }
}

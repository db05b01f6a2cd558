import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';

/** A file of a backup: its path below the data directory, its size and its checksum. */
export interface CopiedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

const CHUNK_BYTES = 2 ** 20;
const SYNCS_MAX = 16;

/** Copies a file to a path where none exists, for its owner only. */
export async function copyFile(from: string, to: string): Promise<Omit<CopiedFile, 'path'>> {
  const source = await fs.open(from, 'r');
  try {
    const target = await fs.open(to, 'wx', 0o600);
    try {
      return await copyContent(source, target);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function copyContent(source: fs.FileHandle, target: fs.FileHandle): Promise<Omit<CopiedFile, 'path'>> {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let bytes = 0; ; ) {
    const { bytesRead } = await source.read(chunk, 0, CHUNK_BYTES);
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
    const part = chunk.subarray(0, bytesRead);
    hash.update(part);
    await target.writeFile(part);
    bytes += bytesRead;
  }
}

/** Flushes the files and folders below a folder to disk. Many at a time, because the disk then writes its journal less often. */
export async function syncAll(folder: string): Promise<void> {
  const entries = await fs.readdir(folder, { recursive: true, encoding: 'utf8' });
  const paths = [folder, ...entries.map((name) => path.join(folder, name))];
  const next = async (): Promise<void> => {
    for (let file = paths.pop(); file !== undefined; file = paths.pop()) await syncFile(file);
  };
  await Promise.all(Array.from({ length: SYNCS_MAX }, next));
}

/** Flushes a file, or the names in a folder, to disk. */
export async function syncFile(file: string): Promise<void> {
  const handle = await fs.open(file, 'r');
  await handle.sync().finally(() => handle.close());
}

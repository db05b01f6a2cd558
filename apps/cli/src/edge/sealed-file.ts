import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { OperatorError } from '../core/secret-settings.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Keys for separate purposes, all derived from the key of the edge. */
export class EdgeKeys {
  readonly #key: Buffer;

  constructor(key: string) {
    if (key.length < 32) throw new OperatorError('STRATA_EDGE_KEY must have at least 32 characters.');
    this.#key = Buffer.from(key);
  }

  derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, '', `strata-edge ${purpose}`, 32));
  }

  /** Returns a function that computes keyed digests, which cannot be tested against guesses without the key. */
  digester(purpose: string): (text: string) => string {
    const key = this.derive(purpose);
    return (text) => createHmac('sha256', key).update(text).digest('base64url');
  }
}

/** Encrypts and authenticates a text together with its context, which is not stored. */
export function seal(key: Buffer, context: string, content: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

/** Returns null if the bytes were changed, cut, or sealed with another key or context. */
export function unseal(key: Buffer, context: string, bytes: Buffer): Buffer | null {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

/** An encrypted file that is always replaced as a whole. */
export class SealedFile {
  /** `format` identifies the format and its version. A file of another format is not read. */
  constructor(
    private readonly file: string,
    private readonly format: string,
    private readonly key: Buffer,
    private readonly context: string,
  ) {}

  /** Returns null if there is no file. Throws if it cannot be decrypted. */
  async read(): Promise<Buffer | null> {
    const bytes = await readFile(this.file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw new OperatorError(`${this.file} cannot be read (${error.code}).`);
    });
    if (bytes === null) return null;
    const header = `${this.format}\n`;
    const isFormat = bytes.subarray(0, header.length).toString() === header;
    const content = isFormat ? unseal(this.key, this.format + this.context, bytes.subarray(header.length)) : null;
    if (content !== null) return content;
    throw new OperatorError(
      `${this.file} cannot be decrypted: it is damaged, or belongs to another key, another core or another release. Delete it to start without it.`,
    );
  }

  /** The new content is on disk, under its name, when this resolves. */
  async write(content: Buffer): Promise<void> {
    const draft = `${this.file}.new`;
    const handle = await open(draft, 'w', 0o600);
    try {
      const sealedContent = seal(this.key, this.format + this.context, content);
      await handle.writeFile(
        Buffer.concat([
          Buffer.from(`${this.format}
`),
          sealedContent,
        ]),
      );
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, this.file);
    await syncFolder(path.dirname(this.file));
  }

  async remove(): Promise<void> {
    await rm(this.file, { force: true });
    await syncFolder(path.dirname(this.file));
  }
}

/** Makes names in a folder durable. Windows cannot open folders. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

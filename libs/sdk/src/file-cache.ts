import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ConfigCache, StoredState } from './cache.ts';
import type { ProgramCredential } from './options.ts';
import { invalidOptionError } from './options.ts';
import type { ConfigSelection } from './selection.ts';
import { StrataError } from './strata-error.ts';
import type { ConfigState, ConfigText } from './values.ts';

export interface CacheOptions {
  /** The path of the file. Its folder must exist. */
  readonly file: string;
  /** The program does not start with an older configuration. Default: 1,440 (one day). */
  readonly maxAgeMinutes?: number;
  /**
   * The secret that the file is encrypted with, at least 16 characters. By default, the key is derived from the
   * credential. Required for `token`, because tokens change.
   */
  readonly key?: string;
}

interface Header {
  readonly format: string;
  /** The milliseconds since 1970 at which the configuration was current, by the clock of this machine. */
  readonly confirmedAt: number;
  readonly salt: string;
  readonly nonce: string;
}

const FORMAT = 'strata-config-client/1';
const CIPHER = 'aes-256-gcm';
const TAG_BYTES = 16;
const KEY_LENGTH_MIN = 16;
/** A configuration has at most 64 MiB of texts, which JSON can double. */
const FILE_BYTES_MAX = 2 ** 27;
const MAX_AGE_MINUTES = 1_440;
const MINUTE_MS = 60_000;
/** A clock that is set back by more makes the file unusable, because its age is unknown. */
const FUTURE_MS_MAX = 5 * MINUTE_MS;

/** Stores a configuration in an encrypted file that only the user of the program can read. */
export class FileCache implements ConfigCache {
  readonly #now: () => number;
  readonly #file: string;
  readonly #secret: string;
  readonly #maxAgeMs: number;
  readonly refreshMs: number;

  constructor(
    { file, maxAgeMinutes = MAX_AGE_MINUTES, key }: CacheOptions,
    credential: ProgramCredential,
    now = Date.now,
  ) {
    const secret = key ?? cacheSecret(credential);
    if (secret === null) throw invalidOptionError('`credential.token` requires `cache.key`, because tokens change.');
    if (secret.length < KEY_LENGTH_MIN)
      throw invalidOptionError(`\`cache.key\` needs at least ${KEY_LENGTH_MIN} characters.`);
    if (!(maxAgeMinutes > 0)) throw invalidOptionError('`cache.maxAgeMinutes` must be positive.');
    if (typeof file !== 'string' || file === '') throw invalidOptionError('`cache.file` must be a path.');
    this.#now = now;
    this.#file = path.resolve(file);
    this.#secret = secret;
    this.#maxAgeMs = maxAgeMinutes * MINUTE_MS;
    this.refreshMs = Math.max(1_000, this.#maxAgeMs / 2);
  }

  async load(selection: ConfigSelection): Promise<StoredState | null> {
    const bytes = await this.#read();
    if (bytes === null) return null;
    const end = bytes.indexOf('\n');
    const header = parseHeader(bytes.subarray(0, Math.max(0, end)));
    const ageMs = this.#ageOf(header);
    const text = this.#decrypted(header, bytes.subarray(end + 1), selection);
    const { texts, masked, revision, digest } = JSON.parse(text);
    return { state: { texts: new Map([...texts, ...masked]), revision, digest }, ageMs };
  }

  async store(selection: ConfigSelection, { state, ageMs }: StoredState): Promise<void> {
    const confirmedAt = Math.round(this.#now() - ageMs);
    const [salt, nonce] = [randomBytes(16).toString('base64'), randomBytes(12).toString('base64')];
    const header: Header = { format: FORMAT, confirmedAt, salt, nonce };
    const cipher = createCipheriv(CIPHER, this.#keyOf(header), Buffer.from(nonce, 'base64'));
    cipher.setAAD(authenticated(header, selection));
    const body = cipher.update(serializeState(state));
    await this.#replace([`${JSON.stringify(header)}\n`, body, cipher.final(), cipher.getAuthTag()]);
  }

  async remove(): Promise<void> {
    try {
      await rm(this.#file, { force: true });
    } catch (error) {
      throw this.#unusable('cannot be deleted', error);
    }
  }

  /** Writes another file and renames it, so that a crash leaves the previous one or the new one. */
  async #replace(parts: readonly (string | Buffer)[]): Promise<void> {
    const draft = `${this.#file}.${randomBytes(8).toString('hex')}.tmp`;
    try {
      const handle = await open(draft, 'wx', 0o600);
      try {
        await handle.writeFile(Buffer.concat(parts.map((part) => Buffer.from(part as Buffer))));
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, this.#file);
      await syncFolder(path.dirname(this.#file));
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined);
      throw this.#unusable('cannot be written', error);
    }
  }

  async #read(): Promise<Buffer | null> {
    let handle: FileHandle;
    try {
      // Does not wait for the other end of a pipe.
      handle = await open(this.#file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return null;
      if (code === 'ELOOP') throw this.#unusable('is a symbolic link');
      throw this.#unusable('cannot be read', error);
    }
    try {
      const stats = await handle.stat();
      const problem = describeFileProblem(stats);
      if (problem !== null) throw this.#unusable(problem);
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  }

  #ageOf(header: Header | null): number {
    if (header === null) throw this.#unusable('was written by another version, or is damaged');
    const ageMs = this.#now() - header.confirmedAt;
    if (ageMs < -FUTURE_MS_MAX) throw this.#unusable('is from the future: the clock of this machine was changed');
    if (ageMs > this.#maxAgeMs) throw this.#unusable(`is older than ${this.#maxAgeMs / MINUTE_MS} minutes`);
    return Math.max(0, ageMs);
  }

  #decrypted(header: Header | null, bytes: Buffer, selection: ConfigSelection): string {
    try {
      if (header === null) throw new Error('no header');
      const body = bytes.subarray(0, -TAG_BYTES);
      const decipher = createDecipheriv(CIPHER, this.#keyOf(header), Buffer.from(header.nonce, 'base64'), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(authenticated(header, selection));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(body), decipher.final()]).toString();
    } catch {
      throw this.#unusable('is damaged, or belongs to another credential, address, project, environment or selection');
    }
  }

  #keyOf({ salt }: Header): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#secret, Buffer.from(salt, 'base64'), FORMAT, 32));
  }

  #unusable(problem: string, cause?: unknown): StrataError {
    const { code } = (cause ?? {}) as { readonly code?: unknown };
    const reason = typeof code === 'string' ? ` (${code})` : '';
    return new StrataError('cache_unusable', `The cache ${this.#file} ${problem}${reason}.`, { cause });
  }
}

function cacheSecret(credential: ProgramCredential): string | null {
  if (typeof credential === 'string') return credential;
  return 'apiKey' in credential ? `Api-Key ${credential.apiKey}` : null;
}

function serializeState({ texts, revision, digest }: ConfigState): string {
  const isMasked = ([, text]: [string, ConfigText]) => text === undefined;
  const entries = [...texts];
  const maskedNames = entries.filter(isMasked).map(([name]) => [name]);
  return JSON.stringify({ texts: entries.filter((entry) => !isMasked(entry)), masked: maskedNames, revision, digest });
}

function parseHeader(line: Buffer): Header | null {
  try {
    const header = JSON.parse(line.toString()) as Header;
    const { format, confirmedAt, salt, nonce } = header;
    const isValid = format === FORMAT && Number.isFinite(confirmedAt) && typeof salt === 'string';
    return isValid && typeof nonce === 'string' ? { format, confirmedAt, salt, nonce } : null;
  } catch {
    return null;
  }
}

/** The bytes that the tag protects besides the configuration: a file of another selection does not decrypt. */
function authenticated(
  { format, confirmedAt, salt, nonce }: Header,
  { url, project, environment, names, reveal }: ConfigSelection,
): Buffer {
  return Buffer.from(JSON.stringify([format, confirmedAt, salt, nonce, url, project, environment, names, reveal]));
}

/** Returns why a file cannot be trusted. Windows has no owner and mode in this form: its folder decides who can read it. */
function describeFileProblem(stats: Stats): string | null {
  if (!stats.isFile()) return 'is not a file';
  if (stats.size > FILE_BYTES_MAX) return 'is too large';
  if (process.getuid === undefined) return null;
  if (stats.uid !== process.getuid()) return 'belongs to another user';
  return (stats.mode & 0o077) === 0 ? null : 'can be read or written by other users';
}

/** Makes the new name durable. Windows cannot open folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

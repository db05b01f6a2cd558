// A folder with backups, each in a folder of its own, and the archived write-ahead log in `wal`.
import fs from 'node:fs';
import path from 'node:path';
import { type BaseBackup, isWalSegment, segmentNumber, syncAll, syncFile } from '@strata/processes';
import { OperatorError } from '../core/secret-settings.ts';
import { WAL_FOLDER } from '../start/archive.ts';

/** The contents of manifest.json. */
export interface Manifest extends BaseBackup {
  readonly format: 1;
  /** The version and the commit of Strata. */
  readonly version: string;
  readonly commit: string | null;
  /** The description that the core wrote and reads. `rootKey` identifies the root key. */
  readonly database: { readonly rootKey: string };
}

/** A complete backup. */
export interface Backup {
  readonly name: string;
  /** The folder with the copied files of the server. */
  readonly files: string;
  readonly manifest: Manifest;
}

const MANIFEST = 'manifest.json';
const FILES = 'postgres';
const NAME = /^backup-\d{8}T\d{6}Z$/;
/** The ending of a backup that is not complete. */
const PARTIAL = '.partial';
const DAY_MS = 86_400_000;

export class BackupFolder {
  private constructor(readonly path: string) {}

  /** Opens a folder that exists. A missing one may be on a disk that is not mounted. */
  static open(folder: string): BackupFolder {
    if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return new BackupFolder(folder);
    throw new OperatorError(`The folder ${folder} does not exist. Create it, or mount its disk.`);
  }

  get wal(): string {
    return path.join(this.path, WAL_FOLDER);
  }

  /** Returns the complete backups, oldest first. */
  backups(): readonly Backup[] {
    return this.names().map((name) => this.backup(name));
  }

  private names(): readonly string[] {
    return fs
      .readdirSync(this.path)
      .filter((name) => NAME.test(name))
      .sort();
  }

  /** Creates a folder for a backup and calls `make` with the place of its files. It gets its name when it is complete. */
  async add(make: (files: string) => Promise<Manifest>): Promise<Backup> {
    const name = `backup-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
    const draft = path.join(this.path, `${name}${PARTIAL}`);
    fs.mkdirSync(draft, { mode: 0o700 });
    try {
      fs.mkdirSync(path.join(draft, FILES), { mode: 0o700 });
      const manifest = await make(path.join(draft, FILES));
      if (this.containsOther(manifest))
        throw new OperatorError(`${this.path} contains backups of another database. Use one folder per installation.`);
      fs.writeFileSync(path.join(draft, MANIFEST), JSON.stringify(manifest), { mode: 0o600, flush: true });
      await syncAll(draft);
      fs.renameSync(draft, path.join(this.path, name));
      await syncFile(this.path);
      return this.backup(name);
    } catch (error) {
      fs.rmSync(draft, { recursive: true, force: true });
      throw error;
    }
  }

  /** Returns whether there are backups of another database. Ignores damaged ones, which must not prevent the next backup. */
  private containsOther({ systemIdentifier }: Manifest): boolean {
    return this.names().some((name) => {
      const file = path.join(this.path, name, MANIFEST);
      const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
      const otherIdentifier = /"systemIdentifier":"(\d+)"/.exec(text)?.[1];
      return otherIdentifier !== undefined && otherIdentifier !== systemIdentifier;
    });
  }

  /** Removes all but the latest backups, the log that only they need, and the remains of backups that were interrupted. */
  prune(keep: number): readonly string[] {
    const backups = this.backups();
    const removedBackups = backups.slice(0, Math.max(0, backups.length - keep));
    for (const { name } of removedBackups) fs.rmSync(path.join(this.path, name), { recursive: true });
    for (const name of fs.readdirSync(this.path).filter((entry) => entry.endsWith(PARTIAL))) {
      const draft = path.join(this.path, name);
      if (Date.now() - fs.statSync(draft).mtimeMs > DAY_MS) fs.rmSync(draft, { recursive: true });
    }
    const oldest = backups[removedBackups.length]?.manifest;
    if (oldest && fs.existsSync(this.wal)) this.pruneLog(oldest);
    return removedBackups.map(({ name }) => name);
  }

  private pruneLog({ firstSegment, walSegmentBytes }: Manifest): void {
    const first = segmentNumber(firstSegment, walSegmentBytes);
    for (const name of fs.readdirSync(this.wal)) {
      // PostgreSQL also archives `<segment>.<offset>.backup`, which describes a backup, and `<segment>.partial`.
      const [segment = ''] = name.split('.');
      if (isWalSegment(segment) && segmentNumber(segment, walSegmentBytes) < first)
        fs.rmSync(path.join(this.wal, name));
    }
  }

  private backup(name: string): Backup {
    const folder = path.join(this.path, name);
    try {
      const manifest = JSON.parse(fs.readFileSync(path.join(folder, MANIFEST), 'utf8')) as Manifest;
      if (manifest.format !== 1)
        throw new OperatorError(
          `${folder} was made by a newer release (${manifest.version}). Restore it with that one.`,
        );
      return { name, files: path.join(folder, FILES), manifest };
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      throw new OperatorError(
        `${folder} is damaged: ${MANIFEST} cannot be read (${(error as Error).message}). Move this folder away, and use another backup.`,
      );
    }
  }
}

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { buildMissingApps } from '../apps/e2e/src/processes.ts';
import { BackedUpInstallation, type Outcome } from './testing/backed-up-installation.ts';

let installation: BackedUpInstallation;
beforeAll(async () => {
  await buildMissingApps('core', 'gateway', 'cli');
  installation = await BackedUpInstallation.make();
});
afterAll(() => installation?.remove());

/** A copy of the folder of backups, which a test damages. */
interface Copy {
  readonly folder: string;
  readonly backup: string;
  readonly wal: string;
  /** The archived segments after the backup, oldest first. */
  readonly segments: readonly string[];
}

function copyBackups(): Copy {
  const folder = fs.mkdtempSync(path.join(installation.place.directory, 'copy-'));
  fs.cpSync(installation.backups, folder, { recursive: true });
  const name = fs.readdirSync(folder).find((fileName) => fileName.startsWith('backup-')) ?? '';
  const backup = path.join(folder, name);
  const { lastSegment } = readManifest(backup) as { lastSegment: string };
  const wal = path.join(folder, 'wal');
  const isLater = (segment: string) => /^[0-9A-F]{24}$/.test(segment) && segment > lastSegment;
  const segments = fs.readdirSync(wal).filter(isLater).sort();
  return { folder, backup, wal, segments: segments.map((segment) => path.join(wal, segment)) };
}

const manifestFile = (backup: string): string => path.join(backup, 'manifest.json');
const readManifest = (backup: string): object => JSON.parse(fs.readFileSync(manifestFile(backup), 'utf8')) as object;
const changeManifest = (backup: string, change: (manifest: object) => object): void =>
  fs.writeFileSync(manifestFile(backup), JSON.stringify(change(readManifest(backup))));

let machines = 0;
/** Restores on a new machine, and verifies that a failed restore leaves nothing but what was there. */
async function failToRestore(folder: string, args: readonly string[] = [], settings: Record<string, string> = {}) {
  machines += 1;
  const STRATA_DATA_DIR = installation.newMachine(`machine ${machines}`);
  const outcome = await installation.strata(['restore', '--from', folder, ...args], { STRATA_DATA_DIR, ...settings });
  expect(fs.readdirSync(STRATA_DATA_DIR)).toEqual(['credentials.json']);
  return outcome;
}

const outcome = (code: number, text: RegExp | string): Outcome => ({
  code,
  text: (text instanceof RegExp ? expect.stringMatching(text) : expect.stringContaining(text)) as string,
});

test.each<readonly [name: string, damage: (copy: Copy) => void, code: number, expected: RegExp | string]>([
  [
    'a file of the backup was changed',
    ({ backup }) => fs.appendFileSync(path.join(backup, 'postgres/PG_VERSION'), '\n'),
    1,
    /PG_VERSION is missing or damaged.*Use another backup/,
  ],
  [
    'a file of the backup is missing',
    ({ backup }) => fs.rmSync(path.join(backup, 'postgres/backup_label')),
    1,
    /backup_label is missing or damaged.*Use another backup/,
  ],
  [
    'the manifest is cut off',
    ({ backup }) => fs.truncateSync(manifestFile(backup), 1_000),
    2,
    /manifest\.json cannot be read .*use another backup/,
  ],
  [
    'the backup was interrupted',
    ({ backup }) => fs.renameSync(backup, `${backup}.partial`),
    2,
    /contains no complete backup\. .*\.partial is a backup that was interrupted/,
  ],
  [
    'the backup has a later format',
    ({ backup }) => changeManifest(backup, (manifest) => ({ ...manifest, format: 2, version: '9.0.0' })),
    2,
    'was made by a newer release (9.0.0). Restore it with that one.',
  ],
  [
    'the backup is of a later PostgreSQL',
    ({ backup }) => changeManifest(backup, (manifest) => ({ ...manifest, postgresql: 190_001 })),
    2,
    /is of PostgreSQL 19, and this release contains PostgreSQL 18\. Restore it with the release that made it/,
  ],
  [
    'the schema is of a later release that this one cannot read',
    ({ backup }) =>
      changeManifest(backup, (manifest) => {
        const { database } = manifest as { database: { migrations: string[] } };
        return {
          ...manifest,
          database: { ...database, migrations: [...database.migrations, 'Later9999'], servesCoresFrom: 9_999 },
        };
      }),
    2,
    /The schema is ahead of this core \(Later9999\).*Restore it with the release that made it, or a newer one\./,
  ],
  [
    'a file of the archive is missing',
    ({ segments }) => fs.rmSync(segments[0] ?? ''),
    1,
    /[0-9A-F]{24} is missing, so the log after it cannot be used\..*add --to with an earlier instant/,
  ],
  [
    'a file of the archive is cut off',
    ({ segments }) => fs.truncateSync(segments[0] ?? '', 1_000),
    1,
    /[0-9A-F]{24} has 1000 bytes instead of 1048576.*add --to with an earlier instant/,
  ],
  [
    'a file of the archive is damaged',
    ({ segments }) => fs.writeFileSync(segments[0] ?? '', randomBytes(2 ** 20)),
    1,
    /The archived log is damaged: it can be read up to 0\/[0-9A-F]+ only.*add --to with an earlier instant/,
  ],
])('does not restore if %s', async (_, damage, code, expected) => {
  const copy = copyBackups();
  damage(copy);
  expect(await failToRestore(copy.folder)).toEqual(outcome(code, expected));
});

test('rejects instants that the backups do not contain, and texts that are none', async () => {
  const { backups } = installation;
  const to = (text: string) => failToRestore(backups, ['--to', text]);
  expect(await to('2001-01-01T00:00:00Z')).toEqual(outcome(2, /The oldest backup was complete at 20.*Z\. Choose/));
  expect(await to('2999-01-01T00:00:00Z')).toEqual(
    outcome(1, /log ends before 2999-01-01T00:00:00Z; its last change is of 20.*Choose an earlier instant/),
  );
  expect(await to('yesterday')).toEqual(outcome(2, '--to must be an instant with its time zone'));
});

test('requires the root key of the backup', async () => {
  const otherKey = randomBytes(32).toString('base64');
  expect(await failToRestore(installation.backups, [], { STRATA_ROOT_KEY: otherKey })).toEqual(
    outcome(
      2,
      /The backup needs the root key with the fingerprint [0-9a-f]{32}, and this key has the fingerprint [0-9a-f]{32}\. Set/,
    ),
  );
  const empty = path.join(installation.place.directory, 'without credentials');
  expect(await installation.strata(['restore'], { STRATA_DATA_DIR: empty })).toEqual(
    outcome(
      2,
      /contains no root key\. Put the credentials\.json .* or set STRATA_ROOT_KEY to the key with the fingerprint [0-9a-f]{32}/,
    ),
  );
  expect(fs.readdirSync(empty)).toEqual([]);
});

test('rejects a folder with backups of another database, and removes what it copied', async () => {
  const { folder, backup } = copyBackups();
  changeManifest(backup, (manifest) => ({ ...manifest, systemIdentifier: '1' }));
  const before = fs.readdirSync(folder);
  expect(await installation.strata(['backup', '--to', folder])).toEqual(
    outcome(2, /contains backups of another database\. Use one folder per installation/),
  );
  expect(fs.readdirSync(folder)).toEqual(before);
});

test('a full disk leaves neither a backup nor a database', async () => {
  const disk = fs.mkdtempSync(path.join(installation.place.directory, 'disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=755', 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    return console.warn('Skipped: only root can mount a small disk.');
  }
  try {
    expect(await installation.strata(['backup', '--to', disk])).toEqual(outcome(1, /The disk of .* is full\. Free/));
    expect(fs.readdirSync(disk)).toEqual([]);
    fs.copyFileSync(installation.credentials, path.join(disk, 'credentials.json'));
    expect(await installation.strata(['restore'], { STRATA_DATA_DIR: disk })).toEqual(
      outcome(1, /has \d MB free, and the restore needs \d+ MB\. Free some space/),
    );
    expect(fs.readdirSync(disk)).toEqual(['credentials.json']);
  } finally {
    execFileSync('umount', [disk]);
  }
});

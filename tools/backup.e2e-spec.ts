import fs from 'node:fs';
import path from 'node:path';
import { buildMissingApps } from '../apps/e2e/src/processes.ts';
import { BackedUpInstallation, connectionDetails } from './testing/backed-up-installation.ts';

let installation: BackedUpInstallation;
beforeAll(async () => {
  await buildMissingApps('core', 'gateway', 'cli');
  installation = await BackedUpInstallation.make();
});
afterAll(() => installation?.remove());
afterEach(() => installation.place.endAll());

const entries = (folder: string) => fs.readdirSync(folder, { recursive: true, withFileTypes: true });
const complete = () => fs.readdirSync(installation.backups).filter((name) => name.startsWith('backup-'));

test('a backup contains no root key, and only its owner can read it', () => {
  const { root_key: rootKey } = JSON.parse(fs.readFileSync(installation.credentials, 'utf8')) as { root_key: string };
  const [name = ''] = complete();
  const all = entries(path.join(installation.backups, name));
  expect(all.length).toBeGreaterThan(500);
  const key = Buffer.from(rootKey, 'base64');
  for (const entry of all) {
    const file = path.join(entry.parentPath, entry.name);
    expect([file, fs.statSync(file).mode & 0o777]).toEqual([file, entry.isDirectory() ? 0o700 : 0o600]);
    if (entry.isDirectory()) continue;
    const content = fs.readFileSync(file);
    expect([file, content.includes(rootKey), content.includes(key)]).toEqual([file, false, false]);
  }
});

test('restores the end of the archive on a new machine with the credentials: every change, also of secrets', async () => {
  const STRATA_DATA_DIR = installation.newMachine('new machine');
  const { code, text } = await installation.strata(['restore'], { STRATA_DATA_DIR });
  expect([code, text]).toEqual([0, expect.stringMatching(/^Restored in \d+\.\d s/m)]);
  expect(text).toMatch(/^✓ Ledger +\d+ revisions of 1 organization, without gaps/m);
  expect(text).toMatch(/^✓ Secrets +1 of 1 secret decrypted/m);

  const run = await installation.start({ STRATA_DATA_DIR, STRATA_BACKUP_DIR: '' });
  expect(await installation.texts(run)).toEqual({ SETTING: 'after', PASSWORD: 'after' });
  const { core, apiKey } = connectionDetails(run, installation.place);
  const events = await fetch(`${core}/api/v1/events/?after=${installation.cursor}`, {
    headers: { authorization: `Api-Key ${apiKey}` },
  });
  expect(events.status).toBe(410);
});

test('restores an instant, after which there are no changes, and continues to archive', async () => {
  const { STRATA_DATA_DIR: dataDir } = installation.place.settings;
  const rejected = await installation.strata(['restore', '--to', installation.instant]);
  expect(rejected).toEqual({ code: 2, text: expect.stringContaining('Add --replace to move it aside') });

  const { code, text } = await installation.strata(['restore', '--to', installation.instant, '--replace']);
  expect([code, text]).toEqual([0, expect.stringContaining('The previous database is in')]);
  expect(fs.readdirSync(dataDir)).toContainEqual(expect.stringMatching(/^postgres\.before-restore-/));
  // Otherwise, the next start would not migrate a backup of an older release.
  expect(fs.readdirSync(dataDir)).not.toContain('migrated');
  const run = await installation.start();
  expect(await installation.texts(run)).toEqual({ SETTING: 'before', PASSWORD: 'before' });

  const running = await installation.strata(['restore', '--replace']);
  expect(running).toEqual({ code: 1, text: expect.stringContaining('Strata already runs') });
  await installation.place.endAll();

  // The archive now contains two timelines; the end is that of the restored one.
  const STRATA_DATA_DIR = installation.newMachine('second restore');
  expect(await installation.strata(['restore'], { STRATA_DATA_DIR })).toMatchObject({ code: 0 });
  const secondRun = await installation.start({ STRATA_DATA_DIR, STRATA_BACKUP_DIR: '' });
  expect(await installation.texts(secondRun)).toEqual({ SETTING: 'before', PASSWORD: 'before' });
});

test('backs up a stopped installation, and keeps the given number of backups with their log', async () => {
  const [first] = complete();
  const { code, text } = await installation.strata(['backup', '--keep', '1']);
  expect([code, text]).toEqual([0, expect.stringContaining(`Removed ${first}`)]);
  expect(complete()).not.toContain(first);
  const STRATA_DATA_DIR = installation.newMachine('from the stopped one');
  expect(await installation.strata(['restore'], { STRATA_DATA_DIR })).toMatchObject({ code: 0 });
});

test('a backup needs no archive: it can be restored from a folder of its own', async () => {
  const folder = path.join(installation.place.directory, 'one backup');
  fs.mkdirSync(folder);
  const settings = { STRATA_BACKUP_DIR: '' };
  expect(await installation.strata(['backup', '--to', folder], settings)).toMatchObject({ code: 0 });
  expect(fs.readdirSync(folder)).toEqual([expect.stringMatching(/^backup-/)]);
  const STRATA_DATA_DIR = installation.newMachine('from one backup');
  const restored = await installation.strata(['restore', '--from', folder], { ...settings, STRATA_DATA_DIR });
  expect(restored).toMatchObject({ code: 0 });
});

test('rejects a folder that does not exist, and a server that is not the embedded one', async () => {
  const missing = path.join(installation.place.directory, 'not mounted');
  const expected = `The folder ${missing} does not exist. Create it, or mount its disk.\n`;
  expect(await installation.strata(['backup', '--to', missing])).toEqual({ code: 2, text: expected });
  const start = installation.place.start({ STRATA_BACKUP_DIR: missing });
  // In a checkout, the start may build something first.
  expect([await start.ended, start.text().endsWith(`STRATA_BACKUP_DIR: ${expected}`)]).toEqual([2, true]);
  const external = { DATABASE_URL: 'postgres://strata@127.0.0.1:1/strata' };
  for (const command of ['backup', 'restore'])
    expect(await installation.strata([command], external)).toEqual({
      code: 2,
      text: expect.stringContaining('docs/guides/back-up-and-restore.md'),
    });
});

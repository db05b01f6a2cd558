import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '@strata/processes';
import { organization, testCredentials } from '@strata/testkit';
import { buildMissingApps, eventually, fetchStatus, migrate, type Service, startService } from './processes.ts';
import { RestartablePostgres } from './restartable-postgres.ts';

/** The disk size, enough for PostgreSQL, its write-ahead log and a small organization. */
const DISK = '256m';

const disk = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-disk-'));
const isMounted = mount();
let postgres: RestartablePostgres | undefined;
let core: Service | undefined;
afterAll(async () => {
  await core?.end('SIGKILL');
  await postgres?.remove();
  if (isMounted) execFileSync('umount', ['--lazy', disk]);
  fs.rmSync(disk, { recursive: true, force: true });
});

/** Returns whether a small file system could be mounted, which requires root. */
function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=711`, 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function startOnDisk() {
  await buildMissingApps('core');
  const { apiKey, ownerEmail, ownerPassword, rootKey } = testCredentials();
  postgres = await RestartablePostgres.start(disk);
  const settings = {
    DATABASE_URL: postgres.url,
    STRATA_ROOT_KEY: rootKey,
    STRATA_BOOTSTRAP_API_KEY: apiKey,
    STRATA_BOOTSTRAP_EMAIL: ownerEmail,
    STRATA_BOOTSTRAP_PASSWORD: ownerPassword,
    STRATA_LOG_LEVEL: 'silent',
  };
  await migrate(settings);
  const started = await startService('core', await findFreePort(), settings);
  core = started;
  return started;
}

/** Writes a file until the disk is full. Removing the file frees the space. */
function fill(file: string): void {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const open = fs.openSync(file, 'a');
  try {
    for (;;) fs.writeSync(open, piece);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    fs.closeSync(open);
  }
}

(isMounted ? test : test.skip)(
  `/readyz returns 503 while the disk of the database is full, and 200 once there is room${isMounted ? '' : ' (skipped: mounting a small disk takes root)'}`,
  async () => {
    const { origin } = await startOnDisk();
    const { owner } = await organization({ origin, ...testCredentials() });
    const readiness = () => fetchStatus(origin, 'readyz');
    expect(await readiness()).toBe(200);

    const filler = path.join(disk, 'filler');
    fill(filler);
    await eventually('a supervisor sees that writes fail', async () => (await readiness()) === 503);
    expect(await fetchStatus(origin, 'healthz')).toBe(200);
    expect(await owner.get('environments/')).toMatchObject({ status: 200 });
    expect(await readiness()).toBe(503);

    fs.rmSync(filler);
    await eventually('a supervisor sees that writes succeed', async () => (await readiness()) === 200);
    expect(await owner.post('environments/', { name: 'in time' })).toMatchObject({ status: 201 });
  },
  180_000,
);

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createEmptyDatabase, testCredentials } from '@strata/testkit';
import { PROGRAM } from '../apps/e2e/src/command-line.ts';
import { buildMissingApps } from '../apps/e2e/src/processes.ts';
import { processId, StartFolder, waitUntil } from './testing/start-folder.ts';

let place: StartFolder;

beforeAll(async () => {
  await buildMissingApps('core', 'gateway', 'cli');
  place = await StartFolder.make();
});
afterAll(async () => {
  await place.endAll();
  place.remove();
});

describe('the program', () => {
  const strata = (args: readonly string[], ...options: readonly string[]) =>
    spawnSync(process.execPath, [...options, PROGRAM, ...args], { encoding: 'utf8', env: {} });

  test('prints its version and commit', () => {
    const { status, stdout } = strata(['version']);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+ \([0-9a-f]{12}(-dirty)?\)\n$/)]);
  });

  test('lists the settings with their defaults and sources', () => {
    const { status, stdout } = strata(['settings']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ {2}STRATA_PORT\n {6}.*Default: 3000\.$/m);
    expect(stdout).toMatch(/^ {2}STRATA_SESSION_KEY\n {6}.*Or STRATA_SESSION_KEY_FILE, STRATA_SESSION_KEY_COMMAND\.$/m);
  });

  test('rejects unknown commands and prints the similar one', () => {
    const { status, stderr } = strata(['strat']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('Did you mean start?')]);
  });

  test('requires a Node that can run the services', () => {
    const pretend = "Object.defineProperty(process.versions, 'node', { value: '22.18.0' })";
    const { status, stderr } = strata(['start'], '--import', `data:text/javascript,${encodeURIComponent(pretend)}`);
    expect([status, stderr]).toEqual([
      1,
      'Strata needs Node 22.19.0 or newer, and this is Node 22.18.0. Install a newer Node, then run the command again.\n',
    ]);
  });

  test('a service replaces the program, so that a supervisor watches and signals the service itself', async () => {
    const run = place.type([process.execPath, PROGRAM, 'serve', 'gateway'], {
      STRATA_HEAP_MB: '200',
      STRATA_GRACE_SECONDS: '0',
    });
    const pid = processId(run);
    const command = () => fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    await waitUntil(() => command().some((word) => word.endsWith('gateway/dist/main.js')));
    expect(command()).toContain('--max-old-space-size=200');
    await waitUntil(() =>
      fetch(`${place.origin('STRATA_GATEWAY_PORT')}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    run.process.kill('SIGTERM');
    expect(await run.ended).toBe(0);
  });

  test('reads secrets from files and from the output of programs', async () => {
    const database = await createEmptyDatabase();
    try {
      // Spaces separate the words of a command, so the path of the program contains none.
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-secrets-'));
      const files = { url: path.join(folder, 'url'), key: path.join(folder, 'key') };
      fs.writeFileSync(files.url, `${database.url}\n`);
      fs.writeFileSync(files.key, testCredentials().rootKey);
      const migration = { DATABASE_URL_FILE: files.url, STRATA_ROOT_KEY_FILE: files.key };
      expect(await place.type([process.execPath, PROGRAM, 'migrate'], migration).ended).toBe(0);
      const run = place.type([process.execPath, PROGRAM, 'serve', 'core'], {
        ...{ DATABASE_URL_COMMAND: `cat ${files.url}`, STRATA_ROOT_KEY_FILE: files.key },
        ...{ STRATA_UNSAFE_DATABASE: 'true', STRATA_GRACE_SECONDS: '0' },
      });
      await waitUntil(() => {
        if (run.process.exitCode !== null) throw new Error(run.text());
        return place.isReady('STRATA_PORT');
      });
      run.process.kill('SIGTERM');
      expect(await run.ended).toBe(0);
      fs.rmSync(folder, { recursive: true });
    } finally {
      await database.drop();
    }
  });

  test('reports a file of a secret that cannot be read, and exits with 2', async () => {
    const run = place.type([process.execPath, PROGRAM, 'start'], { STRATA_ROOT_KEY_FILE: '/none/key' });
    expect([await run.ended, run.text()]).toEqual([2, 'STRATA_ROOT_KEY_FILE: /none/key cannot be read (ENOENT).\n']);
  });

  test('prints the invalid settings of a service and exits with 2', () => {
    const { status, stderr } = strata(['serve', 'core']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('DATABASE_URL')]);
  });
});

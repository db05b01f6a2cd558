import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@strata/processes';
import { createEmptyDatabase, ledgerProblems, type TestDatabase, testCredentials } from '@strata/testkit';
import { buildMissingApps } from '../../apps/e2e/src/processes.ts';
import { pack, writePackage } from '../release/package.mjs';
import { type Commands, previousReleaseCommands, repositoryHistoryTool } from '../testing/previous-release.ts';
import { Balancer } from './balancer.ts';
import type { Installation } from './journey.ts';
import { describeWith } from './tools.ts';
import { Traffic } from './traffic.ts';

const root = path.resolve(import.meta.dirname, '../..');
const WRITERS = 4;
/** How long each combination of releases serves the traffic. */
const PHASE_MS = 3_000;

/** Installs the package of this release in a folder. */
async function installPackage(folder: string): Promise<Commands> {
  const files = path.join(folder, 'files');
  fs.mkdirSync(files, { recursive: true });
  await writePackage(files);
  const tarball = await pack(files, folder);
  fs.writeFileSync(path.join(folder, 'package.json'), '{}');
  const install = ['install', '--omit=optional', '--offline', '--no-audit', '--no-fund', tarball];
  execFileSync('npm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const strata = path.join(folder, 'node_modules/.bin/strata');
  return (service) => [strata, ...(service === 'migrate' ? ['migrate'] : ['serve', service])];
}

describeWith([repositoryHistoryTool()], 'an upgrade of two cores and back, with traffic throughout', () => {
  let directory: string;
  let database: TestDatabase;
  let releases: { readonly previous: Commands; readonly current: Commands };
  let balancer: Balancer;
  let installation: Installation;
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    await buildMissingApps('core', 'gateway', 'cli', 'console');
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-upgrade-'));
    releases = {
      previous: previousReleaseCommands(),
      current: await installPackage(path.join(directory, 'present')),
    };
    database = await createEmptyDatabase();
    balancer = await Balancer.open();
    installation = { core: balancer.origin, gateway: '', apiKey: testCredentials().apiKey };
  });
  afterAll(async () => {
    balancer?.close();
    for (const child of running) child.kill('SIGKILL');
    await database?.drop();
    fs.rmSync(directory, { recursive: true, force: true });
  });

  function run([program = '', ...args]: readonly string[], more: Readonly<Record<string, string>> = {}): ChildProcess {
    const { apiKey, ownerPassword, rootKey } = testCredentials();
    const child = spawn(program, args, {
      cwd: directory,
      stdio: 'inherit',
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: database.url,
        STRATA_UNSAFE_DATABASE: 'true',
        STRATA_ROOT_KEY: rootKey,
        STRATA_LOG_LEVEL: 'error',
        STRATA_GRACE_SECONDS: '1',
        STRATA_BOOTSTRAP_PASSWORD: ownerPassword,
        STRATA_BOOTSTRAP_API_KEY: apiKey,
        ...more,
      },
    });
    running.push(child);
    return child;
  }

  async function migrate(commands: Commands): Promise<void> {
    const [code] = await once(run(commands('migrate')), 'close');
    expect(code).toBe(0);
  }

  /** Starts a core, and lets it serve beside the others before the oldest of them stops. */
  async function replaceOldest(cores: Core[], commands: Commands): Promise<void> {
    const port = await findFreePort();
    cores.push({ origin: `http://127.0.0.1:${port}`, process: run(commands('core'), { STRATA_PORT: String(port) }) });
    await balancer.use(cores.map(({ origin }) => origin));
    await sleep(PHASE_MS);
    if (cores.length <= 2) return;
    const oldest = cores.shift();
    oldest?.process.kill('SIGTERM');
    if (oldest) expect(await once(oldest.process, 'close')).toEqual([0, null]);
    await balancer.use(cores.map(({ origin }) => origin));
  }

  const versions = async (cores: readonly Core[]) =>
    Promise.all(
      cores.map(
        async ({ origin }) => ((await (await fetch(`${origin}/healthz`)).json()) as { version?: string }).version,
      ),
    );

  test('loses no acknowledged write and fails no request', async () => {
    const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
    const cores: Core[] = [];
    await migrate(releases.previous);
    await replaceOldest(cores, releases.previous);
    await replaceOldest(cores, releases.previous);
    const traffic = await Traffic.start(installation, WRITERS);

    await migrate(releases.current);
    await replaceOldest(cores, releases.current);
    await replaceOldest(cores, releases.current);
    expect(await versions(cores)).toEqual([version, version]);
    const upgraded = traffic.acknowledged;

    // A rollback replaces the cores. The schema of the new release remains.
    await replaceOldest(cores, releases.previous);
    await replaceOldest(cores, releases.previous);
    expect(await versions(cores)).toEqual([undefined, undefined]);
    const { lost, events } = await traffic.end();

    expect(traffic.failures).toEqual([]);
    expect(lost).toEqual([]);
    expect(upgraded).toBeGreaterThan(100);
    expect(traffic.acknowledged).toBeGreaterThan(upgraded);
    expect(events).toBe(traffic.acknowledged);
    expect(traffic.reads).toBeGreaterThan(100);
    expect(await ledgerProblems(database.url)).toEqual([]);
    console.log(`${traffic.acknowledged} writes and ${traffic.reads} reads succeeded, ${events} events received`);
  });
});

/** A core that serves traffic. */
interface Core {
  readonly origin: string;
  readonly process: ChildProcess;
}

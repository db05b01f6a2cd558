import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@strata/processes';
import { ledgerProblems, testCredentials } from '@strata/testkit';
import { buildMissingApps } from '../../apps/e2e/src/processes.ts';
import { waitUntil } from '../testing/start-folder.ts';
import { DEBIAN_POSTGRES, DebianPostgres } from './debian-postgres.ts';
import { type Installation, requestCore } from './journey.ts';
import { describeWith, installDebianProgram } from './tools.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../apps/cli/dist/main.js');
/** The pgBackRest of Debian 12 (2.45) supports PostgreSQL up to 15, and the embedded one is 18. */
const TOOLS = [installDebianProgram('pgbackrest'), DEBIAN_POSTGRES];

describeWith(TOOLS, 'pgBackRest and a PostgreSQL of your own', () => {
  let directory: string;
  let postgres: DebianPostgres;
  let core: ChildProcess | undefined;

  beforeAll(async () => {
    await buildMissingApps('core', 'cli');
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-pgbackrest-'));
    postgres = await DebianPostgres.create(directory);
    const options = ['repo1-path', 'log-path', 'lock-path'].map((name) => `${name}=${at(name)}`);
    const stanza = [
      `pg1-path=${postgres.data}`,
      `pg1-port=${postgres.port}`,
      `pg1-socket-path=${directory}`,
      'pg1-user=strata',
    ];
    const config = ['[global]', ...options, 'start-fast=y', 'pg1-database=postgres', '[strata]', ...stanza];
    fs.writeFileSync(at('pgbackrest.conf'), `${config.join('\n')}\n`);
  });
  afterAll(async () => {
    core?.kill('SIGKILL');
    await postgres.stop();
    fs.rmSync(directory, { recursive: true, force: true });
  });

  const at = (name: string): string => path.join(directory, name);
  const pgbackrest = (...args: readonly string[]) =>
    postgres.run('pgbackrest', `--config=${at('pgbackrest.conf')}`, '--stanza=strata', ...args);
  const startServer = () => {
    const archive = `pgbackrest --config=${at('pgbackrest.conf')} --stanza=strata archive-push %p`;
    return postgres.start('archive_mode=on', `archive_command=${archive}`);
  };
  const settings = () => {
    const { apiKey, ownerPassword, rootKey } = testCredentials();
    const bootstrap = { STRATA_BOOTSTRAP_PASSWORD: ownerPassword, STRATA_BOOTSTRAP_API_KEY: apiKey };
    return { PATH: process.env.PATH, DATABASE_URL: postgres.url(), STRATA_ROOT_KEY: rootKey, ...bootstrap };
  };
  const strata = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [PROGRAM, ...args], { env: settings(), encoding: 'utf8' });

  async function startCore(): Promise<Installation> {
    const corePort = await findFreePort();
    const env = { ...settings(), STRATA_PORT: String(corePort), STRATA_GRACE_SECONDS: '0', STRATA_LOG_LEVEL: 'error' };
    core = spawn(process.execPath, [PROGRAM, 'serve', 'core'], { env, stdio: 'inherit' });
    const origin = `http://127.0.0.1:${corePort}`;
    await waitUntil(() =>
      fetch(`${origin}/readyz`)
        .then(({ ok }) => ok)
        .catch(() => false),
    );
    return { core: origin, gateway: '', apiKey: testCredentials().apiKey };
  }

  async function stopCore(): Promise<void> {
    core?.kill('SIGTERM');
    if (core) await once(core, 'exit');
  }

  test('a restore to an instant is complete and consistent after `strata after-restore`', async () => {
    await startServer();
    await postgres.query('create database strata', 'postgres');
    strata('migrate');
    pgbackrest('stanza-create');
    let installation = await startCore();
    const { project, set } = await secret(installation);
    pgbackrest('backup');
    // pgBackRest selects a backup that stopped in an earlier second than the instant.
    await sleep(1_100);
    await set('before');
    const { cursor } = await requestCore<{ cursor: string }>(installation, 'events/?after=now');
    await sleep(2); // An instant has a resolution of a millisecond.
    const instant = new Date().toISOString();
    await sleep(2);
    await set('after');
    await stopCore();
    await postgres.stop();

    const target = instant.replace('T', ' ').replace('Z', '+00');
    pgbackrest('--delta', '--type=time', `--target=${target}`, '--target-action=promote', 'restore');
    await startServer();
    expect(strata('after-restore')).toMatch(/Secrets +1 of 1 secret decrypted.*\n\nNo problems found/);
    installation = await startCore();
    const effective = `projects/${project}/effective/?environment=default&mask_secrets=false`;
    expect(await requestCore(installation, effective)).toMatchObject({ values: { PASSWORD: 'before' } });
    await expect(requestCore(installation, `events/?after=${cursor}`)).rejects.toThrow(/: 410 /);
    expect(await ledgerProblems(postgres.url())).toEqual([]);
    await stopCore();
  });
});

/** Creates a secret, whose value `set` changes. */
async function secret(installation: Installation) {
  const { id: project } = await requestCore<{ id: string }>(installation, 'projects/', { name: 'Backups' });
  const [environment] = (await requestCore<{ results: { url: string }[] }>(installation, 'environments/')).results;
  const parameters = `projects/${project}/parameters/`;
  const parameter = await requestCore<{ id: string }>(installation, parameters, { name: 'PASSWORD', secret: true });
  const values = `${parameters}${parameter.id}/values/`;
  const value = { environment: environment?.url, internal_value: 'at the backup' };
  const { id } = await requestCore<{ id: string }>(installation, values, value);
  const set = (text: string) => requestCore(installation, `${values}${id}/`, { internal_value: text }, 'PATCH');
  return { project, set };
}

import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseUrl, runningPort } from '@strata/processes';
import { ledgerProblems } from '@strata/testkit';
import { buildMissingApps } from '../../apps/e2e/src/processes.ts';
import { readPrinted, StartFolder, waitUntilReady } from '../testing/start-folder.ts';
import { type Installation, requestCore } from './journey.ts';
import { Traffic } from './traffic.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../apps/cli/dist/main.js');
const WRITERS = 4;
const SECRETS = 40;
/** How long the traffic runs before, between and after the backup and the instant. */
const PHASE_MS = 4_000;

describe('a drill: a backup and a restore to an instant, with writers throughout', () => {
  let place: StartFolder;
  let backups: string;
  beforeAll(async () => {
    await buildMissingApps('core', 'gateway', 'cli');
    place = await StartFolder.make();
    backups = path.join(place.directory, 'backups');
    fs.mkdirSync(backups);
  });
  afterAll(async () => {
    await place?.endAll();
    place?.remove();
  });

  async function start(settings: Record<string, string> = {}): Promise<Installation> {
    const run = await waitUntilReady(place.start({ STRATA_CONSOLE: 'off', STRATA_BACKUP_DIR: backups, ...settings }));
    return { core: place.origin('STRATA_PORT'), gateway: '', apiKey: readPrinted(run, 'API key') };
  }

  /** Runs a command of the program. Returns its output and its duration in seconds. */
  async function strata(args: readonly string[], settings: Record<string, string> = {}) {
    const started = performance.now();
    const run = place.type([process.execPath, PROGRAM, ...args], { STRATA_BACKUP_DIR: backups, ...settings });
    const code = await run.ended;
    if (code !== 0) throw new Error(run.text());
    return { text: run.text(), seconds: ((performance.now() - started) / 1_000).toFixed(1) };
  }

  async function problems(): Promise<readonly string[]> {
    const dataDir = place.settings.STRATA_DATA_DIR;
    const { database_password: password } = JSON.parse(
      fs.readFileSync(path.join(dataDir, 'credentials.json'), 'utf8'),
    ) as { database_password: string };
    return ledgerProblems(databaseUrl(password, runningPort(path.join(dataDir, 'postgres')) ?? 0));
  }

  test('restores every write that was acknowledged before the instant, none of later ones, and all secrets', async () => {
    const installation = await start();
    const project = await createSecrets(installation);
    const traffic = await Traffic.start(installation, WRITERS);
    await sleep(PHASE_MS);
    const backup = await strata(['backup']);
    await sleep(PHASE_MS);

    const { cursor } = await requestCore<{ cursor: string }>(installation, 'events/?after=now');
    const before = traffic.acknowledgedByName();
    await sleep(2); // An instant has a resolution of a millisecond.
    const instant = new Date().toISOString();
    await sleep(2);
    const after = traffic.acknowledgedByName();
    await sleep(PHASE_MS);
    const { lost } = await traffic.end();
    expect([traffic.failures, lost]).toEqual([[], []]);
    await place.endAll();

    const end = traffic.acknowledgedByName();
    const STRATA_DATA_DIR = path.join(place.directory, 'new machine');
    fs.mkdirSync(STRATA_DATA_DIR, { mode: 0o711 });
    const credentials = path.join(place.settings.STRATA_DATA_DIR, 'credentials.json');
    fs.copyFileSync(credentials, path.join(STRATA_DATA_DIR, 'credentials.json'));
    const whole = await strata(['restore'], { STRATA_DATA_DIR });
    const copy = await start({ STRATA_DATA_DIR, STRATA_BACKUP_DIR: '' });
    expect(await counters(copy)).toEqual(end);
    await place.endAll();

    const restored = await strata(['restore', '--replace', '--to', instant]);
    expect(restored.text).toMatch(new RegExp(`Secrets +${SECRETS} of ${SECRETS} secrets decrypted`));
    const [, last = ''] = /the last one of (\S+)/.exec(restored.text) ?? [];
    expect(last <= instant).toBe(true);
    const restarted = await start();
    const restoredCounters = await counters(restarted);
    for (const [name, count] of Object.entries(restoredCounters)) {
      expect(count).toBeGreaterThanOrEqual(before[name] ?? Infinity);
      // At the instant, each writer may have had one write that was stored and not acknowledged yet.
      expect(count).toBeLessThanOrEqual((after[name] ?? 0) + 1);
      expect(end[name]).toBeGreaterThan(count + 1);
    }
    expect(await secrets(restarted, project)).toEqual(
      Object.fromEntries(Array.from({ length: SECRETS }, (_, index) => [`SECRET_${index}`, `hidden ${index}`])),
    );
    await expect(requestCore(restarted, `events/?after=${cursor}`)).rejects.toThrow(/: 410 /);
    expect(await problems()).toEqual([]);
    console.log(
      `${traffic.acknowledged} writes. Backup ${backup.seconds} s, restore to the end ${whole.seconds} s, to an instant ${restored.seconds} s`,
    );
  });
});

async function createSecrets(installation: Installation): Promise<string> {
  const { id } = await requestCore<{ id: string }>(installation, 'projects/', { name: 'Secrets' });
  const [environment] = (await requestCore<{ results: { url: string }[] }>(installation, 'environments/?name=default'))
    .results;
  for (let index = 0; index < SECRETS; index += 1) {
    const target = `projects/${id}/parameters/`;
    const parameter = await requestCore<{ id: string }>(installation, target, {
      name: `SECRET_${index}`,
      secret: true,
    });
    const value = { environment: environment?.url, internal_value: `hidden ${index}` };
    await requestCore(installation, `${target}${parameter.id}/values/`, value);
  }
  return id;
}

type Texts = Readonly<Record<string, string>>;

async function secrets(installation: Installation, project: string): Promise<Texts> {
  const target = `projects/${project}/effective/?environment=default&mask_secrets=false`;
  return (await requestCore<{ values: Texts }>(installation, target)).values;
}

async function counters(installation: Installation): Promise<Readonly<Record<string, number>>> {
  const { results } = await requestCore<{ results: { id: string }[] }>(installation, 'projects/?name=Traffic');
  const { values } = await requestCore<{ values: Texts }>(
    installation,
    `projects/${results[0]?.id}/effective/?environment=default`,
  );
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Number(text)]));
}

import fs from 'node:fs';
import path from 'node:path';
import { databaseUrl, runningPort } from '@strata/processes';
import pg from 'pg';
import { requestCore } from '../acceptance/journey.ts';
import { type Run, readPrinted, StartFolder, waitUntilReady } from './start-folder.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../apps/cli/dist/main.js');

/** The output of a command of the program, and its exit code. */
export interface Outcome {
  readonly code: number | null;
  readonly text: string;
}

interface Credentials {
  readonly database_password: string;
}

/**
 * An installation of `strata start` that archives. It was backed up while it ran, and written to before and after an
 * instant. It is stopped.
 */
export class BackedUpInstallation {
  /** A position in the feed before the end of the archive. */
  cursor = '';
  /** After it, SETTING was changed from `before` to `after`. */
  instant = '';
  readonly backups: string;

  private constructor(readonly place: StartFolder) {
    this.backups = path.join(place.directory, "operator's back ups");
    fs.mkdirSync(this.backups, { mode: 0o711 });
  }

  static async make(): Promise<BackedUpInstallation> {
    const installation = new BackedUpInstallation(await StartFolder.make());
    const run = await installation.start();
    const target = await values(run, installation.place);
    await target.set('at the backup');
    const backup = await installation.strata(['backup']);
    if (backup.code !== 0) throw new Error(backup.text);
    await target.set('before');
    await installation.endSegment();
    installation.cursor = (await requestCore<{ cursor: string }>(target.installation, 'events/?after=now')).cursor;
    installation.instant = new Date(Date.now() + 1).toISOString();
    await target.set('after');
    // The server archives the rest of its log when it stops.
    await installation.place.endAll();
    return installation;
  }

  /** Ends a file of the log, so that the archive contains several after the backup. */
  private async endSegment(): Promise<void> {
    const { database_password: password } = JSON.parse(fs.readFileSync(this.credentials, 'utf8')) as Credentials;
    const port = runningPort(path.join(this.place.settings.STRATA_DATA_DIR, 'postgres')) ?? 0;
    const client = new pg.Client({ connectionString: databaseUrl(password, port) });
    await client.connect();
    await client.query('select pg_switch_wal()').finally(() => client.end());
  }

  get credentials(): string {
    return path.join(this.place.settings.STRATA_DATA_DIR, 'credentials.json');
  }

  async start(settings: Record<string, string> = {}): Promise<Run> {
    const STRATA_CONSOLE = 'off';
    return waitUntilReady(this.place.start({ STRATA_CONSOLE, STRATA_BACKUP_DIR: this.backups, ...settings }));
  }

  /** Runs a command of the program on this installation. */
  async strata(args: readonly string[], settings: Record<string, string> = {}): Promise<Outcome> {
    const environment = { STRATA_BACKUP_DIR: this.backups, ...settings };
    const run = this.place.type([process.execPath, PROGRAM, ...args], environment);
    return { code: await run.ended, text: run.text() };
  }

  /** Returns a data directory as on a new machine, to which an operator has copied the credentials. */
  newMachine(name: string): string {
    const folder = path.join(this.place.directory, name);
    fs.mkdirSync(folder, { mode: 0o711 });
    fs.copyFileSync(this.credentials, path.join(folder, 'credentials.json'));
    return folder;
  }

  async remove(): Promise<void> {
    await this.place.endAll();
    this.place.remove();
  }

  /** Returns the texts of the parameters of an installation that was restored and started, secrets in clear. */
  async texts(run: Run): Promise<Readonly<Record<string, string>>> {
    const installation = connectionDetails(run, this.place);
    const { results } = await requestCore<{ results: { id: string }[] }>(installation, 'projects/?name=Backups');
    const target = `projects/${results[0]?.id}/effective/?environment=default&mask_secrets=false`;
    return (await requestCore<{ values: Record<string, string> }>(installation, target)).values;
  }
}

export const connectionDetails = (run: Run, folder: StartFolder) => ({
  core: folder.origin('STRATA_PORT'),
  gateway: '',
  apiKey: readPrinted(run, 'API key'),
});

/** Creates a parameter and a secret, whose values `set` changes. */
async function values(run: Run, folder: StartFolder) {
  const installation = connectionDetails(run, folder);
  const project = await requestCore<{ id: string }>(installation, 'projects/', { name: 'Backups' });
  const [environment] = (await requestCore<{ results: { url: string }[] }>(installation, 'environments/')).results;
  const create = async (name: string, secret: boolean) => {
    const parameters = `projects/${project.id}/parameters/`;
    const parameter = await requestCore<{ id: string }>(installation, parameters, { name, secret });
    const target = `${parameters}${parameter.id}/values/`;
    const { id } = await requestCore<{ id: string }>(installation, target, {
      environment: environment?.url,
      internal_value: 'new',
    });
    return `${target}${id}/`;
  };
  const targets = [await create('SETTING', false), await create('PASSWORD', true)];
  const set = async (text: string) => {
    for (const target of targets) await requestCore(installation, target, { internal_value: text }, 'PATCH');
  };
  return { installation, set };
}

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { publicUrlWarning } from '@strata/domain';
import { coreDatabaseUrl, onEnd } from '@strata/processes';
import { findRoute } from '@strata/rest-client';
import { httpRequest } from '../core/http-request.ts';
import { withSecrets } from '../core/secret-settings.ts';
import { programFile } from '../folders.ts';
import { databaseArchiveSettings } from './archive.ts';
import { keepApiKey, readCredentials } from './credentials.ts';
import { claimDataDirectory, openDataDirectory } from './data-directory.ts';
import { type Reporter, startDatabase } from './database.ts';
import { recordAddresses } from './running-addresses.ts';
import { runOnce, type StartedService, startService } from './service.ts';
import * as settings from './settings.ts';

const SIGN_IN_MS_MAX = 10_000;

const say = (line: string): void => console.log(line);

/**
 * Starts PostgreSQL, migrates, starts the core and the gateway, and prints their addresses. However this process ends,
 * nothing keeps running: services end when their channel to it closes, and PostgreSQL is stopped by its guardian. The
 * printed duration counts from `started`.
 */
export async function start(startedAt = Date.now()): Promise<void> {
  // If the program that reads the output ends (`strata start | head`), the services keep running.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const run = new Start();
  onEnd((signal) => {
    if (signal === 'SIGINT' && process.stdout.isTTY) say('\nStopping …');
    void run.end(0);
  });
  try {
    const rows = await run.begin();
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    if (rows) say(`\n  Strata is ready (${seconds} s)\n\n${rows.map(printedRow).join('\n')}\n`);
  } catch (error) {
    const { message, exitCode = 1 } = error as Error & { exitCode?: number };
    if (!run.isEnding) console.error(message);
    await run.end(exitCode);
  }
}

type Row = readonly [title: string, text: string];
const printedRow = ([title, text]: Row): string => `  ${title.padEnd(13)} ${text}`;

/** The processes of one start. */
class Start implements Reporter {
  private readonly services: StartedService[] = [];
  private database: ReturnType<typeof startDatabase> | undefined;
  private claimed: Awaited<ReturnType<typeof claimDataDirectory>> | undefined;
  private ending: Promise<never> | undefined;

  readonly say = say;
  readonly gaveUp = (message: string): void => {
    console.error(message);
    void this.end(1);
  };

  get isEnding(): boolean {
    return this.ending !== undefined;
  }

  end(code: number): Promise<never> {
    this.ending ??= this.stopAll().then(() => process.exit(code));
    return this.ending;
  }

  private async stopAll(): Promise<void> {
    this.claimed?.markAsEnding();
    await Promise.all(this.services.map((service) => service.stop()));
    const runningDatabase = await this.database?.catch(() => undefined);
    await runningDatabase?.stop();
  }

  /** Resolves when everything is ready, with the addresses and credentials to print; with null if it was stopped. */
  async begin(): Promise<readonly Row[] | null> {
    const dataDir = settings.dataDirectory(process.env);
    openDataDirectory(dataDir);
    this.claimed = await claimDataDirectory(dataDir, say);
    if (this.isEnding) return null;
    const environment = withSecrets(process.env);
    const ownDatabaseUrl = environment.DATABASE_URL;
    const credentials = readCredentials(dataDir);
    const draft = await settings.serviceEnvironment(
      environment,
      credentials,
      ownDatabaseUrl || 'postgres://strata@127.0.0.1/strata',
    );
    const { options, checked, migrated } = this.startServices(dataDir, draft);
    const { selected } = await requireValid(draft, this.claimed.recovered ? 5_000 : 0);
    if (this.isEnding) return null;
    checked.resolve(selected);
    const warning = publicUrlWarning(settings.publicAddress(draft));
    if (warning) say(warning);
    const archive = ownDatabaseUrl ? {} : databaseArchiveSettings(dataDir, environment);
    const reporter = { say, gaveUp: this.gaveUp, settings: archive };
    this.database = ownDatabaseUrl ? undefined : startDatabase(dataDir, credentials.database_password, reporter);
    const database = await this.database;
    const accounts = database && {
      DATABASE_URL: coreDatabaseUrl(database.url, credentials.core_database_password),
      STRATA_OWNER_DATABASE_URL: database.url,
    };
    const env = { ...draft, ...accounts };
    if (this.isEnding) return null;
    await migrate(dataDir, { ...options, env }, database?.created ?? true);
    // The key of this start is now valid and stays valid. Stored here, it is available to `npm run seed` and later
    // starts.
    keepApiKey(dataDir, credentials, env.STRATA_BOOTSTRAP_API_KEY);
    migrated.resolve({ DATABASE_URL: env.DATABASE_URL });
    const [core, gateway] = this.services;
    const [isOwner] = await Promise.all([core?.ready.then(() => signsIn(env)), gateway?.ready]);
    if (this.isEnding) return null;
    recordAddresses(dataDir, { core: coreAddress(env), gateway: gatewayAddress(env) });
    return addresses(env, dataDir, isOwner ?? false);
  }

  /**
   * Starts both services, which load their modules while their settings are checked and the database starts. The gateway
   * waits for `checked`, and the core for `migrated`, too.
   */
  private startServices(dataDir: string, draft: settings.StartSettings) {
    const logDir = path.join(dataDir, 'logs');
    fs.mkdirSync(logDir, { recursive: true, mode: 0o700 });
    const options = { logDir, say, gaveUp: this.gaveUp };
    const checkedSettings = Promise.withResolvers<settings.CheckedSettings['selected']>();
    const migratedEnvironment = Promise.withResolvers<settings.ProcessEnvironment>();
    const ofCore = Promise.all([checkedSettings.promise, migratedEnvironment.promise]).then(
      ([{ core }, migratedVariables]) => ({ ...core, ...migratedVariables }),
    );
    const ofGateway = checkedSettings.promise.then(({ gateway }) => gateway);
    this.services.push(
      startService('core', { ...options, env: draft, go: ofCore }),
      startService('gateway', { ...options, env: draft, go: ofGateway }),
    );
    for (const { ready } of this.services) ready.catch(() => undefined);
    return { options, checked: checkedSettings, migrated: migratedEnvironment };
  }
}

/** Throws all invalid settings and ports together. */
async function requireValid(draft: settings.StartSettings, patience: number): Promise<settings.CheckedSettings> {
  const checking = settings.checkSettingsElsewhere(draft);
  checking.catch(() => undefined);
  requireNone(await settings.checkPorts(draft, patience));
  const settingsCheck = await checking;
  requireNone(settingsCheck.wrong, 'These settings are invalid:');
  if (settingsCheck.unknown.length > 0) say(`Not a setting, ignored: ${settingsCheck.unknown.join(', ')}`);
  return settingsCheck;
}

function requireNone(problems: readonly string[], title?: string): void {
  if (problems.length === 0) return;
  const list = title ? [title, ...problems.map((line) => `  ${line}`)] : problems;
  throw Object.assign(new Error(list.join('\n')), { exitCode: 2 });
}

/** Migrates the database. Skips it if this exact program has already migrated it with these credentials. */
async function migrate(
  dataDir: string,
  options: { readonly env: settings.StartSettings; readonly logDir: string },
  isRequired: boolean,
): Promise<void> {
  const { env } = options;
  const note = path.join(dataDir, 'migrated');
  const parts = [
    // It names the other files of the program, whose names change with their contents.
    fs.readFileSync(programFile('core', 'index.js'), 'utf8'),
    // Of the accounts, without the port of the embedded database, which is another one in each start.
    ...[env.DATABASE_URL, env.STRATA_OWNER_DATABASE_URL].map((url) => URL.parse(url ?? '')?.password),
    env.STRATA_ROOT_KEY,
    env.STRATA_BOOTSTRAP_API_KEY,
    env.STRATA_BOOTSTRAP_EMAIL,
    env.STRATA_BOOTSTRAP_PASSWORD,
  ];
  const expected = createHash('sha256').update(parts.join('\0')).digest('hex');
  if (!isRequired && fs.existsSync(note) && fs.readFileSync(note, 'utf8') === expected) return;
  fs.rmSync(note, { force: true });
  // Node would keep the compiled modules of every release.
  fs.rmSync(settings.compileCache(dataDir), { recursive: true, force: true });
  say('Migrating the database …');
  await runOnce('core', ['migrate'], options);
  fs.writeFileSync(note, expected, { mode: 0o600 });
}

const coreAddress = (env: settings.StartSettings): string =>
  `http://${settings.formatAuthority(settings.connectableHost(env.STRATA_HOST), env.STRATA_PORT)}`;

const gatewayAddress = (env: settings.StartSettings): string =>
  `http://${settings.formatAuthority(settings.connectableHost(env.STRATA_HOST), env.STRATA_GATEWAY_PORT)}`;

/**
 * Returns whether the e-mail address and the password are valid. The first start sets them, and later starts do not
 * change them.
 */
async function signsIn(env: settings.StartSettings): Promise<boolean> {
  if (env.STRATA_JWKS_URL) return true;
  const { STRATA_BOOTSTRAP_EMAIL: email, STRATA_BOOTSTRAP_PASSWORD: password } = env;
  const response = await httpRequest(coreAddress(env) + findRoute('auth_token_create').path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
    timeoutMs: SIGN_IN_MS_MAX,
  }).catch(() => undefined);
  return response?.status === 200;
}

function addresses(env: settings.StartSettings, dataDir: string, isOwner: boolean): readonly Row[] {
  const [core, gateway] = [coreAddress(env), gatewayAddress(env)];
  const relative = path.relative(process.cwd(), dataDir);
  return [
    ...(settings.hasConsole(env) ? [['Console', `${gateway}/`] as const] : []),
    ['REST', `${core}/api/v1/`],
    ['OpenAPI page', `${core}/api/docs/`],
    ['GraphQL', `${gateway}/graphql   (playground in a browser; websocket at the same address)`],
    ['Health', `${core}/readyz   ${gateway}/readyz`],
    ['API key', env.STRATA_BOOTSTRAP_API_KEY],
    [
      'Owner',
      isOwner
        ? `${env.STRATA_BOOTSTRAP_EMAIL}   ${env.STRATA_BOOTSTRAP_PASSWORD}`
        : 'exists already, with the e-mail address and password of before; those set now are not in force',
    ],
    ['Data, logs', relative && relative.length < dataDir.length ? relative : dataDir],
    ['Stop', 'Ctrl-C'],
  ];
}

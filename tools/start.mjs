// npm start: installs, builds, starts PostgreSQL, migrates, starts the core and the gateway, and prints their
// addresses. However it ends, nothing keeps running: services end when their channel to this process closes, and
// PostgreSQL is stopped by its guardian.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { ensure, root } from './ensure.mjs';
import { onEnd } from './lifetime.mjs';
import { wrongSettings } from './start/early-settings.mjs';

const started = Date.now();
const WRONG = 'These settings are invalid:';
const known = wrongSettings(process.env);
if (known.length > 0) {
  console.error([WRONG, ...known.map((line) => `  ${line}`)].join('\n'));
  process.exit(2);
}
await ensure();
const { buildApps, compiled } = await import('./build-apps.mjs');
(await import('node:module')).enableCompileCache?.(compiled);
const { keepApiKey, readCredentials } = await import('./start/credentials.mjs');
const { claim, openDataDirectory } = await import('./start/data-directory.mjs');
const { startDatabase } = await import('./start/database.mjs');
const { runOnce, startService } = await import('./start/service.mjs');
const settings = await import('./start/settings.mjs');

const say = (line) => console.log(line);
// If the program that reads the output ends (`npm start | head`), the services keep running.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const services = [];
let database;
let claimed;
let ending;

function end(code) {
  ending ??= (async () => {
    claimed?.markAsEnding();
    await Promise.all(services.map((service) => service.stop()));
    const running = await database?.catch(() => undefined);
    await running?.stop();
    process.exit(code);
  })();
  return ending;
}

onEnd((signal) => {
  if (signal === 'SIGINT' && process.stdout.isTTY) say('\nStopping …');
  void end(0);
});
const gaveUp = (message) => {
  console.error(message);
  void end(1);
};

try {
  await start();
} catch (error) {
  if (!ending) console.error(error.message);
  await end(error.exitCode ?? 1);
}

async function start() {
  const dataDir = settings.dataDirectory(process.env);
  openDataDirectory(dataDir);
  claimed = await claim(dataDir, say);
  if (ending) return;
  const { recovered } = claimed;
  const own = process.env.DATABASE_URL;
  const credentials = readCredentials(dataDir);
  const draft = await settings.serviceEnvironment(
    process.env,
    credentials,
    own || 'postgres://strata@127.0.0.1/strata',
  );
  refuse(await settings.checkPorts(draft, recovered ? 5_000 : 0));
  await buildApps(['core', 'gateway', ...(settings.hasConsole(draft) ? ['console'] : [])], say);
  const { wrong, unknown } = await settings.checkSettings(draft);
  refuse(wrong, WRONG);
  if (unknown.length > 0) say(`Not a setting, ignored: ${unknown.join(', ')}`);

  const logDir = path.join(dataDir, 'logs');
  fs.mkdirSync(logDir, { recursive: true, mode: 0o700 });
  const options = { logDir, say, gaveUp };
  // Both services load their modules while the database starts. The gateway does not need the database and is ready
  // before the core.
  const migrated = Promise.withResolvers();
  const [coreEnv, gatewayEnv] = await Promise.all(['core', 'gateway'].map((app) => settings.environmentOf(app, draft)));
  const [core, gateway] = [
    startService('core', { ...options, env: coreEnv, go: migrated.promise }),
    startService('gateway', { ...options, env: gatewayEnv, go: Promise.resolve({}) }),
  ];
  services.push(core, gateway);
  for (const { ready } of services) ready.catch(() => {});

  database = own ? undefined : startDatabase(dataDir, credentials.database_password, { say, gaveUp });
  const env = { ...draft, DATABASE_URL: own || (await database).url };
  if (ending) return;
  await migrate(dataDir, { ...options, env }, !database || (await database).created);
  // The key of this start is now valid and stays valid. Stored here, it is available to `npm run seed` and later
  // starts.
  keepApiKey(dataDir, credentials, env.STRATA_BOOTSTRAP_API_KEY);
  migrated.resolve({ DATABASE_URL: env.DATABASE_URL });
  const isOwner = core.ready.then(() => signsIn(env));
  await Promise.all([isOwner, gateway.ready]);
  if (!ending) announce(env, dataDir, await isOwner);
}

/** Migrates the database. Skips it if this exact build has already migrated the database with these credentials. */
async function migrate(dataDir, options, always) {
  const { env } = options;
  const note = path.join(dataDir, 'migrated');
  const core = fs.readFileSync(path.join(root, 'node_modules/.cache/strata/core'), 'utf8');
  const parts = [
    core,
    env.STRATA_ROOT_KEY,
    env.STRATA_BOOTSTRAP_API_KEY,
    env.STRATA_BOOTSTRAP_EMAIL,
    env.STRATA_BOOTSTRAP_PASSWORD,
  ];
  const wanted = createHash('sha256').update(parts.join('\0')).digest('hex');
  if (!always && fs.existsSync(note) && fs.readFileSync(note, 'utf8') === wanted) return;
  fs.rmSync(note, { force: true });
  say('Migrating the database …');
  await runOnce('core', ['migrate'], options);
  fs.writeFileSync(note, wanted, { mode: 0o600 });
}

function refuse(troubles, title) {
  if (troubles.length === 0) return;
  const list = title ? [title, ...troubles.map((line) => `  ${line}`)] : troubles;
  throw Object.assign(new Error(list.join('\n')), { exitCode: 2 });
}

function coreOf(env) {
  return `http://${settings.authority(settings.reachable(env.STRATA_HOST), env.STRATA_PORT)}`;
}

/**
 * Returns whether the e-mail address and the password are valid. The first start sets them, and later starts do not
 * change them.
 */
async function signsIn(env) {
  if (env.STRATA_JWKS_URL) return true;
  const { STRATA_BOOTSTRAP_EMAIL: email, STRATA_BOOTSTRAP_PASSWORD: password } = env;
  const answer = await fetch(`${coreOf(env)}/api/v1/auth/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  }).catch(() => undefined);
  return answer?.ok ?? false;
}

function announce(env, dataDir, isOwner) {
  const host = settings.reachable(env.STRATA_HOST);
  const core = coreOf(env);
  const gateway = `http://${settings.authority(host, env.STRATA_GATEWAY_PORT)}`;
  const rows = [
    ...(settings.hasConsole(env) ? [['Console', `${gateway}/`]] : []),
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
    ['Data, logs', shorter(path.relative(process.cwd(), dataDir), dataDir)],
    ['Stop', 'Ctrl-C'],
  ];
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  say(
    `\n  Strata is ready (${seconds} s)\n\n${rows.map(([name, value]) => `  ${name.padEnd(13)} ${value}`).join('\n')}\n`,
  );
}

function shorter(a, b) {
  return a && a.length < b.length ? a : b;
}

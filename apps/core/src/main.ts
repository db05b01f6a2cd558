import { getHeapStatistics } from 'node:v8';
import { Logger } from '@nestjs/common';
import { heapLimitProblem, publicUrlWarning } from '@strata/domain';
import { collectStartGarbage } from '@strata/telemetry';
import {
  assertDatabaseAnswers,
  type Core,
  createCore,
  createLogger,
  migrate,
  publicAddress,
  readEnv,
  redirectOutputToLogger,
  runOperatorCommand,
  SettingsError,
  StartError,
  startErrorMessage,
} from './index.ts';

const env = await read();
const [command, ...commandArguments] = process.argv.slice(2);
const isMigration = command === 'migrate';
const folders = { dataDir: process.env.STRATA_DATA_DIR, backupDir: process.env.STRATA_BACKUP_DIR };
const result = await runOperatorCommand(command, { env, commandArguments, folders }).catch(giveUp);
if (result) {
  const [text, code] = result;
  process.stdout.write(text);
  process.exit(code);
}
redirectOutputToLogger(createLogger(env) || null);

/**
 * Longer than any request may take. After this time, the process ends even if a database or a client does not respond.
 */
const STOP_MS_MAX = 20_000;

let core: Core | null = null;
let stopping: PromiseWithResolvers<void> | null = null;
/** On a second signal, or if the parent process has ended, the process stops without waiting for load balancers. */
async function stop(reason: string) {
  if (stopping || reason === 'disconnect') stopping?.resolve();
  if (stopping) return;
  stopping = Promise.withResolvers();
  core?.drain();
  const graceMs = core && reason !== 'disconnect' ? env.STRATA_GRACE_SECONDS * 1_000 : 0;
  setTimeout(stopping.resolve, graceMs);
  await stopping.promise;
  setTimeout(() => process.exit(1), STOP_MS_MAX).unref();
  await core?.close();
  process.exit(0);
}
// A signal ends a migration at once, because an exit code of 0 would mean that it is complete.
if (!isMigration) {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  process.once('disconnect', () => stop('disconnect'));
}

// The migration creates the account of the core.
await assertDatabaseAnswers(env, isMigration ? env.STRATA_OWNER_DATABASE_URL : env.DATABASE_URL).catch(giveUp);
if (isMigration) {
  await migrate(env, { isEnforced: commandArguments.includes('--enforce') }).catch(giveUp);
  process.exit(0);
}
core = await createCore(env).catch(giveUp);
const warnings = [
  heapLimitProblem(getHeapStatistics().heap_size_limit, env.STRATA_HEAP_MB),
  publicUrlWarning(publicAddress(env)),
];
for (const warning of warnings) if (warning) Logger.warn(warning, 'start');
const origin = await core.listen(env.STRATA_PORT, env.STRATA_HOST).catch(giveUp);
// Reports its address to the parent process, which needs it if the port is 0.
process.send?.(origin);
collectStartGarbage();

/** Prints one sentence for an operator's error; only a bug prints its stack. */
function giveUp(error: unknown): never {
  const problem = error instanceof StartError ? error.message : startErrorMessage(error);
  if (problem === null) throw error;
  process.stderr.write(`${problem}\n`);
  return process.exit(1);
}

async function read() {
  try {
    return readEnv(process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(2);
  }
}

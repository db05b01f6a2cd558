import { createCore, migrate, readEnv, SettingsError, StartRefused, startTrouble } from './index.ts';

const env = await read();
if (process.argv[2] === 'migrate') {
  await migrate(env).catch(giveUp);
  process.exit(0);
}
const core = await createCore(env).catch(giveUp);
await core.listen(env.STRATA_PORT, env.STRATA_HOST).catch(giveUp);

let stopping = false;
async function stop() {
  if (stopping) return;
  stopping = true;
  await core.close();
  process.exit(0);
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
process.once('disconnect', stop);
process.send?.('ready');

/** Whoever starts us wants a sentence; only a bug shows its stack. */
function giveUp(error: unknown): never {
  const trouble = error instanceof StartRefused ? error.message : startTrouble(error);
  if (trouble === null) throw error;
  process.stderr.write(`${trouble}\n`);
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

import { createCore, migrate, readEnv, SettingsError } from './index.ts';

const env = await read();
if (process.argv[2] === 'migrate') {
  await migrate(env);
  process.exit(0);
}
const core = await createCore(env);
await core.listen(env.STRATA_PORT, env.STRATA_HOST);

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

async function read() {
  try {
    return readEnv(process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(2);
  }
}

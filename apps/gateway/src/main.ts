import { readEnv } from './env.ts';
import { createGateway } from './gateway.ts';

// A full disk, or a reader that went away, costs lines of the log, and not the service.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  const env = readEnv(process.env);
  const gateway = await createGateway(env);
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await gateway.close();
    process.exit(0);
  };
  process.once('SIGTERM', stop).once('SIGINT', stop).once('disconnect', stop);
  await gateway.listen(env.port, env.host);
  process.send?.(await gateway.url());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

import { getHeapStatistics } from 'node:v8';
import { heapTrouble } from '@strata/domain';
import { readEnv } from './env.ts';
import { createGateway } from './gateway.ts';

/** Beyond the time that a request may take, nobody waits for what is left. */
const STOP_MS_MAX = 20_000;
// A full disk, or a reader that went away, costs lines of the log, and not the service.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  const env = readEnv(process.env);
  const gateway = await createGateway(env);
  let stopping: PromiseWithResolvers<void> | null = null;
  /** Asked a second time, or left alone by whoever started it, the process does not wait to be seen. */
  const stop = async (reason: string) => {
    if (stopping || reason === 'disconnect') stopping?.resolve();
    if (stopping) return;
    stopping = Promise.withResolvers();
    gateway.drain();
    setTimeout(stopping.resolve, reason === 'disconnect' ? 0 : env.graceSeconds * 1_000);
    await stopping.promise;
    setTimeout(() => process.exit(1), STOP_MS_MAX).unref();
    await gateway.close();
    process.exit(0);
  };
  process
    .on('SIGTERM', stop)
    .on('SIGINT', stop)
    .once('disconnect', () => stop('disconnect'));
  const heap = heapTrouble(getHeapStatistics().heap_size_limit, env.heapMb);
  if (heap) console.error(heap);
  await gateway.listen(env.port, env.host);
  process.send?.(await gateway.url());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

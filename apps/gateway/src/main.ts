import { getHeapStatistics } from 'node:v8';
import { heapLimitProblem, publicUrlWarning } from '@strata/domain';
import { collectStartGarbage } from '@strata/telemetry';
import { readEnv } from './env.ts';
import { createGateway } from './gateway.ts';

/** After the longest request no client waits for a response. */
const STOP_MS_MAX = 20_000;
// A full disk or a closed pipe loses log lines but must not stop the service.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  const env = readEnv(process.env);
  const gateway = await createGateway(env);
  let stopping: PromiseWithResolvers<void> | null = null;
  /** A second signal, or the end of the parent process, skips the wait for load balancers. */
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
  const warnings = [
    heapLimitProblem(getHeapStatistics().heap_size_limit, env.heapMb),
    publicUrlWarning({ ...env, isBehindProxy: Boolean(env.trustProxy) }),
  ];
  for (const warning of warnings) if (warning) console.error(warning);
  await gateway.listen(env.port, env.host);
  process.send?.(await gateway.url());
  collectStartGarbage();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

export { isAlive, onEnd } from './lifetime.mjs';
export { HEAP_MB, nodeArguments } from './node-arguments.ts';
export { freePort } from './ports.ts';
export {
  databaseUrl,
  type PostgresOptions,
  type RunningPostgres,
  runningPort,
  startPostgres,
} from './postgres.ts';

export { isAlive, onEnd } from './lifetime.mjs';
export { HEAP_MB, nodeArguments } from './node-arguments.ts';
export {
  databaseUrl,
  freePort,
  type PostgresOptions,
  type RunningPostgres,
  runningPort,
  startPostgres,
} from './postgres.ts';

export { isAlive, onEnd } from './lifetime.mjs';
export { HEAP_MB, nodeArguments } from './node-arguments.ts';
export { freePort, type PostgresOptions, type RunningPostgres, startPostgres } from './postgres.ts';

export { archiveSettings } from './archive.ts';
export { type BaseBackup, copyServer } from './base-backup.ts';
export { clusterPaths, readEmbeddedMajor } from './cluster.ts';
export { type CopiedFile, copyFile, syncAll, syncFile } from './copied-file.ts';
export { isAlive, onEnd } from './lifetime.mjs';
export { HEAP_MB, nodeArguments } from './node-arguments.ts';
export { findFreePort } from './ports.ts';
export {
  coreDatabaseUrl,
  databaseUrl,
  type PostgresOptions,
  type RunningPostgres,
  runningPort,
  startPostgres,
} from './postgres.ts';
export { restorePostgres } from './recovery.ts';
export { isTimelineHistory, isWalSegment, parseSegmentNumber, segmentName, segmentNumber } from './wal.ts';

import { Module } from '@nestjs/common';
import { ConfigurationChanges } from './configuration-changes.ts';
import { EffectiveCache } from './effective-cache.ts';
import { Forests } from './forest.ts';
import { ProjectSnapshots } from './project-snapshot.ts';
import { SnapshotLoader } from './snapshot-loader.ts';
import { Snapshots } from './snapshots.ts';

/** Loads the configuration at a point in time, and caches its current state. */
@Module({
  providers: [SnapshotLoader, Snapshots, ConfigurationChanges, EffectiveCache, Forests, ProjectSnapshots],
  exports: [SnapshotLoader, Snapshots, ConfigurationChanges, EffectiveCache, Forests, ProjectSnapshots],
})
export class SnapshotModule {}

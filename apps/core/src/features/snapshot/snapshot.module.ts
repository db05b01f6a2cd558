import { Module } from '@nestjs/common';
import { ConfigurationChanges } from './configuration-changes.ts';
import { EffectiveCache } from './effective-cache.ts';
import { ProjectSnapshots } from './project-snapshot.ts';
import { SnapshotLoader } from './snapshot-loader.ts';

/** What configuration is at a point in time: the one loader, and what is kept of the present. */
@Module({
  providers: [SnapshotLoader, ConfigurationChanges, EffectiveCache, ProjectSnapshots],
  exports: [SnapshotLoader, EffectiveCache, ProjectSnapshots],
})
export class SnapshotModule {}

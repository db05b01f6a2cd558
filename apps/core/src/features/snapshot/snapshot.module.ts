import { Module } from '@nestjs/common';
import { ConfigurationChanges } from './configuration-changes.ts';
import { EffectiveCache } from './effective-cache.ts';
import { PresentAnswers } from './present-answers.ts';
import { ProjectSnapshots } from './project-snapshot.ts';
import { SnapshotLoader } from './snapshot-loader.ts';
import { Snapshots } from './snapshots.ts';

/** What configuration is at a point in time: the one loader, and what is kept of the present. */
@Module({
  providers: [SnapshotLoader, Snapshots, ConfigurationChanges, EffectiveCache, ProjectSnapshots, PresentAnswers],
  exports: [Snapshots, EffectiveCache, ProjectSnapshots, PresentAnswers],
})
export class SnapshotModule {}

import { Module } from '@nestjs/common';
import { ConfigurationChanges } from './configuration-changes.ts';
import { EffectiveCache } from './effective-cache.ts';
import { Forests } from './forest.ts';
import { PresentAnswers } from './present-answers.ts';
import { ProjectSnapshots } from './project-snapshot.ts';
import { SnapshotLoader } from './snapshot-loader.ts';
import { Snapshots } from './snapshots.ts';

/** What configuration is at a point in time: the one loader, and what is kept of the present. */
@Module({
  providers: [
    SnapshotLoader,
    Snapshots,
    ConfigurationChanges,
    EffectiveCache,
    Forests,
    ProjectSnapshots,
    PresentAnswers,
  ],
  exports: [SnapshotLoader, Snapshots, EffectiveCache, Forests, ProjectSnapshots, PresentAnswers],
})
export class SnapshotModule {}

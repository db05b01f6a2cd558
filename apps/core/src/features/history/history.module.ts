import { Module } from '@nestjs/common';
import { FeedModule } from '../feed/feed.module.ts';
import { AuditController } from './audit.controller.ts';
import { AuditReader } from './audit.reader.ts';
import { AuditEvidenceController } from './audit-evidence.controller.ts';
import { AuditLogController } from './audit-log.controller.ts';
import { AuditRecords } from './audit-records.ts';
import { AuditStreamController } from './audit-stream.controller.ts';
import { CheckpointPublisher } from './checkpoint-publisher.ts';
import { CheckpointSigner } from './checkpoint-signer.ts';
import { Checkpoints } from './checkpoints.ts';
import { LedgerTree } from './ledger-tree.ts';
import { ParameterTimelines } from './parameter-timelines.ts';
import { PublishedCheckpoints } from './published-checkpoints.ts';
import { TemplateTimelines } from './template-timelines.ts';
import { TimelinesController } from './timelines.controller.ts';

@Module({
  imports: [FeedModule],
  controllers: [
    AuditStreamController,
    AuditEvidenceController,
    AuditLogController,
    AuditController,
    TimelinesController,
  ],
  providers: [
    ...[AuditReader, AuditRecords, ParameterTimelines, TemplateTimelines],
    ...[CheckpointPublisher, Checkpoints, CheckpointSigner, LedgerTree, PublishedCheckpoints],
  ],
  exports: [PublishedCheckpoints],
})
export class HistoryModule {}

import { Module } from '@nestjs/common';
import { FeedModule } from '../feed/feed.module.ts';
import { AuditController } from './audit.controller.ts';
import { AuditReader } from './audit.reader.ts';
import { AuditEvidenceController } from './audit-evidence.controller.ts';
import { AuditRecords } from './audit-records.ts';
import { AuditStreamController } from './audit-stream.controller.ts';
import { CheckpointSigner } from './checkpoint-signer.ts';
import { LedgerTree } from './ledger-tree.ts';
import { ParameterTimelines } from './parameter-timelines.ts';
import { TemplateTimelines } from './template-timelines.ts';
import { TimelinesController } from './timelines.controller.ts';

@Module({
  imports: [FeedModule],
  controllers: [AuditStreamController, AuditEvidenceController, AuditController, TimelinesController],
  providers: [AuditReader, AuditRecords, CheckpointSigner, LedgerTree, ParameterTimelines, TemplateTimelines],
})
export class HistoryModule {}

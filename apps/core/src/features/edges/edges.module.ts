import { Module } from '@nestjs/common';
import { EdgesController } from './edges.controller.ts';
import { ForwardedReadRecorder } from './forwarded-reads.ts';
import { ReadReceipts } from './read-receipts.ts';

/** Confirms credentials to edges, and records the reads that edges answered. */
@Module({ controllers: [EdgesController], providers: [ForwardedReadRecorder, ReadReceipts] })
export class EdgesModule {}

import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.ts';
import { AuditReader } from './audit.reader.ts';

@Module({ controllers: [AuditController], providers: [AuditReader] })
export class HistoryModule {}

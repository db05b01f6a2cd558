import { Module } from '@nestjs/common';
import { SnapshotModule } from '../snapshot/snapshot.module.ts';
import { TemplatingModule } from '../templating/templating.module.ts';
import { TransferModule } from '../transfer/transfer.module.ts';
import { ValidationModule } from '../validation/validation.module.ts';
import { ChangesetsController } from './changesets.controller.ts';
import { ChangesetsReader } from './changesets.reader.ts';
import { Changesets } from './changesets.ts';
import { CopiedValues } from './copied-values.ts';
import { DynamicTexts } from './dynamic-texts.ts';
import { NamedValues } from './named-values.ts';
import { PutValuesController } from './put-values.controller.ts';

@Module({
  imports: [SnapshotModule, TemplatingModule, ValidationModule, TransferModule],
  controllers: [ChangesetsController, PutValuesController],
  providers: [Changesets, ChangesetsReader, CopiedValues, DynamicTexts, NamedValues],
  exports: [Changesets, ChangesetsReader],
})
export class ChangesetsModule {}

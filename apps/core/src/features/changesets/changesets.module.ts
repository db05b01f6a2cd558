import { Module } from '@nestjs/common';
import { TransferModule } from '../transfer/transfer.module.ts';
import { ValidationModule } from '../validation/validation.module.ts';
import { ApplyController, ChangesetsController } from './changesets.controller.ts';
import { ChangesetsReader } from './changesets.reader.ts';
import { Changesets } from './changesets.ts';
import { NamedValues } from './named-values.ts';
import { PutValuesController } from './put-values.controller.ts';

@Module({
  imports: [ValidationModule, TransferModule],
  controllers: [ApplyController, ChangesetsController, PutValuesController],
  providers: [Changesets, ChangesetsReader, NamedValues],
})
export class ChangesetsModule {}

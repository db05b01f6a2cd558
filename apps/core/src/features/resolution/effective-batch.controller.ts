import { Controller, Get } from '@nestjs/common';
import { Requires } from '../../platform/auth/requires.ts';
import { longAnswer } from '../../platform/http/answer.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { EffectiveBatches } from './effective-batch.ts';

/** Results, their members, and the names in them are written one by one. */
const DEPTH = 4;

@Controller('effective')
export class EffectiveBatchController {
  constructor(private readonly batches: EffectiveBatches) {}

  @Get()
  @Requires('read')
  async answer(@CurrentCall() call: Call) {
    const batch = await this.batches.of(call.caller, call.query);
    return longAnswer(call, batch.revision, batch, DEPTH);
  }
}

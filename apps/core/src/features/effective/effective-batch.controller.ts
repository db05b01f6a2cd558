import { Controller, Get } from '@nestjs/common';
import { Requires } from '../../platform/auth/requires.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { ResponseCache } from '../../platform/http/response-cache.ts';
import { EffectiveBatches } from './effective-batch.ts';

/** Results, their members, and the names in them are serialized one by one. */
const DEPTH = 4;

@Controller('effective')
export class EffectiveBatchController {
  constructor(
    private readonly batches: EffectiveBatches,
    private readonly responses: ResponseCache,
  ) {}

  @Get()
  @Requires('read')
  async answer(@CurrentCall() call: Call) {
    return this.responses.send(call, () => this.batches.find(call.caller, call.query), DEPTH);
  }
}

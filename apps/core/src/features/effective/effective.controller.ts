import { Controller, Get, Param } from '@nestjs/common';
import { LongPoll, Requires } from '../../platform/auth/requires.ts';
import { pathId } from '../../platform/http/links.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { assertInstanceName } from '../instances/instance-header.ts';
import { EffectiveConfiguration } from './effective.ts';
import { isLongPoll } from './stream/configuration-polls.ts';

@Controller('projects/:id/effective')
export class EffectiveController {
  constructor(private readonly effectiveConfiguration: EffectiveConfiguration) {}

  @Get()
  @Requires('read')
  @LongPoll(isLongPoll)
  answer(@CurrentCall() call: Call, @Param('id') id: string) {
    assertInstanceName(call.headers);
    return this.effectiveConfiguration.answer(call, pathId('Project', id));
  }
}

import { Controller, Get, Param } from '@nestjs/common';
import { parseQuery, TimelineQuery } from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';
import { answer } from '../../platform/http/answer.ts';
import { pathId } from '../../platform/http/links.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { ParameterTimelines } from './parameter-timelines.ts';

@Controller('projects/:project')
export class TimelinesController {
  constructor(private readonly parameters: ParameterTimelines) {}

  @Get('parameters/timelines')
  @Requires('read')
  ofParameters(@CurrentCall() call: Call, @Param('project') project: string) {
    return this.tell(call, project, null);
  }

  @Get('parameters/:id/timeline')
  @Requires('read')
  ofParameter(@CurrentCall() call: Call, @Param('project') project: string, @Param('id') id: string) {
    return this.tell(call, project, pathId('Parameter', id));
  }

  private async tell(call: Call, project: string, parameterId: string | null) {
    const query = parseQuery(TimelineQuery, call.query);
    const subject = { projectId: pathId('Project', project), parameterId };
    const { revision, timeline } = await this.parameters.of(call.caller, subject, query);
    return answer(call, revision, timeline);
  }
}

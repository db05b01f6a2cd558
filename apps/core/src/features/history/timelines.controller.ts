import { Controller, Get, Param } from '@nestjs/common';
import { ParameterTimelineQuery, parseQuery, TimelineQuery } from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';
import { pathId } from '../../platform/http/links.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { ParameterTimelines } from './parameter-timelines.ts';
import { TemplateTimelines } from './template-timelines.ts';

@Controller('projects/:project')
export class TimelinesController {
  constructor(
    private readonly parameters: ParameterTimelines,
    private readonly templates: TemplateTimelines,
  ) {}

  @Get('parameters/timelines')
  @Requires('read')
  ofParameters(@CurrentCall() call: Call, @Param('project') project: string) {
    return this.presentParameters(call, project, null);
  }

  @Get('parameters/:id/timeline')
  @Requires('read')
  ofParameter(@CurrentCall() call: Call, @Param('project') project: string, @Param('id') id: string) {
    return this.presentParameters(call, project, pathId('Parameter', id));
  }

  @Get('templates/timelines')
  @Requires('read')
  ofTemplates(@CurrentCall() call: Call, @Param('project') project: string) {
    return this.presentTemplates(call, project, null);
  }

  @Get('templates/:id/timeline')
  @Requires('read')
  ofTemplate(@CurrentCall() call: Call, @Param('project') project: string, @Param('id') id: string) {
    return this.presentTemplates(call, project, pathId('Template', id));
  }

  private async presentParameters(call: Call, project: string, parameterId: string | null) {
    const subject = { projectId: pathId('Project', project), parameterId };
    const { revision, timeline } = await this.parameters.of(
      call.caller,
      subject,
      parseQuery(ParameterTimelineQuery, call.query),
    );
    return sendJson(call, revision, timeline);
  }

  private async presentTemplates(call: Call, project: string, templateId: string | null) {
    const subject = { projectId: pathId('Project', project), templateId };
    const { revision, timeline } = await this.templates.of(call.caller, subject, parseQuery(TimelineQuery, call.query));
    return sendJson(call, revision, timeline);
  }
}

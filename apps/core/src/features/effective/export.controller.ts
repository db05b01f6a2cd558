import { Controller, Get, Param } from '@nestjs/common';
import { ParameterExportQuery, parseQuery } from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';
import { computeEtag, sendTagged } from '../../platform/http/conditional-requests.ts';
import { pathId } from '../../platform/http/links.ts';
import { type Call, CurrentCall, createTagContext } from '../../platform/http/request.ts';
import { ParameterExports } from './export.ts';

@Controller('projects/:project/parameter-export')
export class ExportController {
  constructor(private readonly exports: ParameterExports) {}

  @Get()
  @Requires('read')
  async read(@CurrentCall() call: Call, @Param('project') project: string) {
    const query = parseQuery(ParameterExportQuery, call.query);
    const { organizationId } = call.caller;
    const request = { organizationId, permissions: call.caller, projectId: pathId('Project', project) };
    const { revision, exported } = await this.exports.of(request, query);
    call.reply.header('x-revision', String(revision));
    const text = JSON.stringify(exported);
    return sendTagged(call, text, computeEtag(text, createTagContext(call.reply.request, call.url)));
  }
}

import { Controller, Get, Param } from '@nestjs/common';
import { ParameterDualityQuery } from '@strata/contract';
import { Requires } from '../../../platform/auth/requires.ts';
import { pathId } from '../../../platform/http/links.ts';
import { parseListQuery, presentListPage } from '../../../platform/http/page.ts';
import { type Call, CurrentCall } from '../../../platform/http/request.ts';
import { sendJson } from '../../../platform/http/send-json.ts';
import { ComparisonReader } from './comparison.reader.ts';

@Controller('projects/:project/parameters/duality')
export class ComparisonController {
  constructor(private readonly reader: ComparisonReader) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call, @Param('project') project: string) {
    const query = parseListQuery(ParameterDualityQuery, call);
    const result = await this.reader.page(call.caller, pathId('Project', project), query, call.links);
    return sendJson(
      call,
      result.revision,
      presentListPage(call, query, result, ({ pair }) => pair, ['name']),
    );
  }
}

import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { parseBody, parseQuery, TemplatePreviewQuery, TemplatePreviewRequest } from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { Previews } from './preview.ts';
import { toTemplateKey } from './templates.controller.ts';

@Controller('projects/:project/template-preview')
export class PreviewController {
  constructor(private readonly previews: Previews) {}

  @Post()
  @HttpCode(200)
  @Requires('read')
  async preview(@CurrentCall() call: Call, @Param('project') project: string, @Body() body: unknown) {
    const query = parseQuery(TemplatePreviewQuery, call.query);
    const input = parseBody(TemplatePreviewRequest, body);
    const { revision, preview } = await this.previews.of(toTemplateKey(call, project), input.body, query);
    return sendJson(call, revision, preview);
  }
}

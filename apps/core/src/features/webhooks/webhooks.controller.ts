import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { parseBody, WebhookCreate, WebhookListQuery, WebhookPatch, WebhookUpdate } from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';
import { answer, created, removed } from '../../platform/http/answer.ts';
import { pathId } from '../../platform/http/links.ts';
import { envelope, parseListQuery } from '../../platform/http/page.ts';
import { ifMatch } from '../../platform/http/precondition.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { presentWebhook } from './webhooks.presenter.ts';
import { WebhooksReader } from './webhooks.reader.ts';
import { WebhooksService } from './webhooks.service.ts';

@Controller('webhooks')
export class WebhooksController {
  constructor(
    private readonly reader: WebhooksReader,
    private readonly webhooks: WebhooksService,
  ) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call) {
    const query = parseListQuery(WebhookListQuery, call);
    const found = await this.reader.page(call.caller.organizationId, query);
    const page = envelope(call, query, found, (row) => presentWebhook(row, call.links));
    return answer(call, found.revision, page);
  }

  @Post()
  @Requires('manage_webhooks')
  async create(@CurrentCall() call: Call, @Body() body: unknown) {
    const { result: id } = await this.webhooks.create(call.caller, parseBody(WebhookCreate, body));
    const { revision, row } = await this.reader.one(call.caller.organizationId, id);
    return created(call, revision, presentWebhook(row, call.links));
  }

  @Get(':id')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param('id') id: string) {
    const { revision, row } = await this.reader.one(call.caller.organizationId, pathId('Webhook', id));
    return answer(call, revision, presentWebhook(row, call.links));
  }

  @Put(':id')
  @Requires('manage_webhooks')
  replace(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, pathId('Webhook', id), parseBody(WebhookUpdate, body));
  }

  @Patch(':id')
  @Requires('manage_webhooks')
  update(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, pathId('Webhook', id), parseBody(WebhookPatch, body));
  }

  @Delete(':id')
  @Requires('manage_webhooks')
  async remove(@CurrentCall() call: Call, @Param('id') id: string) {
    const key = pathId('Webhook', id);
    const { revision } = await this.webhooks.remove(call.caller, key, this.precondition(call, key));
    removed(call, revision);
  }

  @Post(':id/enable')
  @HttpCode(200)
  @Requires('manage_webhooks')
  async enable(@CurrentCall() call: Call, @Param('id') id: string) {
    const key = pathId('Webhook', id);
    await this.webhooks.enable(call.caller, key);
    return this.show(call, key);
  }

  private async change(call: Call, id: string, wish: WebhookPatch) {
    await this.webhooks.change(call.caller, id, wish, this.precondition(call, id));
    return this.show(call, id);
  }

  private async show(call: Call, id: string) {
    const { revision, row } = await this.reader.one(call.caller.organizationId, id);
    return answer(call, revision, presentWebhook(row, call.links));
  }

  private precondition(call: Call, id: string) {
    const { caller, links } = call;
    return ifMatch(call, async (reader) =>
      presentWebhook((await this.reader.one(caller.organizationId, id, reader)).row, links),
    );
  }
}

import { ENABLE_WEBHOOK, WEBHOOKS } from '@strata/contract';
import { actionController } from '../../../platform/http/action-controller.ts';
import { pathId } from '../../../platform/http/links.ts';
import { resourceController } from '../../../platform/http/resource-controller.ts';
import { sendJson } from '../../../platform/http/send-json.ts';
import type { WriteResult } from '../../../platform/ledger/command.ts';
import { presentWebhook } from './webhooks.presenter.ts';
import { type WebhookRow, WebhooksReader } from './webhooks.reader.ts';
import { WebhooksService } from './webhooks.service.ts';

const webhookId = (path: { readonly id?: string }) => pathId('Webhook', path.id ?? '');

export const WebhooksController = resourceController(
  WEBHOOKS,
  { reader: WebhooksReader, webhooks: WebhooksService },
  ({ reader, webhooks }) => ({
    readKey: (path) => webhookId(path),
    list: ({ caller, query }) => reader.page(caller.organizationId, query),
    retrieve: ({ caller, key, reader: snapshotReader }) => reader.readOne(caller.organizationId, key, snapshotReader),
    create: ({ caller, input }) => webhooks.create(caller, input),
    change: ({ caller, key, input, precondition }) => webhooks.change(caller, key, input, precondition),
    remove: ({ caller, key, precondition }) => webhooks.remove(caller, key, precondition),
    presentItem: (row, { links }) => presentWebhook(row, links),
  }),
);

export const EnabledWebhooksController = actionController(
  'EnabledWebhooksController',
  { enable: ENABLE_WEBHOOK },
  { webhooks: WebhooksService },
  ({ webhooks }) => ({
    enable: {
      command: ({ caller, path }) => webhooks.enable(caller, webhookId(path)),
      answer: ({ call }, { result, revision }: WriteResult<WebhookRow>) =>
        sendJson(call, revision, presentWebhook(result, call.links)),
    },
  }),
);

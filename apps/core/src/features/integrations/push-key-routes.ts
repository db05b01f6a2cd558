import { Injectable } from '@nestjs/common';
import { BY_KEY, PushKeyListQuery, PushPolicyPatch, PushRun, PushRunPlan, parseBody } from '@strata/contract';
import { parseListQuery, presentListPage } from '../../platform/http/page.ts';
import type { Call } from '../../platform/http/request.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { UnitOfWork } from '../../platform/ledger/unit-of-work.ts';
import { presentTask, syncLink } from '../syncs/syncs.presenter.ts';
import { type IntegrationPath, IntegrationsReader } from './integrations.reader.ts';
import { PushDecisionsService } from './push-decisions.service.ts';
import { presentPushKey } from './push-keys.presenter.ts';
import { PushKeysReader } from './push-keys.reader.ts';

export interface PushCall {
  readonly call: Call;
  readonly path: IntegrationPath;
  /** The id of the push. */
  readonly id: string;
  readonly body: unknown;
}

/** Handles our own operations on the keys of pushes. */
@Injectable()
export class PushKeyRoutes {
  constructor(
    private readonly integrations: IntegrationsReader,
    private readonly keys: PushKeysReader,
    private readonly decisions: PushDecisionsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list({ call, path, id }: PushCall) {
    const query = parseListQuery(PushKeyListQuery, call);
    const result = await this.keys.page(call.caller, path, id, query);
    const page = presentListPage(call, query, result, (row) => presentPushKey(row, call.links), BY_KEY);
    return sendJson(call, result.revision, page);
  }

  async plan({ call, path, id }: PushCall) {
    const { revision } = await this.integrations.readOne('exchange', path, id);
    return sendJson(call, revision, PushRunPlan.parse(await this.keys.plan(call.caller, path, id)));
  }

  async policy({ call, path, id }: PushCall) {
    const { revision } = await this.integrations.readOne('exchange', path, id);
    return sendJson(call, revision, await this.keys.policy(path, id));
  }

  async changePolicy({ call, path, id, body }: PushCall) {
    const input = parseBody(PushPolicyPatch, body);
    const command = this.decisions.changePolicy(call.caller, path, id, input);
    const { result, revision } = await this.unitOfWork.run(command);
    return sendJson(call, revision, result);
  }

  /** Starts a run, and returns its task. */
  async run({ call, path, id, body }: PushCall) {
    const input = parseBody(PushRun, body);
    const { result: taskId } = await this.unitOfWork.run(this.decisions.run(call.caller, path, id, input));
    const { revision, row } = await this.integrations.readOne('task', { ...path, exchangeId: id }, taskId);
    const { provider, integrationId } = path;
    const push = syncLink(call.links, { provider, integration_id: integrationId, direction: 'push', id });
    return sendJson(call, revision, presentTask(row, push));
  }
}

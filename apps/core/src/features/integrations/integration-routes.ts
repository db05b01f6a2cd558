import { Injectable } from '@nestjs/common';
import {
  AnyIntegrationListQuery,
  INTEGRATIONS,
  IntegrationDeleteQuery,
  type IntegrationInput,
  NEWEST_FIRST,
  type Operation,
  PROVIDERS,
  type ProviderName,
  type PullInput,
  PullListQuery,
  PullSyncRequest,
  PushCreateQuery,
  type PushInput,
  PushListQuery,
  parseBody,
  parseQuery,
  StepListQuery,
  TaskListQuery,
} from '@strata/contract';
import { Failure, forbiddenScopes } from '@strata/domain';
import { pathId } from '../../platform/http/links.ts';
import { parseListQuery, presentListPage } from '../../platform/http/page.ts';
import type { Call } from '../../platform/http/request.ts';
import { sendCreated, sendJson, sendRemoved } from '../../platform/http/send-json.ts';
import { UnitOfWork } from '../../platform/ledger/unit-of-work.ts';
import type { Direction, SyncRow } from '../syncs/sync-row.ts';
import { presentPull, presentPush, presentTask, syncLink } from '../syncs/syncs.presenter.ts';
import { ConnectionTests } from './connection-tests.ts';
import {
  anyIntegrationListQuery,
  integrationListQuery,
  stepListQuery,
  syncListQuery,
  taskListQuery,
} from './filters.ts';
import { presentIntegration, presentStep } from './integrations.presenter.ts';
import { type IntegrationNoun, type IntegrationPath, IntegrationsReader } from './integrations.reader.ts';
import { IntegrationsService } from './integrations.service.ts';
import { PushKeyRoutes } from './push-key-routes.ts';
import { Scans } from './scans.ts';
import { SyncsService } from './syncs.service.ts';

/** An operation of the contract, and the object and action that it stands for. */
export interface Route {
  readonly operation: Operation;
  readonly provider: ProviderName;
  readonly noun: IntegrationNoun;
  readonly direction: Direction;
  readonly action: string;
  /** The placeholders of the path, outermost first. */
  readonly placeholders: readonly string[];
}

const ID = new RegExp(`^integrations_(${PROVIDERS.join('|')})_(?:(pull|push)e?s_)?(tasks_)?(steps_)?(\\w+)$`);

/** Returns the route of an operation, or null if the operation does not belong to one provider. */
export function findRoute(operation: Operation): Route | null {
  const [, provider, direction, tasks, steps, action] = ID.exec(operation.id) ?? [];
  if (provider === undefined || action === undefined) return null;
  return {
    operation,
    provider: provider as ProviderName,
    noun: steps ? 'step' : tasks ? 'task' : direction ? 'exchange' : 'integration',
    direction: direction === 'pull' ? 'pull' : 'push',
    action,
    placeholders: [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  };
}

interface RouteCall {
  readonly call: Call;
  readonly route: Route;
  readonly path: IntegrationPath;
  /** The id of the object. Empty for collections. */
  readonly id: string;
  readonly body: unknown;
}

const THINGS = ['Integration', 'Exchange', 'Task', 'Step'] as const;
const DEPTH: Readonly<Record<IntegrationNoun, number>> = { integration: 0, exchange: 1, task: 2, step: 3 };

/** Handles every operation of every provider. The contract lists them (see operations-integrations). */
@Injectable()
export class IntegrationRoutes {
  constructor(
    private readonly reader: IntegrationsReader,
    private readonly integrations: IntegrationsService,
    private readonly exchanges: SyncsService,
    private readonly pushKeys: PushKeyRoutes,
    private readonly tests: ConnectionTests,
    private readonly scans: Scans,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async answer(route: Route, call: Call, path: Readonly<Record<string, string>>, body: unknown): Promise<unknown> {
    const ids = route.placeholders.map((name, depth) => pathId(THINGS[depth] ?? 'Step', path[name] ?? ''));
    const [integrationId = '', exchangeId = '', taskId = ''] = ids;
    const { provider, direction } = route;
    const { organizationId } = call.caller;
    const forbidden = forbiddenScopes(call.caller);
    const integrationPath = { organizationId, forbidden, provider, integrationId, direction, exchangeId, taskId };
    const request = { call, route, path: integrationPath, id: ids[DEPTH[route.noun]] ?? '', body };
    switch (route.action) {
      case 'list':
        return this.list(request);
      case 'retrieve':
        return this.show(request, request.id);
      case 'create':
        return this.create(request);
      case 'update':
      case 'partial_update':
        return this.change(request);
      case 'destroy':
        return this.remove(request);
      case 'sync_create':
        return this.sync(request);
      case 'scan_create':
        return this.scan(request);
      case 'test_create':
        return this.test(request);
      case 'keys_list':
        return this.pushKeys.list(request);
      case 'plan_retrieve':
        return this.pushKeys.plan(request);
      case 'policy_retrieve':
        return this.pushKeys.policy(request);
      case 'policy_partial_update':
        return this.pushKeys.changePolicy(request);
      case 'run_create':
        return this.pushKeys.run(request);
      default:
        throw new Error(`Nobody answers ${route.operation.id}.`);
    }
  }

  /** Lists the integrations of all providers. */
  async listAll(call: Call): Promise<unknown> {
    const query = anyIntegrationListQuery(parseListQuery(AnyIntegrationListQuery, call));
    const result = await this.reader.listAll(call.caller, query);
    const page = presentListPage(call, query.page, result, (row) => presentIntegration(row, call.links));
    return sendJson(call, result.revision, page);
  }

  private async list({ call, route, path }: RouteCall) {
    const { noun, provider, direction } = route;
    const { links } = call;
    if (noun === 'integration') {
      const query = integrationListQuery(parseListQuery(INTEGRATIONS[provider].shapes.integrationFilters, call));
      const result = await this.reader.page(noun, path, query);
      const page = presentListPage(call, query.page, result, (row) => presentIntegration(row, links));
      return sendJson(call, result.revision, page);
    }
    if (noun === 'exchange') {
      const query = syncListQuery(parseListQuery(direction === 'pull' ? PullListQuery : PushListQuery, call));
      const result = await this.reader.page(noun, path, query);
      return sendJson(
        call,
        result.revision,
        presentListPage(call, query.page, result, (row) => presentSync(row, call)),
      );
    }
    if (noun === 'task') {
      const query = taskListQuery(parseListQuery(TaskListQuery, call));
      const result = await this.reader.page(noun, path, query);
      const page = presentListPage(
        call,
        query.page,
        result,
        (row) => presentTask(row, syncOfTask(path, call)),
        NEWEST_FIRST,
      );
      return sendJson(call, result.revision, page);
    }
    const query = stepListQuery(parseListQuery(StepListQuery, call));
    const result = await this.reader.page(noun, path, query);
    return sendJson(
      call,
      result.revision,
      presentListPage(call, query.page, result, (row) => presentStep(row, links), NEWEST_FIRST),
    );
  }

  private async show({ call, route, path }: RouteCall, id: string) {
    // The query has no effect, but an invalid one is rejected.
    if (route.operation.query) parseQuery(route.operation.query, call.query);
    const { revision, body } = await this.read(call, route, path, id);
    return sendJson(call, revision, body);
  }

  private async read(call: Call, { noun }: Route, path: IntegrationPath, id: string) {
    if (noun === 'integration') {
      const { revision, row } = await this.reader.readOne(noun, path, id);
      return { revision, body: presentIntegration(row, call.links) };
    }
    if (noun === 'exchange') {
      const { revision, row } = await this.reader.readOne(noun, path, id);
      return { revision, body: presentSync(row, call) };
    }
    if (noun === 'task') {
      const { revision, row } = await this.reader.readOne(noun, path, id);
      return { revision, body: presentTask(row, syncOfTask(path, call)) };
    }
    const { revision, row } = await this.reader.readOne(noun, path, id);
    return { revision, body: presentStep(row, call.links) };
  }

  private async create({ call, route, path, body }: RouteCall) {
    const input = parseInput(route, body);
    if (route.noun === 'integration') {
      const tested = await this.tests.testInput(call.caller, path, null, input);
      const command = this.integrations.create(call.caller, path, { ...input, ...tested?.discovered }, tested);
      const { result, revision } = await this.unitOfWork.run(command);
      return sendCreated(call, revision, presentIntegration(result, call.links));
    }
    const { plan_first: planFirst = false } = route.direction === 'push' ? parseQuery(PushCreateQuery, call.query) : {};
    const command = this.exchanges.create(call.caller, path, input, planFirst);
    const { result, revision } = await this.unitOfWork.run(command);
    return sendCreated(call, revision, presentSync(result, call));
  }

  private async change({ call, route, path, id, body }: RouteCall) {
    const input = parseInput(route, body);
    if (route.noun === 'integration') {
      const tested = await this.tests.testInput(call.caller, path, id, input);
      const command = this.integrations.change(call.caller, path, id, input, tested);
      const { result, revision } = await this.unitOfWork.run(command);
      return sendJson(call, revision, presentIntegration(result, call.links));
    }
    const { result, revision } = await this.unitOfWork.run(this.exchanges.change(call.caller, path, id, input));
    return sendJson(call, revision, presentSync(result, call));
  }

  private async remove({ call, route, path, id }: RouteCall) {
    const command =
      route.noun === 'integration'
        ? this.integrations.remove(call.caller, path, id, parseQuery(IntegrationDeleteQuery, call.query))
        : this.exchanges.remove(call.caller, path, id);
    sendRemoved(call, (await this.unitOfWork.run(command)).revision);
  }

  /** Starts a run. The request succeeds as soon as the run is accepted; the latest task shows the result. */
  private async sync({ call, route, path, id, body }: RouteCall) {
    const { dry_run: dryRun } = route.direction === 'pull' ? parseBody(PullSyncRequest, body) : {};
    const { revision } = await this.unitOfWork.run(this.exchanges.sync(call.caller, path, id, dryRun ?? null));
    call.reply.header('x-revision', String(revision));
  }

  private async scan({ call, route, path, id, body }: RouteCall) {
    const {
      region = null,
      service = null,
      resource,
    } = parseBody(INTEGRATIONS[route.provider].shapes.scan, body) as PullInput;
    const { revision, row } = await this.reader.readOne('integration', path, id);
    const { organizationId } = call.caller;
    const result = await this.scans.run({
      ...row,
      caller: call.caller,
      organizationId,
      region,
      service,
      resource: resource ?? null,
    });
    return sendJson(call, revision, result);
  }

  private async test({ call, path, id }: RouteCall) {
    const { revision, result, tested } = await this.tests.run(path, id);
    if (Object.keys(tested.discovered).length === 0) return sendJson(call, revision, result);
    const command = this.integrations.storeDiscovered(call.caller, path, id, tested);
    const stored = await this.unitOfWork.run(command).catch((error: unknown) => {
      // Another integration has the discovered name. The connection was tested nevertheless.
      if (error instanceof Failure && error.code === 'duplicate_name') return { revision };
      throw error;
    });
    return sendJson(call, stored.revision, result);
  }
}

/** Returns the body as an input for any provider. The schema of the operation has validated it. */
function parseInput({ operation }: Route, body: unknown): IntegrationInput & PullInput & PushInput {
  if (operation.body === undefined) throw new Error(`${operation.id} has no body.`);
  return parseBody(operation.body, body) as IntegrationInput & PullInput & PushInput;
}

function presentSync(row: SyncRow, call: Call) {
  return row.direction === 'pull' ? presentPull(row, call.links) : presentPush(row, call);
}

function syncOfTask({ provider, integrationId, direction, exchangeId }: IntegrationPath, { links }: Call): string {
  return syncLink(links, { provider, integration_id: integrationId, direction, id: exchangeId });
}

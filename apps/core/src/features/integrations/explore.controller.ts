import { Controller, Get, Param } from '@nestjs/common';
import { EnvironmentPushListQuery, ExploreQuery, NEWEST_FIRST, ParameterPushListQuery } from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';
import { pathId } from '../../platform/http/links.ts';
import { pageInMemory } from '../../platform/http/list-order.ts';
import { parseListQuery, presentListPage } from '../../platform/http/page.ts';
import { PointsInTime } from '../../platform/http/points-in-time.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { stepsOfQuery } from './filters.ts';
import { presentBrowsingRoot, presentStep } from './integrations.presenter.ts';
import { IntegrationsReader } from './integrations.reader.ts';
import { StoreExplorer } from './store-explorer.ts';

/** Browses the provider side of all integrations, and returns the results of their pushes for one object. */
@Controller()
export class ExploreController {
  constructor(
    private readonly reader: IntegrationsReader,
    private readonly moments: PointsInTime,
    private readonly explorer: StoreExplorer,
  ) {}

  @Get('integrations/explore')
  @Requires('read')
  async explore(@CurrentCall() call: Call) {
    const query = parseListQuery(ExploreQuery, call);
    const { organizationId } = call.caller;
    if (query.fqn !== undefined) {
      const nodes = await this.explorer.list(call.caller, query.fqn, query.jmes ?? '');
      const rows = nodes.map((node) => ({ ...node, id: node.node_type }));
      const page = pageInMemory(rows, query, ({ fqn, id }) => [fqn, id]);
      const { revision } = call.caller;
      const listed = { revision, ...page };
      return sendJson(
        call,
        revision,
        presentListPage(call, query, listed, ({ id: _, ...node }) => node, ['fqn', 'id']),
      );
    }
    const result = await this.reader.roots(organizationId, query);
    return sendJson(call, result.revision, presentListPage(call, query, result, presentBrowsingRoot, ['fqn', 'id']));
  }

  @Get('environments/:environment/pushes')
  @Requires('read')
  async ofEnvironment(@CurrentCall() call: Call, @Param('environment') environment: string) {
    const query = parseListQuery(EnvironmentPushListQuery, call);
    const id = pathId('Environment', environment);
    const { organizationId } = call.caller;
    await this.reader.assertExists('Environment', 'select from environment where organization_id = $1 and id = $2', [
      organizationId,
      id,
    ]);
    const result = await this.reader.listSteps(call.caller, stepsOfQuery(query, 'environment', id));
    const page = presentListPage(call, query, result, (row) => presentStep(row, call.links), NEWEST_FIRST);
    return sendJson(call, result.revision, page);
  }

  @Get('projects/:project/parameters/:parameter/pushes')
  @Requires('read')
  async ofParameter(
    @CurrentCall() call: Call,
    @Param('project') project: string,
    @Param('parameter') parameter: string,
  ) {
    const query = parseListQuery(ParameterPushListQuery, call);
    const id = pathId('Parameter', parameter);
    const { organizationId } = call.caller;
    await this.moments.of(call.caller, query);
    await this.reader.assertExists(
      'Parameter',
      'select from parameter where organization_id = $1 and project_id = $2 and id = $3',
      [organizationId, pathId('Project', project), id],
    );
    const result = await this.reader.listSteps(call.caller, stepsOfQuery(query, 'parameter', id));
    const page = presentListPage(call, query, result, (row) => presentStep(row, call.links), NEWEST_FIRST);
    return sendJson(call, result.revision, page);
  }
}

import { Args, Context, ID, Query, Resolver } from '@nestjs/graphql';
import { isUuid } from '@strata/domain';
import type { GatewayContext } from './context.ts';
import { toEnvironment } from './environments/environment.type.ts';
import { Node, readNodeId } from './node.ts';
import { toParameter } from './parameters/parameter.type.ts';
import { toProject } from './projects/project.type.ts';
import { toWebhook } from './webhooks/webhook.type.ts';

@Resolver(() => Node)
export class NodeResolver {
  @Query(() => Node, {
    nullable: true,
    description:
      'The object with this `nodeId`; null when there is none for the caller. Environments and projects are found by `id` too.',
  })
  async node(
    @Args('id', { type: () => ID, description: 'A `nodeId`.' }) id: string,
    @Context() { loaders }: GatewayContext,
  ) {
    if (isUuid(id)) {
      const [environment, project] = await Promise.all([loaders.environment.load(id), loaders.project.load(id)]);
      return (environment && toEnvironment(environment)) ?? (project && toProject(project));
    }
    const { type, path } = readNodeId(id);
    const [first = '', second = ''] = path;
    switch (type) {
      case 'Environment':
        return loaders.environment.load(first).then((row) => row && toEnvironment(row));
      case 'Project':
        return loaders.project.load(first).then((row) => row && toProject(row));
      case 'Webhook':
        return loaders.webhook.load(first).then((row) => row && toWebhook(row));
      case 'Parameter': {
        const row = await loaders.parameter.load({ projectId: first, parameterId: second });
        return row && toParameter(row, { projectId: first });
      }
    }
  }
}

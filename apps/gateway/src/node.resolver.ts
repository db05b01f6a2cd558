import { Args, Context, ID, Query, Resolver } from '@nestjs/graphql';
import { isUuid } from '@strata/domain';
import type { GatewayContext } from './context.ts';
import { badInput } from './errors.ts';
import { placeholdersOf } from './graphql/operations.ts';
import { resourceOf } from './graphql/resource.ts';
import { Node, readNodeId } from './node.ts';

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
      const found = await Promise.all(['Environment', 'Project'].map((type) => resourceOf(type)?.load(loaders, [id])));
      return found.find((each) => each) ?? null;
    }
    const { type, path } = readNodeId(id);
    const resource = resourceOf(type);
    if (placeholdersOf(resource?.list ?? '').length + 1 !== path.length || !resource)
      throw badInput('`id` is not a nodeId.');
    return resource.load(loaders, path);
  }
}

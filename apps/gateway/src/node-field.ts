import { isUuid } from '@strata/domain';
import { GraphQLID, GraphQLNonNull } from 'graphql';
import type { GatewayContext } from './context.ts';
import { badInputError } from './errors.ts';
import { readNodeId } from './node.ts';
import type { Assembly } from './schema/assembly.ts';
import { nodeInterface } from './schema/object-type.ts';
import { listPlaceholders } from './schema/operations.ts';
import { field } from './schema/schema-build.ts';
import type { SchemaPart } from './schema/schema-part.ts';

export const NODE_PART: SchemaPart = { extend: addNode };

function addNode(assembly: Assembly): void {
  assembly.build.add('Query', {
    node: field<unknown, { readonly id: string }>({
      type: nodeInterface(assembly.build),
      description:
        'Returns the object with this `nodeId` (global id); null if it does not exist or the caller cannot access it. For environments and projects, `node` accepts the `id` too. The `id` of other types does not identify the type.',
      args: {
        id: {
          type: new GraphQLNonNull(GraphQLID),
          description: 'A `nodeId`, or the `id` of an environment or a project.',
        },
      },
      resolve: async (_source, { id }, { loaders }: GatewayContext) => {
        if (isUuid(id)) {
          const load = (type: string) => assembly.positionOf(type)?.load(loaders, [id]);
          const objects = await Promise.all(['Environment', 'Project'].map(load));
          return objects.find((object) => object) ?? null;
        }
        const { type, path } = readNodeId(id);
        const nounPosition = assembly.positionOf(type);
        if (!nounPosition || listPlaceholders(nounPosition.list).length + 1 !== path.length)
          throw badInputError('`id` is not a nodeId.');
        return nounPosition.load(loaders, path);
      },
    }),
  });
}

import { EffectiveQuery, Effective as EffectiveSchema } from '@strata/contract';
import { GraphQLID, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import type { GatewayContext } from '../context.ts';
import { nullIfNotFound } from '../core.ts';
import type { Assembly } from '../schema/assembly.ts';
import { declareObject, type MemberOverrides, type ObjectSource } from '../schema/object-type.ts';
import { fillPath } from '../schema/operations.ts';
import { idArgs, queryArgs } from '../schema/query-args.ts';
import { type FieldArgs, field, type SchemaBuild } from '../schema/schema-build.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

/** The values of a configuration as a map. `addEntries` adds them as a list. */
export const VALUES_AS_MAP: MemberOverrides = {
  as: 'map',
  kind: { is: 'map' },
  about: 'All texts as one JSON object, keyed by name.',
};

export const EFFECTIVE_PART: SchemaPart = {
  objects: [
    declareObject({
      name: 'EffectiveConfiguration',
      of: EffectiveSchema,
      members: { values: VALUES_AS_MAP },
      linked: [
        { name: 'project', to: 'Project', about: 'The project.', ids: (row) => [row.project_id] },
        { name: 'environment', to: 'Environment', about: 'The environment.', ids: (row) => [row.environment_id] },
      ],
    }),
  ],
  extend: addEffective,
};

type EffectiveArgs = FieldArgs & { readonly projectId: string; readonly environmentId: string };

function addEffective(assembly: Assembly): void {
  const { build } = assembly;
  const args = queryArgs(build, EffectiveQuery, { without: ['environment', 'wait'] });
  const shape = assembly.shapeNamed('EffectiveConfiguration');
  build.add('Query', {
    effective: field<unknown, EffectiveArgs>({
      type: shape.type,
      description: 'The configuration of a project in an environment; null if the caller cannot access either of them.',
      args: {
        ...idArgs(build, ['projectId']),
        environmentId: { type: new GraphQLNonNull(GraphQLID), description: 'Id or name of the environment.' },
        ...args.config,
      },
      reaches: ['projects_effective_retrieve'],
      resolve: async (_source, variables, { core }: GatewayContext) => {
        const query = { ...args.query(variables), environment: variables.environmentId };
        const response = await nullIfNotFound(
          core.get<EffectiveSchema>(fillPath('projects/{projectId}/effective/', variables), query),
        );
        return response && shape.toSource(response.body);
      },
    }),
  });
  addEntries(build, shape.name);
}

/** Adds the values of a configuration as a list, so that clients need not accept any name as a member of an object. */
export function addEntries(build: SchemaBuild, type: string): void {
  const entry = build.once(
    'EffectiveEntry',
    () =>
      new GraphQLObjectType({
        name: 'EffectiveEntry',
        description: 'A parameter name and its effective text.',
        fields: {
          name: { type: new GraphQLNonNull(GraphQLString), description: 'Name of the parameter.' },
          value: {
            type: GraphQLString,
            description: 'The effective text; `*****` for a secret that was not revealed.',
          },
        },
      }),
  );
  build.add(type, {
    values: field<ObjectSource<Pick<EffectiveSchema, 'values'>>>({
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(entry))),
      description: 'The texts as a list of names and values.',
      resolve: ({ row }) => Object.entries(row.values).map(([name, value]) => ({ name, value })),
    }),
  });
}

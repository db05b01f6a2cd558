import { Args, Context, Field, ID, ObjectType, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { EffectiveQuery, Effective as EffectiveSchema } from '@strata/contract';
import type { GatewayContext } from '../context.ts';
import { orNull } from '../core.ts';
import { Environment } from '../environments/environments.ts';
import { argsOf } from '../graphql/args.ts';
import { filled } from '../graphql/operations.ts';
import { resourceOf } from '../graphql/resource.ts';
import { type Presented, shape } from '../graphql/shape.ts';
import { Project } from '../projects/projects.ts';

@ObjectType({ description: 'A name and the text that applies.' })
export class EffectiveEntry {
  @Field(() => String, { description: 'Name of the parameter.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'The text; `*****` for a secret that was not revealed.' })
  value!: string | null;
}

const EffectiveConfiguration = shape(
  'EffectiveConfiguration',
  'Everything that one project needs to know in one environment.',
  EffectiveSchema,
  {
    project_id: 'Id of the project.',
    project_name: 'Name of the project.',
    environment_id: 'Id of the environment.',
    environment_name: 'Name of the environment.',
    revision: 'Revision of the organization that was read.',
    digest: 'Equal values have equal digests.',
    has_secret: 'Whether any of it is secret.',
    values: { about: 'Names to texts, in one piece.', as: 'map', kind: { is: 'map' } },
  },
);

const args = argsOf(EffectiveQuery, {
  ids: ['projectId'],
  without: ['environment'],
  more: [{ name: 'environmentId', type: () => ID, about: 'The environment: its id or its name.' }],
});

@Resolver(() => EffectiveConfiguration.type)
export class EffectiveResolver {
  @Query(() => EffectiveConfiguration.type, {
    nullable: true,
    description: 'The configuration of a project in an environment; null when either is not there for the caller.',
  })
  async effective(
    @Args({ type: () => args.type }) given: { readonly projectId: string; readonly environmentId: string },
    @Context() { core }: GatewayContext,
  ) {
    const query = { ...args.query(given), environment: given.environmentId };
    const found = await orNull(
      core.get<EffectiveSchema>(filled('projects/{projectId}/effective/', { ...given }), query),
    );
    return found && EffectiveConfiguration.present(found.body);
  }

  @ResolveField(() => [EffectiveEntry], { description: 'Names and texts, one by one.' })
  values(@Parent() { row }: Presented<EffectiveSchema>): EffectiveEntry[] {
    return Object.entries(row.values).map(([name, value]) => ({ name, value }));
  }

  @ResolveField(() => Project.type, { nullable: true, description: 'The project.' })
  project(@Parent() { row }: Presented<EffectiveSchema>, @Context() { loaders }: GatewayContext) {
    return resourceOf('Project')?.load(loaders, [row.project_id]);
  }

  @ResolveField(() => Environment.type, { nullable: true, description: 'The environment.' })
  environment(@Parent() { row }: Presented<EffectiveSchema>, @Context() { loaders }: GatewayContext) {
    return resourceOf('Environment')?.load(loaders, [row.environment_id]);
  }
}

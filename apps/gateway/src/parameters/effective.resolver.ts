import { Args, Context, Field, ID, Int, ObjectType, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { Effective as EffectiveRow } from '@strata/contract';
import { type GatewayContext, orNull } from '../context.ts';
import { Environment, toEnvironment } from '../environments/environment.type.ts';
import { segment } from '../graphql/body.ts';
import { TextMap } from '../graphql/scalars.ts';
import { Project, toProject } from '../projects/project.type.ts';

@ObjectType({ description: 'A name and the text that applies.' })
export class EffectiveEntry {
  @Field(() => String, { description: 'Name of the parameter.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'The text; `*****` for a secret that was not revealed.' })
  value!: string | null;
}

@ObjectType({ description: 'Everything that one project needs to know in one environment.' })
export class EffectiveConfiguration {
  @Field(() => ID, { description: 'Id of the project.' })
  projectId!: string;

  @Field(() => String, { description: 'Name of the project.' })
  projectName!: string;

  @Field(() => ID, { description: 'Id of the environment.' })
  environmentId!: string;

  @Field(() => String, { description: 'Name of the environment.' })
  environmentName!: string;

  @Field(() => Int, { description: 'Revision of the organization that was read.' })
  revision!: number;

  @Field(() => String, { description: 'Equal values have equal digests.' })
  digest!: string;

  @Field(() => Boolean, { description: 'Whether any of it is secret.' })
  hasSecret!: boolean;

  @Field(() => TextMap, { description: 'Names to texts, in one piece.' })
  map!: Record<string, string | null>;
}

@Resolver(() => EffectiveConfiguration)
export class EffectiveResolver {
  @Query(() => EffectiveConfiguration, {
    nullable: true,
    description: 'The configuration of a project in an environment; null when either is not there for the caller.',
  })
  async effective(
    @Args('projectId', { type: () => ID, description: 'The project.' }) projectId: string,
    @Args('environmentId', { type: () => ID, description: 'The environment: its id or its name.' })
    environmentId: string,
    @Args('reveal', { type: () => Boolean, defaultValue: false, description: 'Show secrets instead of `*****`.' })
    reveal: boolean,
    @Context() { core }: GatewayContext,
  ) {
    const path = `projects/${segment(projectId)}/effective/`;
    const answer = await orNull(core.get<EffectiveRow>(path, { environment: environmentId, mask_secrets: !reveal }));
    if (!answer) return null;
    const { body } = answer;
    return {
      projectId: body.project_id,
      projectName: body.project_name,
      environmentId: body.environment_id,
      environmentName: body.environment_name,
      revision: body.revision,
      digest: body.digest,
      hasSecret: body.has_secret,
      map: body.values,
    };
  }

  @ResolveField(() => [EffectiveEntry], { description: 'Names and texts, one by one.' })
  values(@Parent() { map }: EffectiveConfiguration) {
    return Object.entries(map).map(([name, value]) => ({ name, value }));
  }

  @ResolveField(() => Project, { nullable: true, description: 'The project.' })
  async project(@Parent() { projectId }: EffectiveConfiguration, @Context() { loaders }: GatewayContext) {
    const row = await loaders.project.load(projectId);
    return row && toProject(row);
  }

  @ResolveField(() => Environment, { nullable: true, description: 'The environment.' })
  async environment(@Parent() { environmentId }: EffectiveConfiguration, @Context() { loaders }: GatewayContext) {
    const row = await loaders.environment.load(environmentId);
    return row && toEnvironment(row);
  }
}

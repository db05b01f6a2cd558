import { Args, Context, ID, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { Page, Parameter as ParameterRow } from '@strata/contract';
import type { GatewayContext } from '../context.ts';
import { bodyOf, segment } from '../graphql/body.ts';
import { connectionFrom, windowOf } from '../graphql/connection.ts';
import { DeleteResult } from '../graphql/deleted.ts';
import { onlyValue } from '../loaders.ts';
import { attempt } from '../problems.ts';
import { Project, toProject } from '../projects/project.type.ts';
import { toValue, Value } from '../values/value.type.ts';
import { ExpectedVersion, writeVersion } from '../version.ts';
import {
  CreateParameterInput,
  Parameter,
  ParameterConnection,
  ParameterResult,
  toParameter,
  UpdateParameterInput,
} from './parameter.type.ts';
import { ParametersArgs } from './parameters.args.ts';

@Resolver(() => Project)
export class ProjectParametersResolver {
  @ResolveField(() => ParameterConnection, {
    description: 'The parameters of the project, inherited ones included, by name.',
  })
  async parameters(@Parent() { id }: Project, @Args() args: ParametersArgs, @Context() { core }: GatewayContext) {
    const window = windowOf(args);
    const { environment, reveal } = args;
    const { body, revision } = await core.get<Page<ParameterRow>>(`projects/${segment(id)}/parameters/`, {
      page: window.page,
      page_size: window.page_size,
      name: args.name,
      name__icontains: args.nameContains,
      secret: args.secret,
      immediate_parameters: args.ownOnly || undefined,
      ...(environment ? { environment, mask_secrets: !reveal } : { values: false }),
    });
    return connectionFrom(window, body, revision, (row) =>
      toParameter(row, {
        projectId: id,
        reveal,
        ...(environment && { environment, effective: onlyValue(row) }),
      }),
    );
  }
}

@Resolver(() => Parameter)
export class ParametersResolver {
  @Query(() => Parameter, { nullable: true, description: 'One parameter; null when there is none for the caller.' })
  async parameter(
    @Args('projectId', { type: () => ID, description: 'The project to look from.' }) projectId: string,
    @Args('id', { type: () => ID, description: 'Its id.' }) id: string,
    @Context() { loaders }: GatewayContext,
  ) {
    const row = await loaders.parameter.load({ projectId, parameterId: id });
    return row && toParameter(row, { projectId });
  }

  @ResolveField(() => Project, { nullable: true, description: 'The project that owns it.' })
  async project(@Parent() { projectId }: Parameter, @Context() { loaders }: GatewayContext) {
    const row = await loaders.project.load(projectId);
    return row && toProject(row);
  }

  @ResolveField(() => Value, {
    nullable: true,
    description: 'The value that applies in an environment; null when there is none, neither set nor inherited.',
  })
  async effective(
    @Parent() { id, view }: Parameter,
    @Args('environment', {
      type: () => String,
      nullable: true,
      description: 'Name or id; the environment of the surrounding list, else `default`.',
    })
    asked: string | null,
    @Args('reveal', {
      type: () => Boolean,
      nullable: true,
      description: 'Show the text of a secret instead of `*****`; as in the surrounding list when left out.',
    })
    shown: boolean | null,
    @Context() { loaders }: GatewayContext,
  ) {
    const environment = asked ?? view.environment ?? 'default';
    const reveal = shown ?? view.reveal ?? false;
    const cameAlong = view.effective !== undefined && environment === view.environment && reveal === view.reveal;
    const row = cameAlong
      ? view.effective
      : await loaders.effective.load({ projectId: view.projectId, parameterId: id, environment, reveal });
    return row && toValue(row);
  }

  @ResolveField(() => [Value], { description: 'The values set on this parameter itself, by name of environment.' })
  async values(
    @Parent() { id, projectId, view }: Parameter,
    @Args('reveal', {
      type: () => Boolean,
      nullable: true,
      description: 'Show the texts of a secret instead of `*****`; as in the surrounding list when left out.',
    })
    shown: boolean | null,
    @Context() { loaders }: GatewayContext,
  ) {
    const reveal = shown ?? view.reveal ?? false;
    const rows = await loaders.explicit.load({ projectId, parameterId: id, reveal });
    return rows.map(toValue);
  }

  @Mutation(() => ParameterResult, { description: 'Makes a parameter, without any value yet.' })
  createParameter(
    @Args('input', { description: 'The new parameter.' }) input: CreateParameterInput,
    @Context() { core }: GatewayContext,
  ) {
    const { projectId, name, description, secret, type } = input;
    return attempt('ParameterSaved', async () => {
      const path = `projects/${segment(projectId)}/parameters/`;
      const body = bodyOf({ name, description, secret, type });
      const { body: row, revision } = await core.send<ParameterRow>('POST', path, body);
      return { parameter: toParameter(row, { projectId }), revision };
    });
  }

  @Mutation(() => ParameterResult, { description: 'Changes a parameter.' })
  updateParameter(
    @Args('projectId', { type: () => ID, description: 'The project that owns it.' }) projectId: string,
    @Args('id', { type: () => ID, description: 'Its id.' }) id: string,
    @Args('input', { description: 'What shall change.' }) input: UpdateParameterInput,
    @Args() { expectedLedgerId }: ExpectedVersion,
    @Context() { core }: GatewayContext,
  ) {
    return attempt('ParameterSaved', async () => {
      const path = pathOf(projectId, id);
      const { body: row, revision } = await writeVersion<ParameterRow>(
        core,
        'PATCH',
        path,
        bodyOf({ ...input }),
        expectedLedgerId,
      );
      return { parameter: toParameter(row, { projectId }), revision };
    });
  }

  @Mutation(() => DeleteResult, { description: 'Deletes a parameter that nothing refers to, with its values.' })
  deleteParameter(
    @Args('projectId', { type: () => ID, description: 'The project that owns it.' }) projectId: string,
    @Args('id', { type: () => ID, description: 'Its id.' }) id: string,
    @Args() { expectedLedgerId }: ExpectedVersion,
    @Context() { core }: GatewayContext,
  ) {
    return attempt('Deleted', async () => {
      const { revision } = await writeVersion(core, 'DELETE', pathOf(projectId, id), undefined, expectedLedgerId);
      return { id, revision };
    });
  }
}

function pathOf(projectId: string, id: string): string {
  return `projects/${segment(projectId)}/parameters/${segment(id)}/`;
}

import { Args, Context, ID, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { Environment as EnvironmentRow, Page } from '@strata/contract';
import type { GatewayContext } from '../context.ts';
import { bodyOf, segment } from '../graphql/body.ts';
import { connectionFrom, PageArgs, windowOf } from '../graphql/connection.ts';
import { DeleteResult } from '../graphql/deleted.ts';
import { attempt } from '../problems.ts';
import { ExpectedVersion, writeVersion } from '../version.ts';
import {
  CreateEnvironmentInput,
  Environment,
  EnvironmentConnection,
  EnvironmentResult,
  toEnvironment,
  UpdateEnvironmentInput,
} from './environment.type.ts';

@Resolver(() => Environment)
export class EnvironmentsResolver {
  @Query(() => EnvironmentConnection, { description: 'The environments of the organization, by name.' })
  async environments(
    @Args() page: PageArgs,
    @Args('name', { type: () => String, nullable: true, description: 'Exactly this name.' }) name: string | null,
    @Args('nameContains', { type: () => String, nullable: true, description: 'Part of the name, letter case ignored.' })
    nameContains: string | null,
    @Context() { core }: GatewayContext,
  ) {
    const window = windowOf(page);
    const { body, revision } = await core.get<Page<EnvironmentRow>>('environments/', {
      page: window.page,
      page_size: window.page_size,
      name,
      name__icontains: nameContains,
    });
    return connectionFrom(window, body, revision, toEnvironment);
  }

  @Query(() => Environment, { nullable: true, description: 'One environment; null when there is none for the caller.' })
  async environment(
    @Args('id', { type: () => ID, description: 'Its id.' }) id: string,
    @Context() { loaders }: GatewayContext,
  ) {
    const row = await loaders.environment.load(id);
    return row && toEnvironment(row);
  }

  @ResolveField(() => Environment, { nullable: true, description: 'The environment it inherits from.' })
  async parent(@Parent() { parentId }: Environment, @Context() { loaders }: GatewayContext) {
    const row = parentId === null ? null : await loaders.environment.load(parentId);
    return row && toEnvironment(row);
  }

  @ResolveField(() => [Environment], { description: 'The environments that inherit from it directly, by name.' })
  async children(@Parent() { childIds }: Environment, @Context() { loaders }: GatewayContext) {
    const rows = await Promise.all(childIds.map((id) => loaders.environment.load(id)));
    return rows.flatMap((row) => (row ? [toEnvironment(row)] : []));
  }

  @Mutation(() => EnvironmentResult, { description: 'Makes an environment.' })
  createEnvironment(
    @Args('input', { description: 'The new environment.' }) input: CreateEnvironmentInput,
    @Context() { core }: GatewayContext,
  ) {
    const body = bodyOf({ name: input.name, description: input.description, parent: input.parentId });
    return attempt('EnvironmentSaved', async () => {
      const { body: row, revision } = await core.send<EnvironmentRow>('POST', 'environments/', body);
      return { environment: toEnvironment(row), revision };
    });
  }

  @Mutation(() => EnvironmentResult, { description: 'Changes an environment.' })
  updateEnvironment(
    @Args('id', { type: () => ID, description: 'Its id.' }) id: string,
    @Args('input', { description: 'What shall change.' }) input: UpdateEnvironmentInput,
    @Args() { expectedLedgerId }: ExpectedVersion,
    @Context() { core }: GatewayContext,
  ) {
    const body = bodyOf({
      name: input.name,
      description: input.description,
      parent: input.parentId,
      access_controlled: input.accessControlled,
    });
    return attempt('EnvironmentSaved', async () => {
      const path = `environments/${segment(id)}/`;
      const { body: row, revision } = await writeVersion<EnvironmentRow>(core, 'PATCH', path, body, expectedLedgerId);
      return { environment: toEnvironment(row), revision };
    });
  }

  @Mutation(() => DeleteResult, {
    description: 'Deletes an environment that has no children, and the values set in it.',
  })
  deleteEnvironment(
    @Args('id', { type: () => ID, description: 'Its id.' }) id: string,
    @Args() { expectedLedgerId }: ExpectedVersion,
    @Context() { core }: GatewayContext,
  ) {
    return attempt('Deleted', async () => {
      const { revision } = await writeVersion(
        core,
        'DELETE',
        `environments/${segment(id)}/`,
        undefined,
        expectedLedgerId,
      );
      return { id, revision };
    });
  }
}

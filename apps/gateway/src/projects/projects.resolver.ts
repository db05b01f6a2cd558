import { Args, Context, ID, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { Page, Project as ProjectRow } from '@strata/contract';
import type { GatewayContext } from '../context.ts';
import { bodyOf, segment } from '../graphql/body.ts';
import { connectionFrom, PageArgs, windowOf } from '../graphql/connection.ts';
import { DeleteResult } from '../graphql/deleted.ts';
import { attempt } from '../problems.ts';
import { ExpectedVersion, writeVersion } from '../version.ts';
import {
  CreateProjectInput,
  Project,
  ProjectConnection,
  ProjectResult,
  toProject,
  UpdateProjectInput,
} from './project.type.ts';

@Resolver(() => Project)
export class ProjectsResolver {
  @Query(() => ProjectConnection, { description: 'The projects of the organization, by name.' })
  async projects(
    @Args() page: PageArgs,
    @Args('name', { type: () => String, nullable: true, description: 'Exactly this name.' }) name: string | null,
    @Args('nameContains', { type: () => String, nullable: true, description: 'Part of the name, letter case ignored.' })
    nameContains: string | null,
    @Context() { core }: GatewayContext,
  ) {
    const window = windowOf(page);
    const { body, revision } = await core.get<Page<ProjectRow>>('projects/', {
      page: window.page,
      page_size: window.page_size,
      name,
      name__icontains: nameContains,
    });
    return connectionFrom(window, body, revision, toProject);
  }

  @Query(() => Project, { nullable: true, description: 'One project; null when there is none for the caller.' })
  async project(
    @Args('id', { type: () => ID, description: 'Its id.' }) id: string,
    @Context() { loaders }: GatewayContext,
  ) {
    const row = await loaders.project.load(id);
    return row && toProject(row);
  }

  @ResolveField(() => Project, { nullable: true, description: 'The project it inherits from.' })
  async dependsOn(@Parent() { dependsOnId }: Project, @Context() { loaders }: GatewayContext) {
    const row = dependsOnId === null ? null : await loaders.project.load(dependsOnId);
    return row && toProject(row);
  }

  @ResolveField(() => [Project], { description: 'The projects that inherit from it directly, by name.' })
  async dependents(@Parent() { dependentIds }: Project, @Context() { loaders }: GatewayContext) {
    const rows = await Promise.all(dependentIds.map((id) => loaders.project.load(id)));
    return rows.flatMap((row) => (row ? [toProject(row)] : []));
  }

  @Mutation(() => ProjectResult, { description: 'Makes a project.' })
  createProject(
    @Args('input', { description: 'The new project.' }) input: CreateProjectInput,
    @Context() { core }: GatewayContext,
  ) {
    const body = bodyOf({
      name: input.name,
      description: input.description,
      parameter_name_pattern: input.parameterNamePattern,
      depends_on: input.dependsOnId,
    });
    return attempt('ProjectSaved', async () => {
      const { body: row, revision } = await core.send<ProjectRow>('POST', 'projects/', body);
      return { project: toProject(row), revision };
    });
  }

  @Mutation(() => ProjectResult, { description: 'Changes a project.' })
  updateProject(
    @Args('id', { type: () => ID, description: 'Its id.' }) id: string,
    @Args('input', { description: 'What shall change.' }) input: UpdateProjectInput,
    @Args() { expectedLedgerId }: ExpectedVersion,
    @Context() { core }: GatewayContext,
  ) {
    const body = bodyOf(
      {
        name: input.name,
        description: input.description,
        parameter_name_pattern: input.parameterNamePattern,
        depends_on: input.dependsOnId,
        access_controlled: input.accessControlled,
      },
      ['depends_on'],
    );
    return attempt('ProjectSaved', async () => {
      const path = `projects/${segment(id)}/`;
      const { body: row, revision } = await writeVersion<ProjectRow>(core, 'PATCH', path, body, expectedLedgerId);
      return { project: toProject(row), revision };
    });
  }

  @Mutation(() => DeleteResult, { description: 'Deletes a project that no other depends on, with all its parameters.' })
  deleteProject(
    @Args('id', { type: () => ID, description: 'Its id.' }) id: string,
    @Args() { expectedLedgerId }: ExpectedVersion,
    @Context() { core }: GatewayContext,
  ) {
    return attempt('Deleted', async () => {
      const { revision } = await writeVersion(core, 'DELETE', `projects/${segment(id)}/`, undefined, expectedLedgerId);
      return { id, revision };
    });
  }
}

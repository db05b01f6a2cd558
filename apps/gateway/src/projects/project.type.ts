import { Field, ID, InputType, Int, ObjectType } from '@nestjs/graphql';
import type { Project as ProjectRow } from '@strata/contract';
import { connectionOf } from '../graphql/connection.ts';
import { Role } from '../graphql/enums.ts';
import { DateTime } from '../graphql/scalars.ts';
import { idOf, Node, nodeIdOf } from '../node.ts';
import { resultOf } from '../problems.ts';

@ObjectType({
  implements: () => [Node],
  description:
    'A set of parameters, usually of one program. A project may depend on another and inherits its parameters.',
})
export class Project extends Node {
  @Field(() => String, { description: 'Unique in the organization.' })
  name!: string;

  @Field(() => String, { description: 'What it is for; may be empty.' })
  description!: string;

  @Field(() => String, {
    description: 'Pattern that names of new parameters must match from their start; empty for any.',
  })
  parameterNamePattern!: string;

  @Field(() => ID, { nullable: true, description: 'Id of the project it inherits from.' })
  dependsOnId!: string | null;

  @Field(() => Boolean, { description: 'Whether only those with a grant have access.' })
  accessControlled!: boolean;

  @Field(() => Role, { nullable: true, description: "The caller's role here, where access is controlled." })
  role!: keyof typeof Role | null;

  @Field(() => ID, { description: 'Changes with every modification.' })
  ledgerId!: string;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: string;

  @Field(() => DateTime, { nullable: true, description: 'When it was last changed.' })
  modifiedAt!: string | null;

  dependentIds!: readonly string[];
}

export function toProject(row: ProjectRow) {
  return {
    __typename: 'Project' as const,
    id: row.id,
    nodeId: nodeIdOf('Project', row.id),
    name: row.name,
    description: row.description,
    parameterNamePattern: row.parameter_name_pattern,
    dependsOnId: row.depends_on === null ? null : idOf(row.depends_on),
    accessControlled: row.access_controlled,
    role: row.role,
    ledgerId: row.ledger_id,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    dependentIds: row.dependents.map(idOf),
  };
}

export const ProjectConnection = connectionOf(() => Project, 'Project');

@InputType({ description: 'A new project.' })
export class CreateProjectInput {
  @Field(() => String, { description: 'Unique in the organization, at most 256 characters.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'What it is for.' })
  description?: string | null;

  @Field(() => String, { nullable: true, description: 'Pattern that names of new parameters must match.' })
  parameterNamePattern?: string | null;

  @Field(() => ID, { nullable: true, description: 'The project to inherit from.' })
  dependsOnId?: string | null;
}

@InputType({ description: 'Changes of a project; what is left out stays.' })
export class UpdateProjectInput {
  @Field(() => String, { nullable: true, description: 'New name.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'New description.' })
  description?: string | null;

  @Field(() => String, { nullable: true, description: 'New pattern for names of parameters; existing ones stay.' })
  parameterNamePattern?: string | null;

  @Field(() => ID, { nullable: true, description: 'New project to inherit from; null for none.' })
  dependsOnId?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether only those with a grant shall have access.' })
  accessControlled?: boolean | null;
}

@ObjectType({ description: 'The project as it is now.' })
export class ProjectSaved {
  @Field(() => Project, { description: 'The project.' })
  project!: Project;

  @Field(() => Int, { nullable: true, description: 'Revision of the organization after this write.' })
  revision!: number | null;
}

export const ProjectResult = resultOf('ProjectResult', ProjectSaved, 'What became of a write of a project.');

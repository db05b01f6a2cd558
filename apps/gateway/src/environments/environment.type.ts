import { Field, ID, InputType, Int, ObjectType } from '@nestjs/graphql';
import type { Environment as EnvironmentRow } from '@strata/contract';
import { connectionOf } from '../graphql/connection.ts';
import { Role } from '../graphql/enums.ts';
import { DateTime } from '../graphql/scalars.ts';
import { idOf, Node, nodeIdOf } from '../node.ts';
import { resultOf } from '../problems.ts';

@ObjectType({
  implements: () => [Node],
  description:
    'A place where configuration applies, such as production. Environments form one tree; values are inherited down it.',
})
export class Environment extends Node {
  @Field(() => String, { description: 'Unique in the organization.' })
  name!: string;

  @Field(() => String, { description: 'What it is for; may be empty.' })
  description!: string;

  @Field(() => ID, { nullable: true, description: 'Id of the environment it inherits from; null for `default` alone.' })
  parentId!: string | null;

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

  childIds!: readonly string[];
}

export function toEnvironment(row: EnvironmentRow) {
  return {
    __typename: 'Environment' as const,
    id: row.id,
    nodeId: nodeIdOf('Environment', row.id),
    name: row.name,
    description: row.description,
    parentId: row.parent === null ? null : idOf(row.parent),
    accessControlled: row.access_controlled,
    role: row.role,
    ledgerId: row.ledger_id,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    childIds: row.children.map(idOf),
  };
}

export const EnvironmentConnection = connectionOf(() => Environment, 'Environment');

@InputType({ description: 'A new environment.' })
export class CreateEnvironmentInput {
  @Field(() => String, { description: 'Unique in the organization, at most 256 characters.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'What it is for.' })
  description?: string | null;

  @Field(() => ID, { nullable: true, description: 'The environment to inherit from; `default` when left out.' })
  parentId?: string | null;
}

@InputType({ description: 'Changes of an environment; what is left out stays.' })
export class UpdateEnvironmentInput {
  @Field(() => String, { nullable: true, description: 'New name.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'New description.' })
  description?: string | null;

  @Field(() => ID, { nullable: true, description: 'New environment to inherit from.' })
  parentId?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether only those with a grant shall have access.' })
  accessControlled?: boolean | null;
}

@ObjectType({ description: 'The environment as it is now.' })
export class EnvironmentSaved {
  @Field(() => Environment, { description: 'The environment.' })
  environment!: Environment;

  @Field(() => Int, { nullable: true, description: 'Revision of the organization after this write.' })
  revision!: number | null;
}

export const EnvironmentResult = resultOf(
  'EnvironmentResult',
  EnvironmentSaved,
  'What became of a write of an environment.',
);

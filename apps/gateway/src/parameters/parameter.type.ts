import { Field, ID, InputType, Int, ObjectType } from '@nestjs/graphql';
import type { Parameter as ParameterRow, ParameterRule as RuleRow, Value as ValueRow } from '@strata/contract';
import { connectionOf } from '../graphql/connection.ts';
import { RuleKind } from '../graphql/enums.ts';
import { DateTime } from '../graphql/scalars.ts';
import { idOf, Node, nodeIdOf } from '../node.ts';
import { resultOf } from '../problems.ts';

@ObjectType({ description: 'A limit that values of a parameter must keep.' })
export class ParameterRule {
  @Field(() => ID, { description: 'The UUID of the rule.' })
  id!: string;

  @Field(() => RuleKind, { description: 'What it limits.' })
  type!: RuleRow['type'];

  @Field(() => String, { description: 'The limit as text.' })
  constraint!: string;
}

@ObjectType({
  implements: () => [Node],
  description: 'A named setting of a project. It has at most one value in each environment and inherits the others.',
})
export class Parameter extends Node {
  @Field(() => String, { description: 'Unique in its project.' })
  name!: string;

  @Field(() => String, { description: 'What it is for; may be empty.' })
  description!: string;

  @Field(() => Boolean, { description: 'Whether its values must not be shown; never changes.' })
  secret!: boolean;

  @Field(() => String, { description: 'Name of its type: string, integer, boolean or one of your own.' })
  type!: string;

  @Field(() => [ParameterRule], { description: 'Rules of this parameter itself; those of its type apply as well.' })
  rules!: readonly ParameterRule[];

  @Field(() => ID, { description: 'Id of the project that owns it; another one than asked for when it is inherited.' })
  projectId!: string;

  @Field(() => String, { description: 'Name of the project that owns it.' })
  projectName!: string;

  @Field(() => ID, { nullable: true, description: 'Id of the parameter of the same name that it hides, further up.' })
  overridesId!: string | null;

  @Field(() => ID, { description: 'Changes with every modification.' })
  ledgerId!: string;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: string;

  @Field(() => DateTime, { nullable: true, description: 'When it was last changed.' })
  modifiedAt!: string | null;

  view!: ParameterView;
}

/** How a parameter was reached: values look different from a project that inherits it. */
export interface ParameterView {
  /** The project that was asked. */
  readonly projectId: string;
  /** The environment and masking of the list it came from, for fields that do not say otherwise. */
  readonly environment?: string;
  readonly reveal?: boolean;
  /** The effective value that came along. */
  readonly effective?: ValueRow | null;
}

export function toParameter(row: ParameterRow, view: ParameterView) {
  const projectId = idOf(row.project);
  return {
    __typename: 'Parameter' as const,
    id: row.id,
    nodeId: nodeIdOf('Parameter', projectId, row.id),
    name: row.name,
    description: row.description,
    secret: row.secret,
    type: row.type,
    rules: row.rules.map(({ id, type, constraint }) => ({ id, type, constraint })),
    projectId,
    projectName: row.project_name,
    overridesId: row.overrides === null ? null : idOf(row.overrides),
    ledgerId: row.ledger_id,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    view,
  };
}

export const ParameterConnection = connectionOf(() => Parameter, 'Parameter');

@InputType({ description: 'A new parameter.' })
export class CreateParameterInput {
  @Field(() => ID, { description: 'The project that shall own it.' })
  projectId!: string;

  @Field(() => String, { description: 'Unique in the project, at most 256 characters.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'What it is for.' })
  description?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether its values must not be shown; fixed from then on.' })
  secret?: boolean | null;

  @Field(() => String, { nullable: true, description: 'Name of its type; string when left out.' })
  type?: string | null;
}

@InputType({ description: 'Changes of a parameter; what is left out stays.' })
export class UpdateParameterInput {
  @Field(() => String, { nullable: true, description: 'New name.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'New description.' })
  description?: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the new type; all its values must fit.' })
  type?: string | null;
}

@ObjectType({ description: 'The parameter as it is now.' })
export class ParameterSaved {
  @Field(() => Parameter, { description: 'The parameter.' })
  parameter!: Parameter;

  @Field(() => Int, { nullable: true, description: 'Revision of the organization after this write.' })
  revision!: number | null;
}

export const ParameterResult = resultOf('ParameterResult', ParameterSaved, 'What became of a write of a parameter.');

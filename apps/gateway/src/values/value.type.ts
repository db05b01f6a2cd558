import { Field, ID, InputType, Int, ObjectType } from '@nestjs/graphql';
import type { Value as ValueRow } from '@strata/contract';
import { DateTime } from '../graphql/scalars.ts';
import { idOf } from '../node.ts';
import { resultOf } from '../problems.ts';

@ObjectType({ description: 'The text of a parameter in one environment.' })
export class Value {
  @Field(() => ID, { description: 'The UUID of the value.' })
  id!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The text to use. Secrets read `*****` unless `reveal` was asked for; null is an explicit "nothing".',
  })
  value!: string | null;

  @Field(() => String, { nullable: true, description: 'The text as stored; null for secrets.' })
  internalValue!: string | null;

  @Field(() => Boolean, { description: 'Whether the text must not be shown.' })
  secret!: boolean;

  @Field(() => Boolean, { description: 'Whether references in the stored text are replaced.' })
  interpolated!: boolean;

  @Field(() => Boolean, { description: 'Whether `value` is the outcome of such a replacement.' })
  evaluated!: boolean;

  @Field(() => ID, { description: 'Id of the environment that the value is set in.' })
  environmentId!: string;

  @Field(() => String, { description: 'Name of the environment that the value is set in.' })
  environmentName!: string;

  @Field(() => ID, {
    description: 'Id of the environment that was asked for; another one when the value is inherited.',
  })
  activeEnvironmentId!: string;

  @Field(() => String, { description: 'Name of the environment that was asked for.' })
  activeEnvironmentName!: string;

  @Field(() => Boolean, { description: 'Whether the value comes from another environment than the one asked for.' })
  inherited!: boolean;

  @Field(() => ID, { description: 'Id of the parameter that the value is set on.' })
  parameterId!: string;

  @Field(() => ID, { description: 'Id of the project that the value is set in.' })
  projectId!: string;

  @Field(() => ID, { description: 'Changes with every modification.' })
  ledgerId!: string;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: string;

  @Field(() => DateTime, { nullable: true, description: 'When it was last changed.' })
  modifiedAt!: string | null;
}

export function toValue(row: ValueRow): Value {
  return {
    id: row.id,
    value: row.value,
    internalValue: row.internal_value,
    secret: row.secret,
    interpolated: row.interpolated,
    evaluated: row.evaluated,
    environmentId: row.environment_id,
    environmentName: row.environment_name,
    activeEnvironmentId: row.active_environment_id,
    activeEnvironmentName: row.active_environment_name,
    inherited: row.environment_id !== row.active_environment_id,
    parameterId: row.parameter_id,
    projectId: projectOf(row.parameter),
    ledgerId: row.ledger_id,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}

/** `…/projects/<this>/parameters/<id>/` */
function projectOf(parameterLink: string): string {
  return idOf(parameterLink.replace(/\/parameters\/[^/]+\/?$/, ''));
}

@InputType({ description: 'The value that a parameter shall have in one environment.' })
export class SetValueInput {
  @Field(() => ID, { description: 'The project that owns the parameter.' })
  projectId!: string;

  @Field(() => ID, { description: 'The parameter.' })
  parameterId!: string;

  @Field(() => ID, { description: 'The environment to set it in.' })
  environmentId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The text, at most 65536 characters; null is an explicit "nothing".',
  })
  value!: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether references in the text are replaced.' })
  interpolated?: boolean | null;
}

@ObjectType({ description: 'The value as it is now.' })
export class ValueSaved {
  @Field(() => Value, { description: 'The value; a secret is masked.' })
  value!: Value;

  @Field(() => Boolean, { description: 'Whether the parameter had no value in this environment before.' })
  created!: boolean;

  @Field(() => Int, { nullable: true, description: 'Revision of the organization after this write.' })
  revision!: number | null;
}

export const ValueResult = resultOf('ValueResult', ValueSaved, 'What became of a write of a value.');

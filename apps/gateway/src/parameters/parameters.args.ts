import { ArgsType, Field } from '@nestjs/graphql';
import { PageArgs } from '../graphql/connection.ts';

@ArgsType()
export class ParametersArgs extends PageArgs {
  @Field(() => String, {
    nullable: true,
    description: 'Name or id of the environment that `effective` of each row is about.',
  })
  environment?: string | null;

  @Field(() => Boolean, { defaultValue: false, description: 'Show the text of secrets instead of `*****`.' })
  reveal!: boolean;

  @Field(() => Boolean, { defaultValue: false, description: 'Leave out what is inherited from other projects.' })
  ownOnly!: boolean;

  @Field(() => String, { nullable: true, description: 'Exactly this name.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'Part of the name, letter case ignored.' })
  nameContains?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Only secret, or only other, parameters.' })
  secret?: boolean | null;
}

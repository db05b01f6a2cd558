import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { resultOf } from '../problems.ts';

@ObjectType({ description: 'The object is gone.' })
export class Deleted {
  @Field(() => ID, { description: 'The id it had.' })
  id!: string;

  @Field(() => Int, { nullable: true, description: 'Revision of the organization after this write.' })
  revision!: number | null;
}

export const DeleteResult = resultOf('DeleteResult', Deleted, 'What became of a deletion.');

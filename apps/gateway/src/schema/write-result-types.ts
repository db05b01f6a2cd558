import { GraphQLID, GraphQLInt, GraphQLNonNull, GraphQLObjectType, type GraphQLUnionType } from 'graphql';
import { splitWords, uncapitalize, withArticle } from './names.ts';
import type { ObjectShape } from './object-type.ts';
import { resultType } from './problem.ts';
import { field, type SchemaBuild } from './schema-build.ts';

/** The result of a write that returns an object of one shape. */
export interface WriteResultTypes {
  /** The name of the success type. */
  readonly name: string;
  /** The field with the object. */
  readonly field: string;
  /** The union of the success type and all problems. */
  readonly result: GraphQLUnionType;
}

export const revisionField = field({
  type: GraphQLInt,
  description: 'Revision of the organization after this write.',
});

/** Returns the success type and the union of a shape: `TagSaved` with `tag` and `revision`, and `TagResult`. */
export function writeResultTypes(build: SchemaBuild, shape: ObjectShape): WriteResultTypes {
  const { name } = shape;
  const { success, about } = SUCCESSES[name] ?? {
    success: `${name}Saved`,
    about: `The ${splitWords(name)} after the write.`,
  };
  const memberName = uncapitalize(name);
  const type = build.once(
    success,
    () =>
      new GraphQLObjectType({
        name: success,
        description: about,
        fields: () => ({
          [memberName]: field({ type: new GraphQLNonNull(shape.type), description: `The ${splitWords(name)}.` }),
          revision: revisionField,
        }),
      }),
  );
  const result = resultType(build, `${name}Result`, type, `The result of writing ${withArticle(splitWords(name))}.`);
  return { name: success, field: memberName, result };
}

/** Names the object of a success whose object cannot be changed. */
const SUCCESSES: Readonly<Record<string, { readonly success: string; readonly about: string }>> = {
  Delivery: { success: 'DeliveryMade', about: 'The message that was queued or sent.' },
};

/** Declares the result of a write without a response body. */
export function emptyResultType(build: SchemaBuild): WriteResultTypes {
  const doneType = build.once(
    'Done',
    () =>
      new GraphQLObjectType({
        name: 'Done',
        description: 'The write succeeded. It returns no data.',
        fields: { revision: revisionField },
      }),
  );
  const result = resultType(build, 'DoneResult', doneType, 'The result of an action that returns no data.');
  return { name: 'Done', field: '', result };
}

export function deleteResult(build: SchemaBuild): GraphQLUnionType {
  const deletionType = build.once(
    'Deleted',
    () =>
      new GraphQLObjectType({
        name: 'Deleted',
        description: 'The object was deleted.',
        fields: {
          id: field({ type: new GraphQLNonNull(GraphQLID), description: 'Id of the deleted object.' }),
          revision: revisionField,
        },
      }),
  );
  return resultType(build, 'DeleteResult', deletionType, 'The result of a deletion.');
}

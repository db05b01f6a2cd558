import { GraphQLID, GraphQLInt, GraphQLNonNull, GraphQLObjectType, type GraphQLUnionType } from 'graphql';
import { spaced, uncapitalized, withArticle } from './names.ts';
import type { ObjectShape } from './object-type.ts';
import { resultType } from './problem.ts';
import { field, type SchemaBuild } from './schema-build.ts';

/** What became of a write that answers with an object of one shape. */
export interface SavedType {
  /** Name of the success. */
  readonly name: string;
  /** The field that holds the object. */
  readonly field: string;
  /** The union of the success and every problem. */
  readonly result: GraphQLUnionType;
}

export const revisionField = field({
  type: GraphQLInt,
  description: 'Revision of the organization after this write.',
});

/** The one success and union of a shape: `TagSaved` with `tag` and `revision`, and `TagResult`. */
export function savedType(build: SchemaBuild, shape: ObjectShape): SavedType {
  const { name } = shape;
  const { success, about } = SUCCESSES[name] ?? {
    success: `${name}Saved`,
    about: `The ${spaced(name)} as it is now.`,
  };
  const held = uncapitalized(name);
  const type = build.once(
    success,
    () =>
      new GraphQLObjectType({
        name: success,
        description: about,
        fields: () => ({
          [held]: field({ type: new GraphQLNonNull(shape.type), description: `The ${spaced(name)}.` }),
          revision: revisionField,
        }),
      }),
  );
  const result = resultType(build, `${name}Result`, type, `What became of a write of ${withArticle(spaced(name))}.`);
  return { name: success, field: held, result };
}

/** Where what was written is not there to be changed. */
const SUCCESSES: Readonly<Record<string, { readonly success: string; readonly about: string }>> = {
  Delivery: { success: 'DeliveryMade', about: 'The message that was queued or sent.' },
};

/** What became of a write that answers with nothing. */
export function doneType(build: SchemaBuild): SavedType {
  const done = build.once(
    'Done',
    () =>
      new GraphQLObjectType({
        name: 'Done',
        description: 'It is done, and there is nothing more to say of it.',
        fields: { revision: revisionField },
      }),
  );
  const result = resultType(build, 'DoneResult', done, 'What became of a deed that answers with nothing.');
  return { name: 'Done', field: '', result };
}

export function deleteResult(build: SchemaBuild): GraphQLUnionType {
  const deleted = build.once(
    'Deleted',
    () =>
      new GraphQLObjectType({
        name: 'Deleted',
        description: 'The object is gone.',
        fields: {
          id: field({ type: new GraphQLNonNull(GraphQLID), description: 'The id it had.' }),
          revision: revisionField,
        },
      }),
  );
  return resultType(build, 'DeleteResult', deleted, 'What became of a deletion.');
}

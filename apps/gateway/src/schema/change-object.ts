import { GraphQLID, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import { field, type SchemaBuild, type SchemaFields } from './schema-build.ts';

/** The id and name of an object in a change. */
export const changeNames: SchemaFields = {
  id: field({ type: new GraphQLNonNull(GraphQLID), description: 'Its id.' }),
  name: field({ type: new GraphQLNonNull(GraphQLString), description: 'Its name at that time.' }),
};

export function changeObjectType(build: SchemaBuild): GraphQLObjectType {
  const name = 'ChangeObject';
  const description = 'An object, its kind, and the name it had when the change was made.';
  const type = field({ type: new GraphQLNonNull(GraphQLString), description: 'Its kind, such as Parameter.' });
  return build.once(name, () => new GraphQLObjectType({ name, description, fields: { ...changeNames, type } }));
}

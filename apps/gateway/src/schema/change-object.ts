import { GraphQLID, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import { field, type SchemaBuild, type SchemaFields } from './schema-build.ts';

/** The id and name of an object in a change. */
export const changeNames: SchemaFields = {
  id: field({ type: new GraphQLNonNull(GraphQLID), description: 'Id of the object.' }),
  name: field({ type: new GraphQLNonNull(GraphQLString), description: 'Name of the object at that time.' }),
};

export function changeObjectType(build: SchemaBuild): GraphQLObjectType {
  const name = 'ChangeObject';
  const description = 'An object of a change, with its type and its name at that time.';
  const type = field({
    type: new GraphQLNonNull(GraphQLString),
    description: 'Type of the object, such as Parameter.',
  });
  return build.once(name, () => new GraphQLObjectType({ name, description, fields: { ...changeNames, type } }));
}

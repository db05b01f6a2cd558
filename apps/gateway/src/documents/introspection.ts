import { GraphQLError, type ValidationRule } from 'graphql';

/** If introspection is off, both transports reject queries of the schema with an error that says where to find it. */
export const rejectIntrospection: ValidationRule = (context) => ({
  Field(node) {
    if (node.name.value !== '__schema' && node.name.value !== '__type') return;
    context.reportError(
      new GraphQLError(
        'Introspection is turned off. The schema is part of the project (docs/schema.graphql); an administrator can set STRATA_GRAPHQL_INTROSPECTION=on.',
        { nodes: node },
      ),
    );
  },
});

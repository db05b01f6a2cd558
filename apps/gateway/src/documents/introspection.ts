import { GraphQLError, type ValidationRule } from 'graphql';

/** If introspection is off, both transports reject queries of the schema with an error that says where to find it. */
export const refuseIntrospection: ValidationRule = (context) => ({
  Field(node) {
    if (node.name.value !== '__schema' && node.name.value !== '__type') return;
    context.reportError(
      new GraphQLError(
        'The schema is not told here by introspection: it comes with the project, as docs/schema.graphql. Whoever runs this gateway can set STRATA_GRAPHQL_INTROSPECTION=on.',
        { nodes: node },
      ),
    );
  },
});

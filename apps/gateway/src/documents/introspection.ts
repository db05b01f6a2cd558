import { GraphQLError, type ValidationRule } from 'graphql';

/** Where the schema is not told: both transports refuse who asks for it, and say where it is. */
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

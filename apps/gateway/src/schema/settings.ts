import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import { type GraphQLFormattedError, Kind, OperationTypeNode } from 'graphql';
import type { GatewayContext } from '../context.ts';
import type { Documents } from '../documents/documents.ts';
import { rejectIntrospection } from '../documents/introspection.ts';
import type { GatewayEnv } from '../env.ts';
import { documentError, isVariableError, toGraphQLError, unknownOperationError } from '../errors.ts';
import { assertWithinLimits, LIMITS, measureOperation } from '../limits.ts';
import { gatewayObserver } from '../observer.ts';

/** The settings of Apollo for GraphQL over HTTP. `sockets/` serves websockets under the same limits. */
export function apolloSettings(
  env: GatewayEnv,
  documents: Documents,
  page: string | null,
  log: (error: unknown) => void,
): Omit<ApolloDriverConfig, 'driver' | 'context'> {
  return {
    path: '/graphql',
    // Apollo's own error would mention its settings.
    introspection: true,
    validationRules: env.introspection ? [] : [rejectIntrospection],
    hideSchemaDetailsFromClientErrors: !env.introspection,
    includeStacktraceInErrorResponses: false,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    // `naming` handles persisted documents, which are known at start.
    persistedQueries: false,
    documentStore: createStore(documents),
    graphiql: false,
    autoTransformHttpErrors: false,
    // Without this, every executed operation would have status 200: see `signedOut`.
    preserveHttpStatusForExecutionErrors: false,
    parseOptions: { maxTokens: LIMITS.tokens },
    formatError: (formattedError: GraphQLFormattedError, cause: unknown) => {
      const error = toGraphQLError(formattedError, cause, log);
      return env.introspection ? error : withoutSuggestion(error, cause);
    },
    // Responses are not cached, and computing cache hints would cost a call per field.
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      naming(documents),
      limiting,
      storing,
      tracing,
      signedOut,
      ...(page === null ? [] : [landingOn(page)]),
    ],
  };
}

/** A valid document that costs little to parse. */
const NOTHING = '{ __typename }';

/** Replaces the hash of a document by its text and rejects documents that are not allowed. */
function naming(documents: Documents): ApolloServerPlugin<GatewayContext> {
  return {
    async requestDidStart({ request }) {
      const { query, extensions: { persistedQuery, ...extensions } = {} } = request;
      request.extensions = extensions;
      try {
        request.query = documents.resolveText({ query, extensions: { persistedQuery } });
        return;
      } catch (error) {
        // Apollo would report an error thrown here as a server error. It gets a trivial document instead, and the
        // error later.
        request.query = NOTHING;
        request.operationName = undefined;
        return {
          async didResolveOperation() {
            throw error;
          },
        };
      }
    },
  };
}

/** Apollo's cache of valid documents. Its keys end with the hash of the text. */
const createStore = (documents: Documents): NonNullable<ApolloDriverConfig['documentStore']> => ({
  get: async (key) => documents.parsed(hashIn(key)),
  set: async (key, document) => documents.keep(hashIn(key), document),
  delete: async () => false,
});
const hashIn = (key: string): string => key.slice(key.lastIndexOf(':') + 1);

/** Rejects operations above the limits before the first resolver runs, and passes on the cost of the others. */
const limiting: ApolloServerPlugin<GatewayContext> = {
  async requestDidStart() {
    let cost = 0;
    return {
      async didResolveOperation({ schema, document, operation, request }) {
        if (!operation) throw unknownOperationError();
        if (operation.operation === OperationTypeNode.SUBSCRIPTION) {
          throw documentError('Subscriptions are served over a websocket, at the same address.', 'BAD_USER_INPUT');
        }
        const operationCost = measureOperation(schema, document, operation, request.variables ?? {});
        assertWithinLimits(document, operationCost);
        cost = operationCost.cost;
      },
      async willSendResponse({ response, operation }) {
        if (response.body.kind !== 'single' || operation?.kind !== Kind.OPERATION_DEFINITION) return;
        const { singleResult } = response.body;
        singleResult.extensions = { ...singleResult.extensions, cost: { requested: cost, limit: LIMITS.cost } };
      },
    };
  },
};

/** Only responses of queries without errors are stored. */
const storing: ApolloServerPlugin<GatewayContext> = {
  async requestDidStart() {
    return {
      async willSendResponse({ response: { body }, operation, contextValue }) {
        const isQuery = operation?.operation === OperationTypeNode.QUERY;
        if (!isQuery || body.kind !== 'single' || body.singleResult.errors) contextValue.sources.discard();
      },
    };
  },
};

/** Adds the request id to each error, so that support can find the log entries. */
const tracing: ApolloServerPlugin<GatewayContext> = {
  async requestDidStart() {
    return {
      async willSendResponse({ response, contextValue }) {
        if (response.body.kind !== 'single' || !response.body.singleResult.errors) return;
        const { singleResult } = response.body;
        singleResult.errors = singleResult.errors?.map((error) => withRequestId(error, contextValue.requestId));
      },
    };
  },
};

/** Responds with status 401 to anonymous callers, because proxies and programs do not read the body. */
const signedOut: ApolloServerPlugin<GatewayContext> = {
  async requestDidStart() {
    return {
      async willSendResponse({ request, response: { body, http } }) {
        if (body.kind !== 'single' || request.http?.headers.has('authorization')) return;
        const { data, errors } = body.singleResult;
        if (data || errors?.[0]?.extensions?.code !== 'UNAUTHENTICATED') return;
        http.status = 401;
        http.headers.set('www-authenticate', 'Api-Key, Bearer');
      },
    };
  },
};

/** Hides field names in errors about variables, which Apollo's own option does not cover. */
function withoutSuggestion(error: GraphQLFormattedError, cause: unknown): GraphQLFormattedError {
  return isVariableError(cause) ? { ...error, message: error.message.replace(/ ?Did you mean .+\?$/, '') } : error;
}

/** Adds the request id. Every error of a response passes here, so it is also reported here. */
export function withRequestId(error: GraphQLFormattedError, requestId: string): GraphQLFormattedError {
  gatewayObserver?.graphqlError(String(error.extensions?.code));
  return { ...error, extensions: { ...error.extensions, requestId } };
}

function landingOn(html: string): ApolloServerPlugin {
  return {
    async serverWillStart() {
      return {
        async renderLandingPage() {
          return { html };
        },
      };
    },
  };
}

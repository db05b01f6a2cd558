import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import { type GraphQLFormattedError, Kind, OperationTypeNode } from 'graphql';
import type { GatewayContext } from '../context.ts';
import type { Documents } from '../documents/documents.ts';
import { refuseIntrospection } from '../documents/introspection.ts';
import type { GatewayEnv } from '../env.ts';
import { isAboutVariable, refusedDocument, toGraphQLError, unknownOperation } from '../errors.ts';
import { assertWithinLimits, LIMITS, measure } from '../limits.ts';

/** How GraphQL over HTTP is served. Websockets are served by `sockets/`, under the same limits. */
export function apolloSettings(
  env: GatewayEnv,
  documents: Documents,
  page: string | null,
  log: (error: unknown) => void,
): Omit<ApolloDriverConfig, 'driver' | 'context'> {
  return {
    path: '/graphql',
    // Apollo would refuse it in words about its own settings.
    introspection: true,
    validationRules: env.introspection ? [] : [refuseIntrospection],
    hideSchemaDetailsFromClientErrors: !env.introspection,
    includeStacktraceInErrorResponses: false,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    // `naming` does it, for documents that are known from the beginning
    persistedQueries: false,
    documentStore: storeOf(documents),
    graphiql: false,
    autoTransformHttpErrors: false,
    // else it were 200 for whatever has been executed: see `signedOut`
    preserveHttpStatusForExecutionErrors: false,
    parseOptions: { maxTokens: LIMITS.tokens },
    formatError: (formatted: GraphQLFormattedError, thrown: unknown) => {
      const error = toGraphQLError(formatted, thrown, log);
      return env.introspection ? error : withoutSuggestion(error, thrown);
    },
    // Nothing is cached on the way, and to work out for how long it could be costs a call for every field.
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      naming(documents),
      limiting,
      tracing,
      signedOut,
      ...(page === null ? [] : [landingOn(page)]),
    ],
  };
}

/** Costs nothing to parse. */
const NOTHING = '{ __typename }';

/** Puts the text in place of the hash that stands for it, and refuses documents that are not answered here. */
function naming(documents: Documents): ApolloServerPlugin<GatewayContext> {
  return {
    async requestDidStart({ request }) {
      const { query, extensions: { persistedQuery, ...extensions } = {} } = request;
      request.extensions = extensions;
      try {
        request.query = documents.textOf({ query, extensions: { persistedQuery } });
        return;
      } catch (refusal) {
        // What is thrown here would be an error of the server; so Apollo gets something to parse, and the refusal behind that.
        request.query = NOTHING;
        request.operationName = undefined;
        return {
          async didResolveOperation() {
            throw refusal;
          },
        };
      }
    },
  };
}

/** Where Apollo keeps what it has parsed and found valid. Its keys end with the hash of the text. */
const storeOf = (documents: Documents): NonNullable<ApolloDriverConfig['documentStore']> => ({
  get: async (key) => documents.parsed(hashIn(key)),
  set: async (key, document) => documents.keep(hashIn(key), document),
  delete: async () => false,
});
const hashIn = (key: string): string => key.slice(key.lastIndexOf(':') + 1);

/** Refuses what asks for too much before the first resolver runs, and tells what the rest may cost. */
const limiting: ApolloServerPlugin<GatewayContext> = {
  async requestDidStart() {
    let cost = 0;
    return {
      async didResolveOperation({ schema, document, operation, request }) {
        if (!operation) throw unknownOperation();
        if (operation.operation === OperationTypeNode.SUBSCRIPTION) {
          throw refusedDocument('Subscriptions are served over a websocket, at the same address.', 'BAD_USER_INPUT');
        }
        const measured = measure(schema, document, operation, request.variables ?? {});
        assertWithinLimits(document, measured);
        cost = measured.cost;
      },
      async willSendResponse({ response, operation }) {
        if (response.body.kind !== 'single' || operation?.kind !== Kind.OPERATION_DEFINITION) return;
        const { singleResult } = response.body;
        singleResult.extensions = { ...singleResult.extensions, cost: { requested: cost, limit: LIMITS.cost } };
      },
    };
  },
};

/** Puts the request's id into each error, so that a person can be helped with what the logs say. */
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

/** Where nobody is signed in, nothing is answered and the status says so too: proxies and programs look at no body. */
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

/** Apollo hides the schema in what it says of documents, and forgets what is said of their variables. */
function withoutSuggestion(error: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError {
  return isAboutVariable(thrown) ? { ...error, message: error.message.replace(/ ?Did you mean .+\?$/, '') } : error;
}

export function withRequestId(error: GraphQLFormattedError, requestId: string): GraphQLFormattedError {
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

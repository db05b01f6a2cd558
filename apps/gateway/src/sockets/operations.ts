import type { IncomingMessage } from 'node:http';
import { readMember } from '@strata/domain';
import {
  type DocumentNode,
  type ExecutionArgs,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { Context, ServerOptions, SubscribePayload } from 'graphql-ws';
import { type SocketSubscription, subscribeShared } from '../changes/shared-messages.ts';
import type { GatewayContext } from '../context.ts';
import { type Documents, hashText } from '../documents/documents.ts';
import { rejectIntrospection } from '../documents/introspection.ts';
import { toGraphQLError, unknownOperationError } from '../errors.ts';
import { assertWithinLimits, LIMITS, measureOperation } from '../limits.ts';
import { gatewayObserver } from '../observer.ts';
import { withRequestId } from '../schema/settings.ts';
import type { SocketCredential } from '../session/request-credential.ts';
import { CLOSE_REASONS } from './socket-limits.ts';
import type { SocketPeer } from './socket-peer.ts';

export interface OperationsOptions {
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  /** Whether clients may query the schema and receive suggestions for names. */
  readonly introspection: boolean;
  /** Returns whether the core accepts this credential; throws if the core cannot be reached. */
  readonly isAllowed: (authorization: string) => Promise<boolean>;
  /** Returns the session of the upgrade request, for clients whose first message has no credential. */
  readonly readCredential: (request: IncomingMessage) => SocketCredential | null;
  readonly log: (error: unknown) => void;
  readonly initMs: number;
}

export type SocketContext = Context<Record<string, unknown>, SocketPeer>;

/** The callbacks of the protocol library: they authenticate peers, prepare operations and format errors. */
export function createOperations(options: OperationsOptions): ServerOptions<Record<string, unknown>, SocketPeer> {
  const { schema, isAllowed, log } = options;
  /** The context of each operation, by the message that started it. */
  const requestIds = new WeakMap<SubscribePayload, string>();
  const format = (error: GraphQLError, operation: SubscribePayload) =>
    withRequestId(toGraphQLError(error.toJSON(), error, log), requestIds.get(operation) ?? '');
  return {
    schema,
    execute: (args: ExecutionArgs) => {
      const type = getOperationAST(args.document, args.operationName)?.operation;
      if (!gatewayObserver || !type || type === OperationTypeNode.SUBSCRIPTION) return execute(args);
      return gatewayObserver.socketOperation(type, () => execute(args));
    },
    subscribe: (args: ExecutionArgs) => subscribeShared(args as SocketSubscription),
    connectionInitWaitTimeout: options.initMs,
    jsonMessageReviver: readMember,
    async onConnect({ connectionParams, extra }) {
      const { Authorization, authorization = Authorization } = connectionParams ?? {};
      const speaker = authorization === undefined && extra.request ? options.readCredential(extra.request) : null;
      const credential = authorization ?? speaker?.authorization;
      if (typeof credential !== 'string' || credential === '') return false;
      try {
        if (!(await isAllowed(credential))) return false;
      } catch {
        extra.close(CLOSE_REASONS.unreachable);
        return false;
      }
      return extra.signIn(credential, speaker?.endsAtMs ?? null);
    },
    onSubscribe({ extra }, id, payload): SocketSubscription | readonly GraphQLError[] {
      const contextValue = extra.contextFor();
      requestIds.set(payload, contextValue.requestId);
      const preparedOperation = prepare(options, payload, contextValue);
      if (!('args' in preparedOperation)) return preparedOperation;
      const message = extra.begin(payload, preparedOperation.isSubscription);
      if (message !== null) return [new GraphQLError(message, { extensions: { code: 'TOO_MANY_OPERATIONS' } })];
      return { ...preparedOperation.args, id, key: preparedOperation.key, write: extra.write };
    },
    onComplete({ extra }, _id, payload) {
      extra.end(payload);
    },
    onNext({ extra }, _id, payload, _args, result) {
      if (!result.errors) return;
      if (!result.data) extra.spendRejection();
      return { ...result, errors: result.errors.map((error) => format(error, payload)) };
    },
    onError({ extra }, _id, payload, errors) {
      extra.spendRejection();
      return errors.map((error): GraphQLFormattedError => format(error, payload));
    },
  };
}

interface PreparedOperation {
  readonly args: ExecutionArgs;
  /** Returns the same text for identical operations. */
  readonly key: string;
  readonly isSubscription: boolean;
}

/** Applies the same steps and limits as Apollo over HTTP. */
function prepare(
  options: OperationsOptions,
  { query, operationName, variables, extensions }: SubscribePayload,
  contextValue: GatewayContext,
): PreparedOperation | readonly GraphQLError[] {
  try {
    const { schema, documents, introspection } = options;
    const text = documents.resolveText({ query, extensions }) ?? '';
    const document = documents.parsed(hashText(text)) ?? validDocument(text, options);
    if (!('kind' in document)) return document;
    const operation = getOperationAST(document, operationName);
    if (!operation) return [unknownOperationError()];
    assertWithinLimits(document, measureOperation(schema, document, operation, variables ?? {}));
    return {
      args: {
        schema,
        document,
        operationName,
        variableValues: variables,
        contextValue,
        hideSuggestions: !introspection,
      },
      key: JSON.stringify([text, operationName, variables]),
      isSubscription: operation.operation === OperationTypeNode.SUBSCRIPTION,
    };
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

function validDocument(
  text: string,
  { schema, documents, introspection }: OperationsOptions,
): DocumentNode | readonly GraphQLError[] {
  const document = parse(text, { maxTokens: LIMITS.tokens });
  const rules = introspection ? specifiedRules : [...specifiedRules, rejectIntrospection];
  const errors = validate(schema, document, rules, { hideSuggestions: !introspection });
  if (errors.length > 0) return errors;
  documents.keep(hashText(text), document);
  return document;
}

import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { Failure, type FailureKind } from '@strata/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, type GraphQLFormattedError, Kind } from 'graphql';
import { createErrorLogger } from './error-log.ts';
import { toFieldProblems } from './field-problems.ts';

/** The values of `extensions.code`, in addition to the codes of GraphQL itself. */
const CODES: Readonly<Record<FailureKind, string>> = {
  unauthenticated: 'UNAUTHENTICATED',
  bad_credential: 'UNAUTHENTICATED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  method_not_allowed: 'BAD_USER_INPUT',
  conflict: 'CONFLICT',
  cursor_gone: 'CURSOR_EXPIRED',
  precondition_failed: 'PRECONDITION_FAILED',
  too_large: 'BAD_USER_INPUT',
  content_too_large: 'BAD_USER_INPUT',
  unsupported_media_type: 'BAD_USER_INPUT',
  invalid: 'BAD_USER_INPUT',
  unprocessable: 'BAD_USER_INPUT',
  limited: 'RATE_LIMITED',
  unavailable: 'UNAVAILABLE',
};

/**
 * The codes that GraphQL and Apollo give to rejected documents. Their messages contain nothing but parts of the
 * document.
 */
const OF_THE_DOCUMENT = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_USER_INPUT',
  'BAD_REQUEST',
  'PERSISTED_QUERY_NOT_FOUND',
  'UNTRUSTED_DOCUMENT',
]);

const OURS = new Set([...Object.values(CODES), 'COMPLEXITY_EXCEEDED', 'SLOW_CONSUMER', 'TOO_MANY_OPERATIONS']);

export function badInputError(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
}

/** Returns the error for a subscription that is not read fast enough. */
export function slowConsumerError(message: string, cursor: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'SLOW_CONSUMER', cursor } });
}

/** Returns the error for a rejected document, for either transport. */
export function documentError(message: string, code: string, status = 400): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status } } });
}

export const unknownOperationError = (): GraphQLError =>
  documentError(
    'The document has no such operation. Name one of its operations in `operationName`.',
    'OPERATION_RESOLUTION_FAILURE',
  );

const INTERNAL = { message: 'An internal error occurred in the gateway.', code: 'INTERNAL' } as const;

/**
 * Returns the part of an error that the client may see. An expected failure keeps its message. Any other error may name
 * files, addresses or values, so the client receives only its path in the query and the log receives the rest.
 */
export function toGraphQLError(
  formattedError: GraphQLFormattedError,
  error: unknown,
  log: (error: unknown) => void = () => {},
): GraphQLFormattedError {
  const { locations, path } = formattedError;
  const at = { ...(locations && { locations }), ...(path && { path }) };
  const cause = error instanceof GraphQLError && error.originalError ? error.originalError : error;
  if (cause instanceof Failure) return { ...at, message: cause.message, extensions: buildExtensions(cause) };
  const { stacktrace: _, http: __, ...extensions } = formattedError.extensions ?? {};
  const code = extensions.code;
  if (/ more that \d+ tokens\. Parsing aborted/.test(formattedError.message)) {
    return { ...at, message: formattedError.message, extensions: { code: 'COMPLEXITY_EXCEEDED' } };
  }
  if (typeof code === 'string' && (OURS.has(code) || OF_THE_DOCUMENT.has(code))) {
    return { ...at, message: formattedError.message, extensions };
  }
  // graphql-js sets no code for invalid variables, nor for documents that it rejects over a websocket.
  if (isVariableError(error)) {
    return { ...at, message: formattedError.message, extensions: { code: 'BAD_USER_INPUT' } };
  }
  if (error instanceof GraphQLError && !error.originalError && code === undefined) {
    return { ...at, message: formattedError.message, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } };
  }
  log(cause);
  return { ...at, message: INTERNAL.message, extensions: { code: INTERNAL.code } };
}

/** Returns whether a variable does not match its declaration in the document. */
export function isVariableError(error: unknown): boolean {
  return error instanceof GraphQLError && error.nodes?.[0]?.kind === Kind.VARIABLE_DEFINITION;
}

function buildExtensions(failure: Failure): Record<string, unknown> {
  return {
    code: CODES[failure.kind],
    reason: failure.code,
    pointer: failure.pointer,
    params: failure.params,
    ...(failure.problems.length > 0 && { fields: toFieldProblems(failure) }),
    ...(failure.rules.length > 0 && { rules: failure.rules }),
    ...(failure.retryAfterSeconds !== null && { retryAfterSeconds: failure.retryAfterSeconds }),
  };
}

/**
 * Returns whether the caller has no access to the object. A caller who may not reveal secrets has: such a request fails,
 * and does not look like one for an empty object.
 */
export const isInaccessible = ({ kind, code }: Failure): boolean => kind === 'forbidden' && code !== 'reveal_forbidden';

/** The statuses of errors outside of GraphQL. GraphQL's own responses have status 200 even with errors. */
const STATUS: Readonly<Record<FailureKind, number>> = {
  unauthenticated: 401,
  bad_credential: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  cursor_gone: 410,
  precondition_failed: 412,
  too_large: 413,
  content_too_large: 507,
  unsupported_media_type: 415,
  invalid: 400,
  unprocessable: 422,
  limited: 429,
  unavailable: 503,
};

/** Returns the error for a request that is rejected before its document is read. */
export function asGraphQLError(failure: Failure): GraphQLError {
  const extensions = { ...buildExtensions(failure), http: { status: STATUS[failure.kind] } };
  return new GraphQLError(failure.message, { extensions });
}

/** Formats errors of the gateway's other routes like GraphQL responses. */
@Catch(Failure)
export class FailureExceptionFilter implements ExceptionFilter<Failure> {
  catch(failure: Failure, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const { kind, message, retryAfterSeconds } = failure;
    if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
    const extensions = { ...buildExtensions(failure), requestId: request.id };
    void reply.status(STATUS[kind]).send({ errors: [{ message, extensions }] });
  }
}

/** Formats HTTP errors (malformed JSON, too long a body, unknown route) like GraphQL responses. */
@Catch()
export class HttpExceptionFilter implements ExceptionFilter {
  private readonly log = createErrorLogger(new Logger('HTTP'));

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (error instanceof HttpException) {
      const code = error.getStatus() === 404 ? 'NOT_FOUND' : 'BAD_REQUEST';
      return void reply.status(error.getStatus()).send(errorBody(error.message, code, request.id));
    }
    this.log(error);
    void reply.status(500).send(errorBody(INTERNAL.message, INTERNAL.code, request.id));
  }
}

/** Returns an error body in the form of a GraphQL response. */
export function errorBody(message: string, code: string, requestId: string) {
  return { errors: [{ message, extensions: { code, requestId } }] };
}
